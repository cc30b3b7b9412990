# shellcheck shell=bash
# Processes that a run starts. They end with it: by the EXIT trap, or by the kernel if the run is killed.

CHILDREN=()

# start_child LOG COMMAND...: its process id is in CHILD.
start_child() {
    local log=$1
    shift
    : >>"$log"
    setsid setpriv --pdeathsig TERM -- "$@" </dev/null >>"$log" 2>&1 &
    CHILD=$!
    CHILDREN+=("$CHILD")
}

is_running() { kill -0 "$1" 2>/dev/null; }

# Politely first, so that logs are written to their end.
stop_children() {
    local pid
    for pid in "${CHILDREN[@]}"; do
        kill -TERM -- "-$pid" 2>/dev/null || true
    done
    for pid in "${CHILDREN[@]}"; do
        timeout 5 tail --pid="$pid" -f /dev/null || true
        kill -KILL -- "-$pid" 2>/dev/null || true
        wait "$pid" 2>/dev/null || true
    done
    CHILDREN=()
}
