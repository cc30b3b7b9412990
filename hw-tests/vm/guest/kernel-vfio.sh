# shellcheck shell=bash
# The emulated ConnectX through the kernel's VFIO: the parts of the vfio-kernel scenarios.

CONNECTX=(15b3) # vendor, and device if only that one

# expect_interrupts NAME: of the sample taken with that name
expect_interrupts() {
    local file=$RESULTS/$1.interrupts count
    count=$(interrupts_arrived "$file")
    cat "$file"
    ((count > 0)) || fail "$1: no interrupt of vfio-pci arrived"
    figure "$1: interrupts" "$count"
}

# attach_connectx: DEVICE is its name for Ringside.
attach_connectx() {
    local bdf
    step "bind to vfio-pci"
    bdf=$(functions_of "${CONNECTX[@]}" | head -n 1)
    [[ -n $bdf ]] || fail "no function ${CONNECTX[*]}: $(lspci -nn)"
    bind_vfio "$bdf"
    show_vfio "$bdf"
    DEVICE=vfio/$bdf
}

show_iommu_faults() {
    step "IOMMU faults"
    dmesg | grep 'DMAR:.*fault' | tail -n 10 || true
    figure "IOMMU faults" "$(dmesg | grep -c 'DMAR:.*fault' || true)"
}

kernel_vfio() {
    local iterations=10000 rounds=10
    if [[ -n $QUICK ]]; then
        iterations=1000 rounds=3
    fi
    attach_connectx
    step "conformance kit on $DEVICE"
    run_kit "$DEVICE"
    expect_interrupts kit
    step "pingpong on $DEVICE"
    pingpong_all "$DEVICE" "$iterations"
    expect_interrupts pingpong-send
    step "kill -9 in mid-traffic"
    survive_kills "$DEVICE" "$rounds"
    show_iommu_faults
}
