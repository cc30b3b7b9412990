# shellcheck shell=bash
# Interrupts of vfio-pci. Their lines leave /proc/interrupts when the device is closed, so they are
# sampled while its user runs.

# with_interrupts FILE COMMAND...: runs it; FILE keeps the last sample that had any.
with_interrupts() {
    local file=$1 pid status=0
    shift
    "$@" &
    pid=$!
    while kill -0 "$pid" 2>/dev/null; do
        if grep vfio /proc/interrupts >"$file.new"; then
            mv "$file.new" "$file"
        fi
        sleep 0.1
    done
    wait "$pid" || status=$?
    return "$status"
}

# interrupts_arrived FILE: their number, over all vectors and CPUs.
interrupts_arrived() {
    [[ -f $1 ]] || { echo 0 && return; }
    awk '{ for (i = 2; $i ~ /^[0-9]+$/; i++) n += $i } END { print n + 0 }' "$1"
}
