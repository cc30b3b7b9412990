# shellcheck shell=bash
# The JDK 25 from which the guest's Java is linked.

readonly JDK_FEATURE=25

is_jdk() { [[ -x $1/bin/jlink ]] && grep -qs "^JAVA_VERSION=\"$JDK_FEATURE" "$1/release"; }

find_jdk() {
    local home
    for home in "${RINGSIDE_JAVA_HOME:-}" "${JAVA_HOME:-}" /usr/lib/jvm/*"$JDK_FEATURE"* /opt/*jdk*"$JDK_FEATURE"*; do
        if is_jdk "$home"; then
            echo "$home"
            return
        fi
    done
    die "no JDK $JDK_FEATURE: looked at JAVA_HOME=${JAVA_HOME:-<unset>} and /usr/lib/jvm/*$JDK_FEATURE*" \
        "install a JDK $JDK_FEATURE with jlink and jmods, or set JAVA_HOME to one"
}
