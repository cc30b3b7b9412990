# shellcheck shell=bash
# What the host must have; what can be installed is installed.

# command:package, as named by Debian
readonly HOST_COMMANDS="debootstrap:debootstrap mkfs.ext4:e2fsprogs debugfs:e2fsprogs busybox:busybox-static
    cpio:cpio xz:xz-utils wget:wget flock:util-linux unshare:util-linux truncate:coreutils cc:gcc"

# file:package; with them and a compiler a test holds our layouts of libibverbs' structures against its headers
readonly HOST_FILES="/usr/include/stdio.h:libc6-dev /usr/include/infiniband/verbs.h:libibverbs-dev"
readonly NEEDED_MIB=4096

missing_packages() {
    local pair
    for pair in $HOST_COMMANDS; do
        command -v "${pair%%:*}" >/dev/null || echo "${pair##*:}"
    done | sort -u
    for pair in $HOST_FILES; do
        [[ -e ${pair%%:*} ]] || echo "${pair##*:}"
    done
    if command -v busybox >/dev/null && ! busybox_is_static; then
        echo busybox-static
    fi
}

# Dynamic busybox has no place in an initramfs that has no libraries.
busybox_is_static() { ! ldd "$(command -v busybox)" >/dev/null 2>&1; }

ensure_root() {
    if ((EUID != 0)); then
        die "not root (uid $EUID): debootstrap and chroot need it" "sudo $0"
    fi
    if ! unshare --mount --pid --fork true 2>/dev/null; then
        die "this root cannot make mount namespaces (unshare: EPERM), as in an unprivileged container" \
            "give the container CAP_SYS_ADMIN (docker run --privileged), or use a machine"
    fi
}

ensure_host_packages() {
    local missing
    mapfile -t missing < <(missing_packages)
    if ((${#missing[@]} == 0)); then
        return
    fi
    command -v apt-get >/dev/null || die "the host lacks ${missing[*]} and has no apt-get" \
        "install what gives these commands, then run this again"
    say "host packages: installing ${missing[*]}"
    { apt-get -q update && apt-get -q -y --no-install-recommends install "${missing[@]}"; } \
        >"$CACHE/host-packages.log" 2>&1 || {
        tail -n 5 "$CACHE/host-packages.log" >&2
        die "apt-get could not install ${missing[*]} (end of $CACHE/host-packages.log above)" \
            "check the network and /etc/apt, then: apt-get update && apt-get install ${missing[*]}"
    }
}

# Asked only when something must be built: a finished cache needs no more.
ensure_space() {
    local free
    free=$(df -Pm "$CACHE" | awk 'NR == 2 { print $4 }')
    if ((free < NEEDED_MIB)); then
        die "$CACHE has $free MiB free, a full build takes up to $NEEDED_MIB MiB" \
            "free space there, or put the cache elsewhere: RINGSIDE_VM_CACHE=/other/disk $0"
    fi
}
