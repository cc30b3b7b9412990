# shellcheck shell=bash
# The project's jars for the guest: the conformance kit, the command line and what they need.

JAR_DIRECTORIES=("$REPO/hw-tests/target" "$REPO/hw-tests/target/lib" "$REPO/tools/cli/target" "$REPO/tools/cli/target/lib")

jars_are_current() {
    local jar
    for jar in "$REPO"/hw-tests/target/ringside-hw-tests-*.jar "$REPO"/tools/cli/target/ringside-cli-*.jar; do
        [[ -f $jar ]] || return
        [[ -z $(find "$REPO" -path '*/src/main/*' -newer "$jar" -type f -print -quit) ]] || return
    done
}

ensure_jars() {
    if jars_are_current; then
        return
    fi
    say "jars are missing or older than the sources: mvn package"
    (cd "$REPO" && mvn -q -B -DskipTests -pl hw-tests,tools/cli -am package) ||
        die "the project does not build" "see Maven's messages above" 1
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
