# shellcheck shell=bash
# What QEMU boots, from a root that a kernel is installed in: vmlinuz, and an initramfs of a static busybox and the
# modules that reach the root disk. Debian's own initrd takes three times as long to get there.

readonly BOOT_MODULES="virtio_pci virtio_blk ext4"

# release_in ROOT: the newest kernel there
release_in() {
    local releases=("$1"/lib/modules/*)
    basename "${releases[-1]}"
}

# boot_inputs: what the files depend on beside the root
boot_inputs() { cat "$VM/lib/kernel.sh" "$VM/guest/initramfs-init" && sha256sum "$(command -v busybox)"; }

# module_files ROOT RELEASE: paths of the modules in loading order, each once; built-in ones have none.
module_files() {
    local module
    for module in $BOOT_MODULES; do
        in_root "$1" modprobe -S "$2" --show-depends "$module"
    done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }'
}

# make_boot_files ROOT DIR: DIR/vmlinuz and DIR/initramfs
make_boot_files() {
    local root=$1 dir=$2 release file name
    local tree=$2/tree
    release=$(release_in "$root")
    mkdir -p "$tree"/{bin,dev,modules,newroot,proc,sys}
    cp "$(command -v busybox)" "$tree/bin/busybox"
    for file in $(module_files "$root" "$release"); do
        name=$(basename "$file")
        name=${name%%.ko*}
        case $file in
            *.ko.xz) xz -dc "$root/$file" ;;
            *.ko) cat "$root/$file" ;;
            *) die "module $file is packed in an unknown way" "teach lib/kernel.sh to unpack it" ;;
        esac >"$tree/modules/$name.ko"
        echo "$name" >>"$tree/modules/order"
    done
    install -m 755 "$VM/guest/initramfs-init" "$tree/init"
    (cd "$tree" && find . -print0 | cpio --null --quiet -o -H newc) >"$dir/initramfs"
    cp -L "$root/boot/vmlinuz-$release" "$dir/vmlinuz"
    rm -rf "$tree"
}
