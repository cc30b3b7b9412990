# shellcheck shell=bash
# The provider of the kernel's devices: what it says when something goes wrong around one.

readonly FAULTS_MAIN=org.ringside.interop.KernelFaults

# fault NAME WANTED COMMAND...: the command holds, and says what is wanted
fault() {
    local name=$1 wanted=$2 log=$RESULTS/fault-$1.log
    shift 2
    timeout 300 "$@" >"$log" 2>&1 || { cat "$log" && fail "fault $name: status $?"; }
    told "$name" "$wanted"
}

# told NAME WANTED: the log of a fault has it; the line is a figure
told() {
    local line
    line=$(grep -m 1 -- "$2" "$RESULTS/fault-$1.log") || { cat "$RESULTS/fault-$1.log" && fail "fault $1: it does not say \"$2\""; }
    figure "fault $1" "$line"
}

# in_traffic NAME TYPE WANTED COMMAND...: the command meets a program that has moved data, and waits for an event of that type
in_traffic() {
    local name=$1 type=$2 wanted=$3 pid status=0
    shift 3
    timeout 300 "${JAVA[@]}" "$FAULTS_MAIN" kernel/rxe0 until "$type" >"$RESULTS/fault-$name.log" 2>&1 &
    pid=$!
    await 120 grep -qs '^traffic' "$RESULTS/fault-$name.log" || { cat "$RESULTS/fault-$name.log" && fail "fault $name: no traffic"; }
    "$@"
    wait "$pid" || status=$?
    ((status == 0)) || { cat "$RESULTS/fault-$name.log" && fail "fault $name: status $status"; }
    told "$name" "$wanted"
}

# kernel_faults EVENTS: all of them on rxe0, which is gone afterwards
kernel_faults() {
    step "faults"
    local as_nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups --bounding-set=-all --inh-caps=-all)
    chmod 666 /dev/infiniband/uverbs0
    fault memlock "ulimit -l" prlimit --memlock=1048576 "${as_nobody[@]}" "${JAVA[@]}" "$FAULTS_MAIN" kernel/rxe0 memlock
    fault descriptors "channel cannot be made: Too many open files" prlimit --nofile=256 "${JAVA[@]}" "$FAULTS_MAIN" kernel/rxe0 descriptors
    told descriptors "cannot be listed: Too many open files"
    chmod 600 /dev/infiniband/uverbs0
    fault permission "be root, or of the group" "${as_nobody[@]}" bash -c "! \"\$@\"" - "${JAVA[@]}" "$FAULTS_MAIN" kernel/rxe0 memlock
    fault events "events taken: $1" "${JAVA[@]}" "$FAULTS_MAIN" kernel/rxe0 events "$1"
    in_traffic interface-down PORT_ERR "event: PORT_ERR port 1" ip link set "$WIRE" down
    ip link set "$WIRE" up
    await 10 gid_index "$ADDRESS" >/dev/null || fail "rxe0 has no GID of $ADDRESS"
    in_traffic removed DEVICE_FATAL "event: DEVICE_FATAL" remove_rxe
    told removed "outstanding 1000: WR_FLUSH_ERR"
    told removed "post: DEVICE_LOST"
    told removed "has gone; close it"
    await 30 rxe_is_gone || fail "rxe0 is still there"
    dmesg | grep -E 'BUG|WARNING|Oops' && fail "the kernel complains"
    "${RINGSIDE[@]}" devices
}

# The kernel waits for the device's users.
remove_rxe() { rdma link delete rxe0 & }

rxe_is_gone() { [[ ! -e /sys/class/infiniband/rxe0 ]]; }
