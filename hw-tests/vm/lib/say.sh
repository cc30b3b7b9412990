# shellcheck shell=bash
# What the rig tells its user. A failure says what failed, why, and the cure.

# shellcheck disable=SC2034 # for those who source this
readonly EXIT_USAGE=2 EXIT_LACKING=3

say() { printf '[vm] %s\n' "$*" >&2; }

# die WHAT CURE [STATUS]
die() {
    printf '[vm] error: %s\n' "$1" >&2
    printf '[vm]  cure: %s\n' "$2" >&2
    exit "${3:-$EXIT_LACKING}"
}
