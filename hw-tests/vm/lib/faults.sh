# shellcheck shell=bash
# Faults that the guest commands: each "FAULT> " line of its console goes to the emulator.

# start_fault_relay: before the emulator, which reads the FIFO $FAULTS (`ringside emulate --faults`).
start_fault_relay() {
    FAULTS=$RUN/faults
    mkfifo "$FAULTS"
    # shellcheck disable=SC2016 # for the child
    start_child "$REPORTS/faults.log" bash -c \
        'tail -n +1 -F -s 0.2 "$0" 2>/dev/null | sed -un "s/\r//;s/^.*FAULT> //p" | tee /dev/stderr >"$1"' \
        "$REPORTS/console.log" "$FAULTS"
}

# check_faults: so many reached the emulator
check_faults() {
    local caused
    caused=$(grep -c ': fault ' "$REPORTS/emulator.log" || true)
    printf '%-44s %s\n' "faults caused" "$caused" >>"$REPORTS/figures"
    ((caused >= $1)) || {
        say "only $caused faults reached the emulator, not $1"
        return 1
    }
}
