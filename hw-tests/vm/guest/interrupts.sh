# shellcheck shell=bash
# Interrupts of vfio-pci. Their lines leave /proc/interrupts when the device is closed, so they are
# sampled while its user runs.

# sample_interrupts: vfio-pci's lines into SAMPLE, which keeps its value when there are none. No process is
# started: those would compete with the one that is watched.
sample_interrupts() {
    local line lines='' all
    mapfile -t all </proc/interrupts
    for line in "${all[@]}"; do
        if [[ $line == *vfio* ]]; then
            lines+=$line$'\n'
        fi
    done
    SAMPLE=${lines:-$SAMPLE}
}

# with_interrupts FILE SECONDS COMMAND...: runs it; FILE gets the last sample that had any lines. A JVM that
# takes longer prints its threads and is killed.
with_interrupts() {
    local file=$1 deadline=$((SECONDS + $2)) pid status=0
    shift 2
    SAMPLE=
    "$@" &
    pid=$!
    while is_alive "$pid"; do
        sample_interrupts
        if ((SECONDS > deadline)); then
            echo "guest: out of time, threads follow: $*" >&2
            kill -QUIT "$pid"
            pause 5
            kill -KILL "$pid"
        fi
        pause 0.2
    done
    wait "$pid" || status=$?
    printf '%s' "$SAMPLE" >"$file"
    return "$status"
}

# interrupts_arrived FILE: their number, over all vectors and CPUs.
interrupts_arrived() { awk '{ for (i = 2; $i ~ /^[0-9]+$/; i++) n += $i } END { print n + 0 }' "$1"; }
