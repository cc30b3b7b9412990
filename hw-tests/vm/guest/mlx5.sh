# shellcheck shell=bash
# Linux's own mlx5 driver in the guest: load, look, unload, and what the kernel said meanwhile.

readonly LOAD_SECONDS=60 TOOL_SECONDS=300

# Messages at level warning or worse that are no fault of the device: extended regular expressions,
# each with its argument.
KERNEL_MAY_SAY=(
    # The host stopped the virtual CPU for that long: no part of the device takes part.
    'hrtimer: interrupt took [0-9]+ ns'
    'clocksource: .* (skew|unstable|reads|wd|cs_|Marking|Checking|CPU)'
    'perf: interrupt took too long'
)

# await SECONDS COMMAND...: until it succeeds
await() {
    local deadline=$((SECONDS + $1))
    shift
    until "$@"; do
        ((SECONDS < deadline)) || return 1
        pause 0.2
    done
}

ports_active() { ibv_devinfo 2>/dev/null | grep -c 'state:.*PORT_ACTIVE (4)' || true; }

has_ports() { (($(ports_active) == $1)); }

# load_mlx5 PORTS: both drivers, until so many ports are active.
load_mlx5() {
    modprobe mlx5_core
    modprobe mlx5_ib
    await "$LOAD_SECONDS" has_ports "$1" || {
        dmesg | tail -n 40
        fail "$(ports_active) of $1 ports are active"
    }
}

unload_mlx5() { modprobe -r mlx5_ib mlx5_core; }

# check_kernel_messages: since the last `dmesg -C`; none may be worse than a note but those argued above.
check_kernel_messages() {
    local bad
    bad=$(dmesg --level=emerg,alert,crit,err,warn | grep -vE "$(
        IFS='|'
        echo "${KERNEL_MAY_SAY[*]}"
    )" || true)
    if [[ -n $bad ]]; then
        echo "$bad" | tail -n 60
        fail "the kernel said $(wc -l <<<"$bad") lines that nobody argued for; see above"
    fi
}

# tool_listens PORT
tool_listens() { ss -Hltn "sport = :$1" | grep -q .; }

# between NAME PORT SERVER-COMMAND... -- CLIENT-COMMAND...: a pair of programs that meet on a TCP port
# of the guest. Their output is NAME-server.log and NAME-client.log among the results.
between() {
    local name=$1 port=$2 server=() status=0 pid
    shift 2
    while [[ $1 != -- ]]; do
        server+=("$1")
        shift
    done
    shift
    timeout "$TOOL_SECONDS" "${server[@]}" >"$RESULTS/$name-server.log" 2>&1 &
    pid=$!
    await 60 tool_listens "$port" || {
        cat "$RESULTS/$name-server.log"
        fail "$name: ${server[*]} does not listen on $port"
    }
    timeout "$TOOL_SECONDS" "$@" >"$RESULTS/$name-client.log" 2>&1 || status=$?
    wait "$pid" || status=$?
    if ((status != 0)); then
        tail -n 30 "$RESULTS/$name-server.log" "$RESULTS/$name-client.log"
        dmesg | tail -n 20
        fail "$name: status $status"
    fi
}

# pingpongs FIRST SECOND ITERATIONS: ibverbs-utils' between two devices; -c has them check the data.
pingpongs() {
    local service
    for service in rc uc ud srq; do
        between "$service-pingpong" 18515 \
            "ibv_${service}_pingpong" -d "$1" -n "$3" -c -- \
            "ibv_${service}_pingpong" -d "$2" -n "$3" -c localhost
        figure "ibv_${service}_pingpong, microseconds" \
            "$(grep -o '[0-9.]* usec/iter' "$RESULTS/$service-pingpong-client.log")"
    done
    between xsrq-pingpong 18515 \
        ibv_xsrq_pingpong -d "$1" -n "$3" -- ibv_xsrq_pingpong -d "$2" -n "$3" localhost
    figure "ibv_xsrq_pingpong" "done"
}

# perftests FIRST SECOND ITERATIONS
perftests() {
    local tool
    for tool in send_lat write_lat read_lat send_bw write_bw read_bw atomic_bw; do
        between "ib_$tool" 18515 "ib_$tool" -F -d "$1" -n "$3" -- "ib_$tool" -F -d "$2" -n "$3" localhost
        figure "ib_$tool" "$(perftest_figure "$tool" "$RESULTS/ib_$tool-client.log")"
    done
}

# port_counter DEVICE NAME: as the kernel asks the device (QUERY_VPORT_COUNTER); data in words of 4 bytes
port_counter() { cat "/sys/class/infiniband/$1/ports/1/counters/$2"; }

# check_port_counters SENDER RECEIVER: a message that is sent is counted at both ends
check_port_counters() {
    local size=65536 count=50 sent received packets
    sent=$(port_counter "$1" port_xmit_data)
    received=$(port_counter "$2" port_rcv_data)
    packets=$(port_counter "$2" port_rcv_packets)
    between counted 18515 ib_write_bw -F -d "$2" -s "$size" -n "$count" -- \
        ib_write_bw -F -d "$1" -s "$size" -n "$count" localhost
    sent=$(($(port_counter "$1" port_xmit_data) - sent))
    received=$(($(port_counter "$2" port_rcv_data) - received))
    packets=$(($(port_counter "$2" port_rcv_packets) - packets))
    # Packets of at most 4096 bytes, each with its headers.
    ((sent == received && sent * 4 > size * count && sent * 4 < size * count * 5 / 4 && packets >= size * count / 4096)) ||
        fail "counters of $((size * count)) bytes: $sent words sent, $received received in $packets packets"
    figure "port counters of $((size * count)) bytes" "$((sent * 4)) bytes in $packets packets"
}

# perftest_figure TOOL FILE: the typical latency or the average bandwidth
perftest_figure() {
    case $1 in
        *_lat) awk '$1 ~ /^[0-9]+$/ && NF > 4 { print $5 " us" }' "$2" ;;
        *) awk '$1 ~ /^[0-9]+$/ && NF > 3 { print $4 " MB/s" }' "$2" ;;
    esac | tail -n 1
}
