# shellcheck shell=bash
# PCI functions in the guest and their way to vfio-pci.

readonly PCI=/sys/bus/pci

# functions_of VENDOR [DEVICE]: addresses of the functions with these hexadecimal ids.
functions_of() {
    local dir
    for dir in "$PCI"/devices/*; do
        if [[ $(<"$dir/vendor") == "0x$1" && $(<"$dir/device") == "0x${2:-}"* ]]; then
            basename "$dir"
        fi
    done
}

driver_of() { [[ -e $PCI/devices/$1/driver ]] && basename "$(readlink "$PCI/devices/$1/driver")"; }

group_of() { basename "$(readlink "$PCI/devices/$1/iommu_group")"; }

# bind_vfio BDF: by driver_override, which touches this function alone; new_id would capture its siblings.
bind_vfio() {
    local bdf=$1 dir=$PCI/devices/$1
    modprobe vfio-pci
    echo vfio-pci >"$dir/driver_override"
    if [[ -e $dir/driver ]]; then
        echo "$bdf" >"$dir/driver/unbind"
    fi
    # drivers_probe reports success even when nothing was bound: the link tells.
    echo "$bdf" >"$PCI/drivers_probe"
    [[ $(driver_of "$bdf") == vfio-pci ]] || fail "$bdf is bound to $(driver_of "$bdf" || echo nothing), not to vfio-pci"
    [[ -c /dev/vfio/$(group_of "$bdf") ]] || fail "$bdf: no /dev/vfio/$(group_of "$bdf")"
}

# show_vfio BDF: what the kernel tells of the function before anybody opens it.
show_vfio() {
    local bdf=$1 group cap
    group=$(group_of "$bdf")
    lspci -nnk -s "$bdf"
    echo "IOMMU group $group, node $(stat -c '%n %A' "/dev/vfio/$group"), members:" \
        "$(ls "/sys/kernel/iommu_groups/$group/devices")"
    echo "group type: $(<"/sys/kernel/iommu_groups/$group/type")"
    echo "reserved regions (first, last, type):"
    sed 's/^/  /' "/sys/kernel/iommu_groups/$group/reserved_regions"
    cap=$(cat /sys/class/iommu/dmar*/intel-iommu/cap | head -n 1)
    echo "IOMMU address width: $((((0x$cap >> 16) & 0x3f) + 1)) bits"
    echo "reset methods: $(cat "$PCI/devices/$bdf/reset_method" 2>/dev/null || echo none)"
}
