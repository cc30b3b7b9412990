# shellcheck shell=bash
# The conformance kit by JUnit's console launcher; its XML report goes to the host.

readonly KIT_PACKAGE=org.ringside.conformance KIT_SECONDS=900

# report_number ATTRIBUTE: of the report's outermost element
report_number() { grep -m 1 -o "<testsuite [^>]*" "$RESULTS"/junit/TEST-junit-jupiter.xml | sed -n "s/.* $1=\"\([0-9]*\)\".*/\1/p"; }

# Each doorbell that traps is a round trip to the emulator, a thousand times what it costs on the host: more
# patience, and for CI fewer rounds where only their number makes a test long.
KIT_OPTIONS=(-Dringside.kit.waitSeconds=60)
if [[ -n $QUICK ]]; then
    KIT_OPTIONS+=(-Dringside.kit.rounds=50)
fi

# skipped_tests: each test that was skipped, with its reason, as figures
skipped_tests() {
    local name reason
    while IFS=$'\t' read -r name reason; do
        figure "skipped: $name" "$reason"
    done < <(awk '
        /<testcase / { match($0, /name="[^"]*"/); name = substr($0, RSTART + 6, RLENGTH - 7) }
        /<skipped/   { skipped = 1 }
        skipped && match($0, /Assumption failed: [^\]<]*/) {
            print name "\t" substr($0, RSTART + 19, RLENGTH - 19); skipped = 0
        }' "$RESULTS"/junit/TEST-junit-jupiter.xml)
}

# run_kit DEVICE
run_kit() {
    local status=0 ran
    with_interrupts "$RESULTS/kit.interrupts" "$KIT_SECONDS" "${JAVA[@]}" "${KIT_OPTIONS[@]}" "-Dringside.devices=$1" \
        org.junit.platform.console.ConsoleLauncher execute --select-package "$KIT_PACKAGE" \
        --include-classname '.*' --reports-dir "$RESULTS/junit" --fail-if-no-tests \
        --details tree --disable-ansi-colors --disable-banner || status=$?
    [[ -f $RESULTS/junit/TEST-junit-jupiter.xml ]] || fail "the kit left no report (status $status)"
    ran=$(($(report_number tests) - $(report_number skipped)))
    figure "conformance tests run" "$ran"
    figure "conformance tests skipped" "$(report_number skipped)"
    figure "conformance tests failed" "$(($(report_number failures) + $(report_number errors)))"
    skipped_tests
    ((status == 0)) || fail "the conformance kit ended with status $status"
    ((ran > 0)) || fail "every conformance test was skipped"
}
