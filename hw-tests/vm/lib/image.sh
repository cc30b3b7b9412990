# shellcheck shell=bash
# ext4 images made from directories without mounting anything.

# make_image FILE DIR SLACK_MIB [MKFS_OPTION...]: DIR's content plus room to write.
make_image() {
    local file=$1 dir=$2 slack=$3 used
    shift 3
    used=$(du -sm --apparent-size "$dir" | cut -f1)
    truncate -s "$((used + used / 8 + slack + 8))M" "$file"
    mkfs.ext4 -q -F -m 0 -E root_owner=0:0,lazy_itable_init=1,nodiscard "$@" -d "$dir" "$file"
}

# extract_image FILE DIR: after an unclean end too; then the journal is replayed first.
extract_image() {
    e2fsck -p "$1" >/dev/null 2>&1 || e2fsck -y "$1" >/dev/null 2>&1 || true
    debugfs -R "rdump / $2" "$1" 2>/dev/null
    rm -rf "$2/lost+found"
}
