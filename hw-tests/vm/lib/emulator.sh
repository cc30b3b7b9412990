# shellcheck shell=bash
# The emulated ConnectX as a process of its own, and its function in the guest.

readonly EMULATOR_SECONDS=120
# How its log begins to tell of a map
readonly DMA_MAP='DMA_MAP \['


is_listening() { awk -v path="$1" '$4 == "00010000" && $8 == path { f = 1 } END { exit !f }' /proc/net/unix; }

# start_emulator DOORBELLS [SLOT]: QEMU connects only once, so the socket must listen before QEMU starts.
start_emulator() {
    local socket=$RUN/emulator.sock log=$REPORTS/emulator.log slot=${2:-10.0} waited=0
    start_child "$log" "$REPO/tools/ringside" emulate --socket "$socket" --doorbells "$1" --verbose
    until is_listening "$socket"; do
        if ! is_running "$CHILD" || ((waited++ >= EMULATOR_SECONDS * 10)); then
            tail -n 15 "$log" >&2
            die "the emulator does not listen on $socket; the end of its log is above" \
                "try by hand: tools/ringside emulate --socket /tmp/x.sock --doorbells $1"
        fi
        sleep 0.1
    done
    EMULATOR=$CHILD
    QEMU_DEVICES+=(-device "{\"driver\":\"vfio-user-pci\",\"addr\":\"$slot\",\"socket\":{\"type\":\"unix\",\"path\":\"$socket\"}}")
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
