# shellcheck shell=bash
# What a scenario leaves for the host.

step() { printf '\n== %s\n' "$*"; }

# figure NAME VALUE: the host prints all figures last.
figure() { printf '%-44s %s\n' "$1" "$2" | tee -a "$RESULTS/figures"; }

fail() {
    echo "guest: $*" >&2
    exit 1
}

# seconds COMMAND...: its wall time; its output goes to the error stream.
seconds() {
    local started=$EPOCHREALTIME
    "$@" >&2 || return
    awk -v a="$started" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f\n", b - a }'
}

# is_alive PID: has not ended. Not by `kill -0`, which says so of a zombie too: bash's `read -t` can leave SIGCHLD blocked, and then
# bash does not collect its children before it waits for them.
is_alive() {
    local stat
    { read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 1
    [[ ${stat##*) } != [ZX]* ]]
}

# pause SECONDS: without a process of its own
exec {NEVER_READABLE}<>/run/never
pause() { read -r -t "$1" -u "$NEVER_READABLE" || true; }
