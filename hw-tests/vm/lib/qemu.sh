# shellcheck shell=bash
# QEMU from the prepared root, run by that root's own loader: the host's C library plays no part.

readonly GUEST_MEMORY=2G GUEST_CPUS=2

# A loaded host runs a TCG guest in jerks: the kernel must neither panic because its timer seemed dead
# nor leave the TSC for a slow clock.
readonly TIMER_ARGS="no_timer_check tsc=reliable"

# set_qemu_command: QEMU=(...) ready for arguments.
set_qemu_command() {
    local root=$CACHE/qemu/root
    local libraries=$root/usr/lib/x86_64-linux-gnu
    export QEMU_MODULE_DIR=$libraries/qemu
    QEMU=("$root/lib64/ld-linux-x86-64.so.2" --library-path "$libraries:$libraries/pulseaudio"
        "$root/usr/bin/qemu-system-x86_64" -L "$root/usr/share/qemu" -L "$root/usr/share/seabios")
}

# add_machine ACCEL AW_BITS KERNEL_ARGS [BOOT]: BOOT is the stage whose kernel boots. RAM is a shared memfd, which the emulator maps; the vIOMMU comes
# first because it serves only devices after it; caching-mode makes the guest report new mappings.
add_machine() {
    QEMU+=(-machine "q35,kernel-irqchip=split,usb=off,sata=off,memory-backend=ram"
        -object "memory-backend-memfd,id=ram,size=$GUEST_MEMORY,share=on" -m "$GUEST_MEMORY"
        -accel "$1" -cpu max -smp "$GUEST_CPUS"
        -display none -nodefaults -no-user-config -no-reboot -serial stdio
        -kernel "$CACHE/${4:-boot}/vmlinuz" -initrd "$CACHE/${4:-boot}/initramfs"
        -append "console=ttyS0 quiet intel_iommu=on iommu=pt net.ifnames=0 panic=-1 mitigations=off nokaslr $TIMER_ARGS $3"
        -device "intel-iommu,intremap=on,caching-mode=on,aw-bits=$2")
}

# add_disk SERIAL FILE OPTION...: the guest finds a disk by its serial. No option ROM: seconds saved.
add_disk() {
    local serial=$1 file=$2
    shift 2
    QEMU+=(-drive "$(printf '%s,' "if=none,id=$serial,format=raw,file=$file" "$@" | sed 's/,$//')"
        -device "virtio-blk-pci,drive=$serial,serial=$serial,romfile=")
}
