# shellcheck shell=bash
# Debian's packages: from which mirror, and how to work inside a root made of them.

# The mirror the host's own apt uses for its main archive.
# RINGSIDE_DEBIAN_MIRROR replaces it, e.g. on a host that is no Debian.
debian_mirror() {
    local mirror
    if [[ -n ${RINGSIDE_DEBIAN_MIRROR:-} ]]; then
        echo "$RINGSIDE_DEBIAN_MIRROR"
        return
    fi
    mirror=$(
        # shellcheck disable=SC1091
        source /etc/os-release
        # shellcheck disable=SC2016
        apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Component: main' \
            'Origin: Debian' "Codename: ${VERSION_CODENAME:-none}" 2>/dev/null | head -n 1
    ) || true
    echo "${mirror:-http://deb.debian.org/debian}"
}

# What the host's apt was told about proxies and clocks holds for the roots too.
host_apt_settings() {
    apt-config dump | grep -E '^Acquire::(https?::Proxy|Check-Valid-Until|Check-Date|Retries) ' || true
}

# use_host_proxy: debootstrap downloads with wget, which knows nothing of apt's proxy.
use_host_proxy() {
    local value=
    eval "$(apt-config shell value Acquire::http::Proxy)"
    if [[ -n $value && $value != DIRECT ]]; then
        export http_proxy=$value
    fi
}

# in_root DIR COMMAND...: mounts and processes are in namespaces of their own, so nothing is left
# mounted or running when the command ends, however it ends.
in_root() {
    local root=$1
    shift
    # shellcheck disable=SC2016
    unshare --mount --pid --fork --kill-child -- bash -euc '
        mount -t proc proc "$0/proc"
        mount -t tmpfs tmpfs "$0/tmp"
        if [[ -d /etc/ssl/certs && $(cat "$0/etc/apt/sources.list") == *https:* ]]; then
            mkdir -p "$0/etc/ssl/certs"
            mount --bind -o ro /etc/ssl/certs "$0/etc/ssl/certs"
        fi
        exec chroot "$0" /usr/bin/env -i HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
            INITRD=No PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"' "$root" "$@"
}

# copy_base DIR: a private copy of the debootstrapped root, with the host's name resolution.
copy_base() {
    cp -a --reflink=auto "$CACHE/base/root" "$1"
    cp -L /etc/resolv.conf /etc/hosts "$1/etc/"
}

# add_suite ROOT SUITE: packages of another suite of the same mirror, for those who ask by -t.
add_suite() {
    sed "s/^deb \(.*\) [^ ]* main$/deb \1 $2 main/" "$1/etc/apt/sources.list" >"$1/etc/apt/sources.list.d/$2.list"
}

# install_packages ROOT OPTION-OR-PACKAGE...
install_packages() {
    local root=$1
    shift
    in_root "$root" apt-get -q update
    in_root "$root" apt-get -q -y --no-install-recommends install "$@"
    in_root "$root" apt-get clean
}
