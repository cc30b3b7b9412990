# shellcheck shell=bash
# kill -9 in mid-traffic, then the next start on the same device.

readonly TRAFFIC_SECONDS=300

# has_device_open PID: holds a VFIO device
has_device_open() { readlink /proc/"$1"/fd/* 2>/dev/null | grep -q vfio-device; }

# endless DEVICE: in the background; its process id is $!
endless() {
    "${RINGSIDE[@]}" pingpong --device "$1" --iterations 2000000000 --verbose >"$RESULTS/killed.log" 2>&1 &
}

# kill_in_traffic DEVICE: once it says that its measured messages follow; up to a second more makes the moment another
# one each time.
kill_in_traffic() {
    local pid status=0 since=$SECONDS
    rm -f "$RESULTS/killed.log"
    endless "$1"
    pid=$!
    until grep -qs ' warm; ' "$RESULTS/killed.log"; do
        is_alive "$pid" || fail "pingpong ended before it was killed: $(tail -n 5 "$RESULTS/killed.log")"
        ((SECONDS - since < TRAFFIC_SECONDS)) || fail "pingpong moved nothing in $TRAFFIC_SECONDS s: $(tail -n 5 "$RESULTS/killed.log")"
        sleep 0.2
    done
    sleep "0.$((RANDOM % 9000 + 1000))"
    has_device_open "$pid" || fail "pingpong had no device open: $(tail -n 5 "$RESULTS/killed.log")"
    kill -9 "$pid"
    { wait "$pid"; } 2>/dev/null || status=$?
    ((status == 137)) || fail "killed pingpong ended with status $status"
}

# survive_kills DEVICE ROUNDS
survive_kills() {
    local round
    for ((round = 1; round <= $2; round++)); do
        kill_in_traffic "$1"
        pingpong "$1" send 1000 after-kill
        echo "round $round: killed in mid-traffic, started again, verified"
    done
    figure "kill -9 rounds survived" "$2"
}
