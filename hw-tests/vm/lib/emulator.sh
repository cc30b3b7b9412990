# shellcheck shell=bash
# The emulated ConnectX as a process of its own, and its function in the guest.

readonly EMULATOR_SECONDS=120
# How its log begins to tell of a map
readonly DMA_MAP='DMA_MAP \['


is_listening() { awk -v path="$1" '$4 == "00010000" && $8 == path { f = 1 } END { exit !f }' /proc/net/unix; }

# start_emulator DOORBELLS [SLOT]: one function in a slot of the guest's bus.
start_emulator() { start_functions "${2:-10.0}" --doorbells "$1"; }

# start_functions "SLOT..." OPTION...: a function for each slot, on one wire, in one process with these
# options. QEMU connects only once, so the sockets must listen before QEMU starts. EMULATOR_NAME is that of its log.
start_functions() {
    local slot socket log=$REPORTS/${EMULATOR_NAME:-emulator}.log waited=0 arguments=()
    local -a slots
    read -ra slots <<<"$1"
    shift
    for slot in "${slots[@]}"; do
        socket=$RUN/emulator-$slot.sock
        arguments+=(--socket "$socket")
        QEMU_DEVICES+=(-device "{\"driver\":\"vfio-user-pci\",\"addr\":\"$slot\",\"socket\":{\"type\":\"unix\",\"path\":\"$socket\"}}")
    done
    # Builds what is not built, however long that takes.
    "$REPO/tools/ringside" --version >/dev/null || die "tools/ringside does not start" "see its messages above" 1
    start_child "$log" "$REPO/tools/ringside" emulate "${arguments[@]}" "$@" --verbose
    # The last one listens last.
    until is_listening "$socket"; do
        if ! is_running "$CHILD" || ((waited++ >= EMULATOR_SECONDS * 10)); then
            tail -n 15 "$log" >&2
            die "the emulator does not listen on $socket; the end of its log is above" \
                "try by hand: tools/ringside emulate --socket /tmp/x.sock $*"
        fi
        sleep 0.1
    done
    EMULATOR=$CHILD
}

# check_emulator: it lived to the end and saw the guest's DMA maps; they are shown as it saw them.
check_emulator() {
    local log=$REPORTS/emulator.log maps
    if ! is_running "$EMULATOR"; then
        say "the emulator died during the run; see $log"
        return 1
    fi
    maps=$(grep -c "$DMA_MAP" "$log" || true)
    echo "== emulator: $maps DMA maps, the last of them:"
    grep "$DMA_MAP" "$log" | tail -n 15
    printf '%-44s %s\n' "DMA maps that the device saw" "$maps" >>"$REPORTS/figures"
    ((maps > 0))
}

# check_nothing_left TIMES: so often a function was stopped and disabled, each time without an object or
# a page left.
check_nothing_left() {
    local log=$REPORTS/emulator.log stopped disabled
    stopped=$(grep -c 'function stopped, no object left' "$log" || true)
    disabled=$(grep -c 'function disabled, no page left' "$log" || true)
    printf '%-44s %s\n' "functions stopped with nothing left" "$stopped" >>"$REPORTS/figures"
    if ((stopped != $1 || disabled != $1)); then
        say "functions stopped with no object left $stopped times, disabled with no page left $disabled times, not $1"
        return 1
    fi
}

# check_no_findings: the model, an examiner, has nothing against what the driver did.
# shellcheck disable=SC2119
check_no_findings() { check_findings; }

# check_findings TEXT...: it has nothing against it but for these, which are argued where they are listed.
# shellcheck disable=SC2120 # scenarios pass them
check_findings() {
    local findings argued
    argued=$(printf '%s\n' "$@")
    findings=$(grep -E ': (REGISTER|DELIVERY|COMMAND|PAGES|LEAK|DOORBELL|EVENT_QUEUE|DMA|DATA_PATH): ' "$REPORTS/emulator.log" |
        { if [[ -n $argued ]]; then grep -vF "$argued"; else cat; fi; } || true)
    if [[ -n $findings ]]; then
        say "the emulator found fault with the driver $(wc -l <<<"$findings") times:"
        cut -c 1-300 <<<"$findings" | head -n 20
        return 1
    fi
}
