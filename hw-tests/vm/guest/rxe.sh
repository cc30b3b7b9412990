# shellcheck shell=bash
# The kernel's soft RoCE in the guest, and rdma-core's pingpong programs on it.

# netdev_of MAC: the network device with that address
netdev_of() {
    local file
    for file in /sys/class/net/*/address; do
        if [[ $(<"$file") == "$1" ]]; then
            basename "$(dirname "$file")"
        fi
    done
}

# start_wire ADDRESS: WIRE is the network device with the MAC address WIRE_MAC, up.
start_wire() {
    modprobe virtio_net
    WIRE=$(netdev_of "$WIRE_MAC")
    [[ -n $WIRE ]] || fail "no network device $WIRE_MAC: $(ip -br link)"
    ip addr add "$1" dev "$WIRE"
    ip link set "$WIRE" up
}

# add_rxe: rxe0 on the wire
add_rxe() {
    modprobe rdma_rxe
    modprobe ib_uverbs
    rdma link add rxe0 type rxe netdev "$WIRE"
    ibv_devinfo -d rxe0 -v | grep -E 'hca_id|state|active_mtu|GID'
}

# start_lone_rxe ADDRESS: rxe0 on one end of a cable whose other end is in the guest too; it talks to itself.
start_lone_rxe() {
    ip link add wire0 type veth peer name wire1
    ip link set wire1 up
    WIRE=wire0
    ip addr add "$1/24" dev "$WIRE"
    ip link set "$WIRE" up
    add_rxe
    await 10 gid_index "$1" >/dev/null || fail "rxe0 has no GID of $1"
}

# gid_index ADDRESS [DEVICE]: where the port of rxe0, or another, has the GID of an IPv4 address. The link-local one may come first, or twice.
gid_index() {
    local gid file
    # shellcheck disable=SC2046 # four numbers
    gid=$(printf '0000:0000:0000:0000:0000:ffff:%02x%02x:%02x%02x' $(tr . ' ' <<<"$1"))
    for file in "/sys/class/infiniband/${2:-rxe0}/ports/1/gids"/*; do
        if [[ $(<"$file") == "$gid" ]]; then
            basename "$file"
            return
        fi
    done
    return 1
}

# link_local_index: where the port of rxe0 has the GID made of its MAC
link_local_index() {
    local file
    for file in /sys/class/infiniband/rxe0/ports/1/gids/*; do
        if [[ $(<"$file") == fe80:* ]]; then
            basename "$file"
            return
        fi
    done
    return 1
}

# start_rxe: rxe0 on the wire, its index of GUEST_ADDRESS is GID_INDEX; the other NIC reaches the host's TCP as 10.0.2.2. Addresses are in the settings.
start_rxe() {
    local lan
    start_wire "$GUEST_ADDRESS/24"
    lan=$(netdev_of "$LAN_MAC")
    [[ -n $lan ]] || fail "no network device $LAN_MAC: $(ip -br link)"
    ip link set lo up
    ip addr add 10.0.2.15/24 dev "$lan"
    ip link set "$lan" up
    add_rxe
    await 10 gid_index "$GUEST_ADDRESS" >/dev/null || fail "rxe0 has no GID of $GUEST_ADDRESS"
    GID_INDEX=$(gid_index "$GUEST_ADDRESS")
}

# impair NETEM-ARGUMENT...: of what the guest sends from now on
impair() {
    modprobe sch_netem
    tc qdisc add dev "$WIRE" root netem "$@"
}

show_impairment() { tc -s qdisc show dev "$WIRE"; }

readonly STOCK_SECONDS=300

# stock_pingpong SERVICE ITERATIONS SIZE PORT [SERVER]: in the guest; a server without SERVER
stock_pingpong() {
    local service=$1 iterations=$2 size=$3 port=$4 log role
    shift 4
    role=server
    [[ -z ${1:-} ]] || role=client
    log=$RESULTS/ibv_${service}_pingpong-$role-$size.log
    timeout "$STOCK_SECONDS" "ibv_${service}_pingpong" -d rxe0 -g "$GID_INDEX" -n "$iterations" -s "$size" -p "$port" "$@" \
        >"$log" 2>&1 || { cat "$log" && rdma statistic show link rxe0 && fail "ibv_${service}_pingpong ended with status $?"; }
    cat "$log"
    figure "ibv_${service}_pingpong $size B as $role, us/iteration" \
        "$(sed -n 's/.* iters in .* seconds = \([0-9.]*\) usec.*/\1/p' "$log")"
}

# run_stock_pingpongs ITERATIONS RUNS: as start_pingpong_peer on the host
run_stock_pingpongs() {
    local pair i=0
    for pair in $2; do
        step "ibv_${pair%:*}_pingpong, client, ${pair#*:} B"
        stock_pingpong "${pair%:*}" "$1" "${pair#*:}" "${PEER_PORTS[i]}" 10.0.2.2
        ((i++)) || true
    done
    for pair in $2; do
        step "ibv_${pair%:*}_pingpong, server, ${pair#*:} B"
        stock_pingpong "${pair%:*}" "$1" "${pair#*:}" "${PEER_PORTS[i]}"
        ((i++)) || true
    done
    rdma statistic show link rxe0
}
