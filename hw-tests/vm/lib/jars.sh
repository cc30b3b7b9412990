# shellcheck shell=bash
# The project's jars for the guest: the conformance kit, the command line and what they need.

JAR_DIRECTORIES=("$REPO"/tools/cli/target{,/lib} "$REPO"/hw-tests/target{,/lib})

kit_is_current() {
    local jars=("$REPO"/hw-tests/target/ringside-hw-tests-*.jar)
    [[ -f ${jars[0]} ]] || return
    [[ -z $(find "$REPO" -path '*/src/main/*' -newer "${jars[0]}" -type f -print -quit) ]]
}

# The launcher builds the command line by itself, so that the emulator then starts at once.
ensure_jars() {
    "$REPO/tools/ringside" --version >/dev/null ||
        die "tools/ringside does not start" "see its messages above" 1
    ensure_kit
}

# ensure_kit: the jar of hw-tests, and beside it what it needs
ensure_kit() {
    if kit_is_current; then
        return
    fi
    say "the conformance kit is missing or older than the sources: mvn package"
    (
        cd "$REPO"
        JAVA_HOME=$(tools/ringside --jdk) mvn -q -B -ntp -Dmaven.test.skip=true -Dspotless.check.skip=true \
            -pl hw-tests -am package
    ) || die "the conformance kit does not build" "see Maven's messages above" 1
    # Maven leaves a jar as it is when only those beside it have changed.
    touch "$REPO"/hw-tests/target/ringside-hw-tests-*.jar
}

# copy_jars DIR: each jar once; the command line and the kit share most.
copy_jars() {
    local dir
    mkdir -p "$1"
    for dir in "${JAR_DIRECTORIES[@]}"; do
        cp -n "$dir"/*.jar "$1/"
    done
    rm -f "$1"/*-sources.jar "$1"/*-javadoc.jar "$1"/*-tests.jar
}
