# shellcheck shell=bash
# The RoCE peer as a process of its own, on the other end of a guest's NIC, and a NIC beside it for TCP.

readonly WIRE_MAC=52:54:00:00:01:02 LAN_MAC=52:54:00:00:01:03
readonly PEER_SECONDS=60

# shellcheck disable=SC2034 # for those who source this
readonly PEER_ADDRESS=10.77.0.1 GUEST_ADDRESS=10.77.0.2

# The ports of this run on the host; others may be running scenarios too.
free_ports() {
    local port=$((20000 + RANDOM % 10000)) count=$1
    while ((count > 0)); do
        if ! grep -qi ":$(printf %04x "$port") " /proc/net/tcp /proc/net/tcp6; then
            echo "$port"
            ((count--)) || true
        fi
        ((port++)) || true
    done
}

# set_interop CLASS ARGUMENT...: INTEROP=(...) starts it; an array, so that in the background it is the JVM itself
set_interop() {
    local class=$1
    shift
    INTEROP=("$("$REPO/tools/ringside" --jdk)/bin/java" -Xlog:disable -XX:+UseSerialGC -cp
        "$REPO/hw-tests/target/*:$REPO/hw-tests/target/lib/*" "org.ringside.interop.$class" "$@")
}

# start_peer FORWARD CLASS ARGUMENT...: FORWARD are QEMU's hostfwd options; WIRE in an argument becomes the path of the
# wire's socket. QEMU connects once, so the peer listens first.
start_peer() {
    local socket=$RUN/wire.sock log=$REPORTS/peer.log forward=$1 class=$2 waited=0
    shift 2
    ensure_kit_jars
    set_interop "$class" "${@/WIRE/$socket}"
    start_child "$log" "${INTEROP[@]}"
    PEER=$CHILD
    until is_listening "$socket"; do
        if ! is_running "$PEER" || ((waited++ >= PEER_SECONDS * 10)); then
            tail -n 15 "$log" >&2
            die "the RoCE peer does not listen on $socket; the end of its log is above" \
                "see that hw-tests is built: mvn -pl hw-tests -am package"
        fi
        sleep 0.1
    done
    QEMU_DEVICES+=(
        -netdev "stream,id=wire,server=off,addr.type=unix,addr.path=$socket"
        -device "virtio-net-pci,netdev=wire,mac=$WIRE_MAC,addr=10.0,romfile="
        -netdev "user,id=lan$forward"
        -device "virtio-net-pci,netdev=lan,mac=$LAN_MAC,addr=11.0,romfile=")
}

# capture_wire: QEMU writes what it sees on the wire, for check_capture.
capture_wire() {
    QEMU_DEVICES+=(-object "filter-dump,id=dump,netdev=wire,file=$REPORTS/wire.pcap,maxlen=65535")
}

# tell_guest SETTING...: shell assignments, beside those of each peer's guest
tell_guest() {
    printf '%s\n' "WIRE_MAC=$WIRE_MAC LAN_MAC=$LAN_MAC GUEST_ADDRESS=$GUEST_ADDRESS" "$@" >>"$RUN/payload/settings"
    make_image "$RUN/payload.img" "$RUN/payload" 0 -O ^has_journal
}

# free_udp_ports COUNT: as free_ports
free_udp_ports() {
    local port=$((30000 + RANDOM % 10000)) count=$1
    while ((count > 0)); do
        if ! grep -qi ":$(printf %04x "$port") " /proc/net/udp /proc/net/udp6; then
            echo "$port"
            ((count--)) || true
        fi
        ((port++)) || true
    done
}

# start_card_peer OURS THEIRS MESSAGES: an emulated ConnectX of ours on a wire of datagrams, whose other end is the guest's NIC: verified
# traffic, then errors, then `ringside pingpong`, listening and calling.
start_card_peer() {
    local ports udp device options
    mapfile -t ports < <(free_ports 4)
    mapfile -t udp < <(free_udp_ports 2)
    device="emulated/card?dgram=${udp[0]}:${udp[1]}"
    ensure_kit_jars
    set_interop CardPeer "$device" "${ports[0]}" "${ports[1]}" "$1" "$2" 0
    options="--device $device --iterations $3 --timeout 60"
    # shellcheck disable=SC2016 # for the child
    start_child "$REPORTS/peer.log" bash -c '
        set -e
        ringside=$1 listen=$2 call=$3 options=$4
        shift 4
        "$@"
        "$ringside" pingpong $options --listen --port "$listen"
        for attempt in {1..60}; do
            ! "$ringside" pingpong $options localhost --port "$call" || exit 0
            sleep 1
        done
        exit 1' peer "$REPO/tools/ringside" "${ports[2]}" "${ports[3]}" "$options" "${INTEROP[@]}"
    PEER=$CHILD
    QEMU_DEVICES+=(
        -netdev "dgram,id=wire,local.type=inet,local.host=127.0.0.1,local.port=${udp[1]},remote.type=inet,remote.host=127.0.0.1,remote.port=${udp[0]}"
        -device "virtio-net-pci,netdev=wire,mac=$WIRE_MAC,addr=10.0,romfile="
        -netdev "user,id=lan,hostfwd=tcp:127.0.0.1:${ports[3]}-:${ports[3]}"
        -device "virtio-net-pci,netdev=lan,mac=$LAN_MAC,addr=11.0,romfile=")
    tell_guest "EXCHANGE_PORT=${ports[0]} ERRORS_PORT=${ports[1]} LISTEN_PORT=${ports[2]} CALL_PORT=${ports[3]} MESSAGES=$3"
}

# start_pingpong_peer ITERATIONS RUNS: the peer is server of each SERVICE:SIZE, then client of each; the guest
# learns the ports from its settings.
start_pingpong_peer() {
    local iterations=$1 ports runs=() forward='' pair i=0
    mapfile -t ports < <(free_ports "$((2 * $(wc -w <<<"$2")))")
    for pair in $2; do
        runs+=("${pair%:*}:listen:${ports[i]}:${pair#*:}:$iterations")
        ((i++)) || true
    done
    for pair in $2; do
        runs+=("${pair%:*}:connect:${ports[i]}:${pair#*:}:$iterations")
        forward+=",hostfwd=tcp:127.0.0.1:${ports[i]}-:${ports[i]}"
        ((i++)) || true
    done
    start_peer "$forward" RocePeer WIRE "$PEER_ADDRESS" "$REPORTS/peer.pcapng" "${runs[@]}"
    capture_wire
    tell_guest "PEER_PORTS=(${ports[*]})"
}

# start_exchange_peer OURS THEIRS: verified traffic with the guest's exchange.py, which comes to us over the other NIC
start_exchange_peer() {
    local port
    port=$(free_ports 1)
    start_peer '' RoceExchange WIRE "$PEER_ADDRESS" "$port" "$1" "$2"
    tell_guest "EXCHANGE_PORT=$port"
}

# start_verbs_peer OURS THEIRS: the same, by verbs on a soft-RoCE device of ours
start_verbs_peer() {
    local port
    port=$(free_ports 1)
    start_peer '' VerbsExchange "soft/peer?ip=$PEER_ADDRESS&listen=WIRE" "$port" "$1" "$2" 1
    tell_guest "EXCHANGE_PORT=$port"
}

# start_error_peer: a soft-RoCE device of ours that obeys the guest's errors.py
start_error_peer() {
    local port
    port=$(free_ports 1)
    start_peer '' ErrorPeer "soft/peer?ip=$PEER_ADDRESS&listen=WIRE" "$port" 1
    tell_guest "ERRORS_PORT=$port"
}

# peer_figures: what the peer has found out
peer_figures() { sed -n 's/^figure //p' "$REPORTS/peer.log" >>"$REPORTS/figures"; }

readonly OURS_MESSAGES=1000000 OURS_DELAY_MICROSECONDS=20

# ours_to_ours LOSS DUPLICATION REORDERING: the same traffic between two ends of ours, in percent of the frames of both
ours_to_ours() {
    set_interop OursToOurs "$OURS_MESSAGES" "$@" "$OURS_DELAY_MICROSECONDS"
    "${INTEROP[@]}" >>"$REPORTS/figures" || { say "two ends of ours do not get on with each other" && return 1; }
}

# check_peer: all its runs ended well.
check_peer() {
    timeout 10 tail --pid="$PEER" -f /dev/null || true
    cat "$REPORTS/peer.log"
    if is_running "$PEER"; then
        say "the RoCE peer still waits for the guest"
        return 1
    fi
    wait "$PEER" || { say "the RoCE peer failed" && return 1; }
}

# in_tshark FILE ARGUMENT...: tshark in its root reads the file. It must not guess what payload may be: our numbers in
# it look to it like Ethernet, IP and more.
in_tshark() {
    local file=$1 root=$CACHE/tshark/root disabled=() name
    shift
    # shellcheck disable=SC2016 # for the new shell
    local inside='mount --bind "$1" "$0/mnt"; shift; exec chroot "$0" /usr/bin/tshark "$@"'
    while read -r name; do
        disabled+=(--disable-heuristic "$name")
    done < <(chroot "$root" /usr/bin/tshark -G heuristic-decodes 2>/dev/null |
        awk -F '\t' '$1 == "infiniband.payload" && $3 == "T" { print $5 }')
    unshare --mount -- bash -euc "$inside" "$root" "$(dirname "$file")" -n -r "/mnt/$(basename "$file")" \
        "${disabled[@]}" "$@" 2>/dev/null
}

# check_capture: each frame that QEMU saw on the wire is well formed to tshark, and its ICRC right to us.
check_capture() {
    local capture=$REPORTS/wire.pcap frames malformed
    frames=$(in_tshark "$capture" -Y infiniband -T fields -e frame.number | wc -l)
    # RoCEv2 leaves the checksum of UDP 0, over IPv6 too (Linux rxe_net.c, prepare_udp_hdr): the ICRC covers more.
    malformed=$(in_tshark "$capture" -Y '_ws.malformed || (_ws.expert.severity == error && !udp.checksum.zero)' -T fields -e frame.number | wc -l)
    printf '%-44s %s\n' "tshark: RoCEv2 frames" "$frames" "tshark: malformed frames" "$malformed" >>"$REPORTS/figures"
    set_interop CaptureCheck "$capture"
    "${INTEROP[@]}" >>"$REPORTS/figures" || { say "a frame has a wrong ICRC, or there is none" && return 1; }
    ((frames > 0 && malformed == 0)) || { say "tshark finds $malformed malformed of $frames RoCEv2 frames" && return 1; }
}
