# shellcheck shell=bash
# Where prepared things live, and how one stage's result gets there.
#
# $CACHE/STAGE/      the result of a stage; complete whenever it exists
# $CACHE/STAGE/key   hash of everything the result was made from
# $CACHE/.new.*      a build under way; left by an interrupted one, removed by the next
#
# A stage is a file stages/STAGE that defines `needs` (prints the stages it reads), `inputs` (prints what
# else the result depends on) and `build DIR`.

CACHE=${RINGSIDE_VM_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/ringside-vm}

declare -A STAGE_KEY=()

# run_stage FUNCTION STAGE [ARG...]: in a shell of its own, so that `set -e` holds throughout.
run_stage() { bash "$VM/lib/stage-exec" "$@"; }

# Keys chain: a stage is rebuilt when a stage that it needs is.
stage_key() {
    local name=$1 need text
    text=$(cat "$VM/stages/$name" && run_stage inputs "$name") || return
    for need in $(run_stage needs "$name"); do
        text+=" ${STAGE_KEY[$need]}"
    done
    sha256sum <<<"$text" | cut -d' ' -f1
}

is_current() { [[ -f $CACHE/$1/key && $(<"$CACHE/$1/key") == "$2" ]]; }

# ensure_stage STAGE: builds it unless its key says that it is up to date.
ensure_stage() {
    local name=$1 key new old started=$SECONDS
    key=$(stage_key "$name") || die "stage $name: its inputs cannot be read" "see the message above"
    STAGE_KEY[$name]=$key
    if is_current "$name" "$key"; then
        return
    fi
    ensure_space
    say "stage $name: building"
    new=$(mktemp -d "$CACHE/.new.$name.XXXXXX")
    chmod 755 "$new"
    run_stage build "$name" "$new" >"$CACHE/$name.log" 2>&1 || {
        tail -n 15 "$CACHE/$name.log" >&2
        die "stage $name failed; the end of $CACHE/$name.log is above" \
            "remove the cause and run hw-tests/vm/prepare again: finished stages are kept"
    }
    echo "$key" >"$new/key"
    old=$(mktemp -d "$CACHE/.old.XXXXXX")
    if [[ -e $CACHE/$name ]]; then
        mv "$CACHE/$name" "$old/"
    fi
    mv "$new" "$CACHE/$name"
    rm -rf --one-file-system "$old"
    say "stage $name: done in $((SECONDS - started)) s"
}

remove_leftovers() { rm -rf --one-file-system "$CACHE"/.new.* "$CACHE"/.old.*; }
