# shellcheck shell=bash
# The same work by perftest and by Java on rxe0. Each number goes to $RESULTS/rates as "WHO WHAT VALUE".

readonly PERFTEST_PORT=18600

# rate WHO WHAT VALUE
rate() { echo "$*" | tee -a "$RESULTS/rates"; }

# perftest_client TOOL COUNT OPTION...: against a server of its own; CLIENT_CPU is what the client took, in microseconds
perftest_client() {
    local tool=$1 count=$2 pid before after
    shift 2
    local command=("$tool" -d rxe0 -x "$GID_INDEX" -F -s 64 -n "$count" -p "$PERFTEST_PORT" "$@")
    timeout 300 "${command[@]}" >"$RESULTS/$tool-server.log" 2>&1 &
    pid=$!
    await 60 tool_listens "$PERFTEST_PORT" || fail "$tool does not listen"
    before=$(children_cpu)
    timeout 300 "${command[@]}" localhost >"$RESULTS/$tool.log" 2>&1 || { cat "$RESULTS/$tool.log" && fail "$tool: status $?"; }
    after=$(children_cpu)
    wait "$pid" || fail "$tool, server: status $?"
    CLIENT_CPU=$((after - before))
}

# children_cpu: of all that this shell has waited for, in microseconds
children_cpu() { awk -v hz="$(getconf CLK_TCK)" '{ sub(/.*\) /, ""); print int(($14 + $15) * 1000000 / hz) }' /proc/$$/stat; }

# cpu_each TOOL COUNT OPTION...: microseconds of an operation, without start and end of the program
cpu_each() {
    local many few
    perftest_client "$1" "$(($2 / 10))" "${@:3}"
    few=$CLIENT_CPU
    perftest_client "$@"
    many=$CLIENT_CPU
    CPU_EACH=$(awk -v n="$(($2 - $2 / 10))" -v t=$((many - few)) 'BEGIN { printf "%.2f", t / n }')
}

# c_rates COUNT
c_rates() {
    cpu_each ib_read_lat "$1"
    rate C read-latency "$(awk '$1 == 64 { print $5 }' "$RESULTS/ib_read_lat.log")"
    rate C read-cpu "$CPU_EACH"
    cpu_each ib_write_bw "$1" -t 128 -Q 1
    rate C write-rate "$(awk '$1 == 64 { print int($5 * 1000000) }' "$RESULTS/ib_write_bw.log")"
    rate C write-cpu "$CPU_EACH"
}

# java_rates API COUNT
java_rates() {
    local what value
    timeout 600 "${JAVA[@]}" org.ringside.interop.KernelRate "kernel/rxe0?api=$1" "$2" >"$RESULTS/rates-$1.log" 2>&1 ||
        { cat "$RESULTS/rates-$1.log" && fail "KernelRate: status $?"; }
    while read -r what value; do
        rate "$1" "$what" "$value"
    done < <(sed -n 's/^figure //p' "$RESULTS/rates-$1.log")
}

# summarize_rates: the median of each, and Java's to C's
summarize_rates() {
    local what who c value
    for what in read-latency read-cpu write-rate write-cpu; do
        c=$(median C "$what")
        figure "C: $what" "$c"
        for who in plain extended; do
            value=$(median "$who" "$what")
            figure "Java, $who: $what" "$value ($(awk -v a="$value" -v b="$c" 'BEGIN { printf "%.2f of C", a / b }'))"
        done
    done
}

# median WHO WHAT
median() {
    awk -v who="$1" -v what="$2" '$1 == who && $2 == what { print $3 }' "$RESULTS/rates" | sort -g |
        awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}
