# shellcheck shell=bash
# find_jdk: prints the home of a JDK 25 or newer; looks at JAVA_HOME, the usual places and the path, in this order.

is_jdk25() {
    [ -x "$1/bin/javac" ] && [ -f "$1/release" ] || return 1
    local version
    version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release")
    [ -n "$version" ] && [ "$version" -ge 25 ]
}

find_jdk() {
    local home
    for home in "${JAVA_HOME:-}" /usr/lib/jvm/* /opt/java/* /opt/jdk* "${HOME:-/root}"/.sdkman/candidates/java/* \
        "$(dirname -- "$(dirname -- "$(readlink -f -- "$(command -v javac || echo /none/bin/javac)")")")"; do
        if [ -n "$home" ] && is_jdk25 "$home"; then
            printf '%s\n' "$home"
            return 0
        fi
    done
    echo "ringside: no JDK 25 found; install one (Debian: apt-get install temurin-25-jdk or openjdk-25-jdk) or set JAVA_HOME" >&2
    return 1
}

# java_options: sets options to the words of RINGSIDE_JAVA_OPTS; quotes and backslashes in it mean what they mean to a
# shell, nothing else does.
java_options() {
    local words
    options=()
    [ -n "${RINGSIDE_JAVA_OPTS:-}" ] || return 0
    words=$(xargs -r printf '%s\n' <<<"$RINGSIDE_JAVA_OPTS" 2>/dev/null) || {
        echo "ringside: a quote in RINGSIDE_JAVA_OPTS does not end: $RINGSIDE_JAVA_OPTS" >&2
        return 1
    }
    mapfile -t options <<<"$words"
}
