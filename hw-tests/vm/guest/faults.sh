# shellcheck shell=bash
# Troubles of the emulated device, commanded from the guest: a line on the console, which the host relays
# (lib/faults.sh). What Linux's driver must make of each: a sick card, never a sick kernel.

# The first function, as the emulator and the guest name it
readonly PATIENT=mlx PATIENT_BDF=0000:00:10.0
readonly NOTICE_SECONDS=60 REBIND_SECONDS=90

# What a kernel says that is sick itself
readonly SICK_KERNEL='BUG:|Oops|WARNING: CPU|general protection|unable to handle|Kernel panic|blocked for more than|soft lockup|rcu_.*stall|use-after-free|refcount_t|UBSAN|DMAR:.*fault'

# What Linux may say of a card that is made sick, at level warning or worse: extended regular expressions, each with
# its argument. Beside KERNEL_MAY_SAY (mlx5.sh).
SICK_CARD_MAY_SAY=(
    # The health counter stood still at three looks, two seconds apart: what stop-health is for.
    "poll_health.*device's health compromised - reached miss count"
    # A sensor: 1 registers read all ones, 3 the interface is disabled, 5 a syndrome with the wish for a reset.
    'poll_health.*Fatal error [135] detected'
    # What firmware left in its health buffer; all ones are no buffer.
    'print_health_info.*PCI slot is unavailable'
    'print_health_info.*(Health issue observed|assert_|fw_ver|time |hw_id|rfr |severity|irisc_index|synd 0x|ext_synd)'
    # The stages of Linux's own way out, said at level error: unload, wait for the slot, load again.
    'mlx5_health_try_recover.*(handling bad device here|starting health recovery flow)'
    'mlx5_handle_bad_state.*(starting teardown|Expected to see disabled NIC)'
    'mlx5_error_sw_reset.*(start|end)$'
    # Nobody reset firmware, as the card had only fallen off the bus; 7: it reads all ones yet, 0: it is back.
    'NIC IFC still [07] after [0-9]+ms'
    'mlx5_pci_slot_reset'
    # A second fatal error so soon after a recovery (30 s on a virtual function) is not recovered from: unbind and bind.
    'mlx5_fw_fatal_reporter_err_work.*Driver is in error state. Unloading'
    # Unbinding what is in error or unloaded: pages and commands are of no more use to a card without state.
    'mlx5_wait_for_pages.*Skipping wait for vf pages stage'
    'mlx5_uninit_one.*interface is down, NOP'
    # A command whose answer, or whose event, was dropped: given up after a minute, its slot with it.
    'wait_func_handle_exec_timeout.*No done completion'
    'wait_func.*timeout. Will cause a leak of a command resource'
    # The answer came after all, which frees the slot.
    'mlx5_cmd_comp_handler.*Command completion arrived after timeout'
    # An answer of random bytes.
    'mlx5_cmd_out_err.*failed, status'
    # The same where the status happens to be good: a random MTU of the port (drivers/infiniband/hw/mlx5/main.c).
    'invalid mtu$'
)

# fault SPEC: "[FUNCTION:]KIND[=VALUE][@N]"; then time for the console, the relay and the emulator
fault() {
    printf '\nFAULT> %s\n' "$1"
    pause 1.5
}

check_kernel_is_well() {
    local sick
    sick=$(dmesg | grep -E "$SICK_KERNEL" || true)
    if [[ -n $sick ]]; then
        dmesg | grep -E -A 25 "$SICK_KERNEL" | head -n 80
        fail "the kernel is sick after $1"
    fi
}

kernel_said() { dmesg | grep -qE "$1"; }

# expect_kernel FAULT PATTERN: it noticed; what it said is the figure.
expect_kernel() {
    await "$NOTICE_SECONDS" kernel_said "$2" || {
        dmesg | tail -n 30
        fail "the kernel did not say \"$2\" within $NOTICE_SECONDS s of $1"
    }
    figure "$1: Linux said" "$(dmesg | grep -E "$2" | head -n 1 | sed -E 's/^\[[^]]*\] //')"
}

# next_fault NAME: what the kernel said till now must be well-founded; it is kept, and is not this one's.
next_fault() {
    settle_messages
    step "$1"
    FAULT=$1 CAUSED=$SECONDS
}

FAULT='load'

settle_messages() {
    check_kernel_is_well "$FAULT"
    {
        echo "==== $FAULT"
        dmesg
    } >>"$RESULTS/faults-dmesg.log"
    (
        KERNEL_MAY_SAY+=("${SICK_CARD_MAY_SAY[@]}")
        check_kernel_messages
    )
    dmesg -C
}

# Background programs
LOSERS=() TRAFFIC=()

# end_programs PID...: they may have ended, however that was
end_programs() {
    kill "$@" 2>/dev/null || true
    wait "$@" 2>/dev/null || true
}

# lose_answers: of two commands to the well function, by two programs. Linux waits a minute for each, so that this
# goes on in the background.
lose_answers() {
    fault "$PATIENT-2:drop-command"
    fault "$PATIENT-2:drop-event"
    local port
    for port in 18701 18702; do
        timeout -k 2 120 ibv_rc_pingpong -d "$WELL_DEVICE" -p "$port" >"$RESULTS/lost-answer-$port.log" 2>&1 &
        LOSERS+=("$!")
    done
}

lost_answers() { cat "$RESULTS/faults-dmesg.log" <(dmesg) | grep -cE "wait_func.*timeout" || true; }

two_answers_lost() { (($(lost_answers) >= 2)); }

# expect_lost_answers: and the function of it works
expect_lost_answers() {
    await 100 two_answers_lost || fail "Linux gave up $(lost_answers) commands, not 2"
    figure "$FAULT: Linux said" "$(cat "$RESULTS/faults-dmesg.log" <(dmesg) | grep -E "wait_func.*timeout" | head -n 1 | sed -E 's/^\[[^]]*\] //')"
    figure "$FAULT: commands given up" "$(lost_answers)"
    end_programs "${LOSERS[@]}"
}

# rebind_patient: its driver goes, sick card or not; the card is reset, and comes back.
rebind_patient() {
    local driver=$PCI/drivers/mlx5_core
    # shellcheck disable=SC2016 # for the child, which alone can be given up
    timeout "$REBIND_SECONDS" bash -c 'echo "$1" >"$0/unbind"' "$driver" "$PATIENT_BDF" || {
        dmesg | tail -n 40
        fail "mlx5_core cannot be unbound"
    }
    fault "$PATIENT:clear"
    echo 1 >"$PCI/devices/$PATIENT_BDF/reset"
    echo "$PATIENT_BDF" >"$driver/bind"
    works_again "unbind, FLR, bind"
}

# works_again HOW: both ports are active, and messages flow with verified data; the seconds are since the fault.
works_again() {
    await "$LOAD_SECONDS" has_ports 2 || {
        dmesg | tail -n 40
        fail "$(ports_active) of 2 ports are active after $FAULT"
    }
    name_devices
    pingpong_must_work "$FAULT"
    check_kernel_is_well "$FAULT"
    figure "$FAULT: works again after" "$1, $((SECONDS - CAUSED)) s"
}

# name_devices: SICK_DEVICE is the patient's RDMA device, WELL_DEVICE the other one.
name_devices() {
    local each
    for each in /sys/class/infiniband/*; do
        if [[ $(basename "$(readlink -f "$each/device")") == "$PATIENT_BDF" ]]; then
            SICK_DEVICE=$(basename "$each")
        else
            WELL_DEVICE=$(basename "$each")
        fi
    done
}

# traffic SECONDS: messages between the two in the background, whatever becomes of them, until end_traffic.
traffic() {
    timeout -k 2 "$1" ib_write_bw -F -d "$WELL_DEVICE" -p 18600 -s 1048576 -D "$1" >/dev/null 2>&1 &
    TRAFFIC=("$!")
    await 20 tool_listens 18600 || fail "ib_write_bw does not listen"
    timeout -k 2 "$1" ib_write_bw -F -d "$SICK_DEVICE" -p 18600 -s 1048576 -D "$1" localhost >/dev/null 2>&1 &
    TRAFFIC+=("$!")
    pause 2
}

end_traffic() { end_programs "${TRAFFIC[@]}"; }

# pingpong_may_fail SECONDS: its exit status is the figure
pingpong_may_fail() {
    local server status=0
    timeout -k 2 "$1" ibv_rc_pingpong -d "$WELL_DEVICE" -n 200 >/dev/null 2>&1 &
    server=$!
    await 20 tool_listens 18515 || fail "ibv_rc_pingpong does not listen"
    timeout -k 2 "$1" ibv_rc_pingpong -d "$SICK_DEVICE" -n 200 localhost >"$RESULTS/may-fail.log" 2>&1 || status=$?
    kill "$server" 2>/dev/null || true
    wait "$server" || true
    figure "$FAULT: ibv_rc_pingpong under it" "status $status, $(tail -n 1 "$RESULTS/may-fail.log")"
}

pingpong_must_work() {
    between "pingpong-$1" 18515 ibv_rc_pingpong -d "$WELL_DEVICE" -n 200 -c -- \
        ibv_rc_pingpong -d "$SICK_DEVICE" -n 200 -c localhost
}
