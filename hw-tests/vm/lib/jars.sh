# shellcheck shell=bash
# The project's jars for the guest: the conformance kit, the command line and what they need.

JAR_DIRECTORIES=("$REPO"/tools/cli/target{,/lib} "$REPO"/hw-tests/target{,/lib})

# shellcheck source=../../kit.sh
source "$REPO/hw-tests/kit.sh"

# The launcher builds the command line by itself, so that the emulator then starts at once.
ensure_jars() {
    "$REPO/tools/ringside" --version >/dev/null ||
        die "tools/ringside does not start" "see its messages above" 1
    ensure_kit_jars
}

# ensure_kit_jars: those of hw-tests alone
ensure_kit_jars() {
    ensure_kit "$REPO" "$("$REPO/tools/ringside" --jdk)" ||
        die "the conformance kit does not build" "see Maven's messages above" 1
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
