# shellcheck shell=bash
# `ringside pingpong` in the guest: each operation verified, and figures from its JSON.

readonly OPERATIONS="send write read cas faa" PINGPONG_SECONDS=400

# json_number NAME FILE: the first number of that name
json_number() { tr -d '\n' <"$2" | grep -o "\"$1\" *: *[0-9.]*" | head -n 1 | grep -o '[0-9.]*$'; }

# pingpong DEVICE OPERATION ITERATIONS NAME: the result is NAME.json, interrupts are NAME.interrupts.
pingpong() {
    local json=$RESULTS/$4.json
    with_interrupts "$RESULTS/$4.interrupts" "$PINGPONG_SECONDS" "${RINGSIDE[@]}" pingpong \
        --device "$1" --operation "$2" --iterations "$3" --json >"$json" || fail "pingpong --operation $2 ended with status $?: $(<"$json")"
    grep -q '"verified" *: *true' "$json" || fail "pingpong --operation $2 is not verified: $(<"$json")"
}

# pingpong_all DEVICE ITERATIONS
pingpong_all() {
    local operation json
    for operation in $OPERATIONS; do
        pingpong "$1" "$operation" "$2" "pingpong-$operation"
        json=$RESULTS/pingpong-$operation.json
        cat "$json"
        figure "$operation: bring-up, ms" "$(json_number bringUpMillis "$json")"
        figure "$operation: latency p50, ns" "$(json_number p50 "$json")"
        figure "$operation: messages per second" "$(json_number messagesPerSecond "$json")"
    done
}
