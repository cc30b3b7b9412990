# shellcheck shell=bash
# rdma-core's Python tests, each in a process of its own; run-tests.py says how.

readonly PYVERBS_SECONDS=60

# run_pyverbs NAME OPTION...: the table is NAME.table among the results, what the tests said NAME.log.
run_pyverbs() {
    local name=$1
    shift
    python3 /run/payload/vm/guest/run-tests.py "$RESULTS/$name.table" "$PYVERBS_SECONDS" "$@" >"$RESULTS/$name.log" 2>&1 || {
        tail -n 30 "$RESULTS/$name.log"
        fail "the tests did not run on $name"
    }
    figure "tests on $name" "$(tail -n 1 "$RESULTS/$name.log")"
    grep -vE '^(passed|skipped)' "$RESULTS/$name.table" || true
}

# expect_verdicts NAME VERDICT COUNT: so many tests, and all with this verdict
expect_verdicts() {
    if [[ $(wc -l <"$RESULTS/$1.table") != "$3" || $(cut -f 1 "$RESULTS/$1.table" | sort -u) != "$2" ]]; then
        tail -n 60 "$RESULTS/$1.log"
        fail "$1: not $3 tests that $2"
    fi
}

# skip_reasons NAME: how often each
skip_reasons() { awk -F '\t' '$1 == "skipped" { print $4 }' "$RESULTS/$1.table" | sort | uniq -c | sort -rn; }

passed_in() { grep -c '^passed' "$RESULTS/$1.table" || true; }

# compare_verdicts FLOOR NAME SKIPPED...: every test of NAME passes or is skipped; what passes on FLOOR is skipped only
# when a regular expression says that it may be; and no fewer pass than on FLOOR.
compare_verdicts() {
    local floor=$1 name=$2 argued worse
    shift 2
    argued=$(IFS='|' && echo "$*")
    worse=$(awk -F '\t' -v argued="$argued" '
        NR == FNR { if ($1 == "passed") floor[$3] = 1; next }
        $1 == "passed" || $1 == "skipped" && (!($3 in floor) || $3 ~ argued) { next }
        { print $1, $3 ": " $4 }' "$RESULTS/$floor.table" "$RESULTS/$name.table")
    figure "passed on $floor but argued to be skipped on $name" "$(
        awk -F '\t' -v argued="$argued" '
            NR == FNR { if ($1 == "passed") floor[$3] = 1; next }
            $1 == "skipped" && $3 in floor && $3 ~ argued' "$RESULTS/$floor.table" "$RESULTS/$name.table" | wc -l)"
    if [[ -n $worse ]]; then
        echo "$worse"
        fail "$(wc -l <<<"$worse") tests are worse on $name than on $floor; see above and $name.log"
    fi
    (($(passed_in "$name") >= $(passed_in "$floor") || ${#QUICK} > 0)) ||
        fail "$(passed_in "$name") tests pass on $name, $(passed_in "$floor") on $floor"
}
