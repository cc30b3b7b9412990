# shellcheck shell=bash
# kill -9 in mid-traffic, then the next start on the same device.

# has_device_open PID: holds a VFIO device
has_device_open() { readlink /proc/"$1"/fd/* 2>/dev/null | grep -q vfio-device; }

# endless DEVICE: in the background; its process id is $!
endless() {
    "${RINGSIDE[@]}" pingpong --device "$1" --iterations 2000000000 >"$RESULTS/killed.log" 2>&1 &
}

# kill_in_traffic DEVICE SECONDS: a short pingpong takes that long from start to end, so an endless one is
# in its traffic by then; up to a second more makes the moment another one each time.
kill_in_traffic() {
    local pid status=0
    endless "$1"
    pid=$!
    sleep "$(awk -v s="$2" -v seed="$RANDOM" 'BEGIN { srand(seed); print s + rand() }')"
    kill -0 "$pid" 2>/dev/null || fail "pingpong ended before it was killed: $(tail -n 5 "$RESULTS/killed.log")"
    has_device_open "$pid" || fail "pingpong had no device open after $2 s: $(tail -n 5 "$RESULTS/killed.log")"
    kill -9 "$pid"
    { wait "$pid"; } 2>/dev/null || status=$?
    ((status == 137)) || fail "killed pingpong ended with status $status"
}

# survive_kills DEVICE ROUNDS
survive_kills() {
    local round start
    start=$(seconds pingpong "$1" send 1000 before-kill)
    echo "a short pingpong takes $start s"
    for ((round = 1; round <= $2; round++)); do
        kill_in_traffic "$1" "$start"
        pingpong "$1" send 1000 after-kill
        echo "round $round: killed in mid-traffic, started again, verified"
    done
    figure "kill -9 rounds survived" "$2"
}
