# shellcheck shell=bash
# ensure_kit ROOT JDK: the jar of hw-tests, and beside it what it needs, built where it is missing or older than the sources.

kit_is_current() {
    local jars=("$1"/hw-tests/target/ringside-hw-tests-*.jar)
    [[ -f ${jars[0]} ]] || return
    [[ -z $(find "$1" \( -path '*/src/main/*' -o -name pom.xml \) -newer "${jars[0]}" -type f -print -quit) ]]
}

ensure_kit() {
    if kit_is_current "$1"; then
        return
    fi
    echo "ringside: hw-tests are not built or older than the sources: mvn package" >&2
    (cd "$1" && JAVA_HOME=$2 mvn -q -B -ntp -Dmaven.test.skip=true -Dspotless.check.skip=true -pl hw-tests -am package) >&2 || {
        echo "ringside: hw-tests do not build; see Maven's messages above" >&2
        return 1
    }
    # Maven leaves a jar as it is when only those beside it have changed.
    touch "$1"/hw-tests/target/ringside-hw-tests-*.jar
}
