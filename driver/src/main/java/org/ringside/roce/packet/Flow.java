package org.ringside.roce.packet;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.ringside.verbs.Gid;

/**
 * The headers that all packets from one source to one destination share: Ethernet, IP and UDP, made
 * once and copied into each frame. What differs by packet is lengths, the IPv4 identification and
 * its checksum.
 *
 * <p>Addresses are of one family: both IPv4-mapped, or neither. UDP checksums are 0, which IPv6
 * allows tunnels and RoCEv2 uses: the ICRC covers the data.
 */
public final class Flow {
    private static final int MAX_SIZE = Ethernet.SIZE + Ethernet.TAG_SIZE + Ip.V6_SIZE + Udp.SIZE;

    private final MemorySegment template = Arena.ofAuto().allocate(MAX_SIZE, 8);
    private final Gid source;
    private final Gid destination;
    private final long destinationMac;
    private final int vlan;
    private final boolean v6;
    private final int ip;
    private final int bth;
    private final long checksumSoFar;
    private int identification;

    /**
     * @param sourceMac low 48 bits
     * @param destinationMac low 48 bits
     * @param vlan 802.1Q tag, or {@link Ethernet#NO_VLAN}
     * @param trafficClass DSCP and ECN
     * @param hopLimit time to live, 64 on most networks
     * @param flowLabel of IPv6, 20 bits
     * @param sourcePort see {@link Udp#sourcePort(int, int, int)}
     */
    public Flow(
            long sourceMac,
            long destinationMac,
            int vlan,
            Gid source,
            Gid destination,
            int trafficClass,
            int hopLimit,
            int flowLabel,
            int sourcePort) {
        if (source.isIpv4Mapped() != destination.isIpv4Mapped()) {
            throw new IllegalArgumentException(
                    "%s and %s are of two families; choose a source GID index of the other's"
                            .formatted(source, destination));
        }
        this.source = source;
        this.destination = destination;
        this.destinationMac = destinationMac;
        this.vlan = vlan;
        v6 = !source.isIpv4Mapped();
        ByteBuffer bytes = template.asByteBuffer();
        ip =
                Ethernet.write(
                        bytes, destinationMac, sourceMac, vlan, v6 ? Ethernet.IPV6 : Ethernet.IPV4);
        int udp = ip + (v6 ? Ip.V6_SIZE : Ip.V4_SIZE);
        bth = udp + Udp.SIZE;
        if (v6) {
            bytes.putInt(ip, 6 << 28 | (trafficClass & 0xff) << 20 | flowLabel & 0xf_ffff);
            bytes.put(ip + Ip.V6_NEXT, (byte) Ip.UDP);
            bytes.put(ip + Ip.V6_HOP_LIMIT, (byte) hopLimit);
            bytes.putLong(ip + Ip.V6_SOURCE, source.high());
            bytes.putLong(ip + Ip.V6_SOURCE + 8, source.low());
            bytes.putLong(ip + Ip.V6_DESTINATION, destination.high());
            bytes.putLong(ip + Ip.V6_DESTINATION + 8, destination.low());
            checksumSoFar = 0;
        } else {
            bytes.put(ip, (byte) Ip.V4_VERSION_IHL);
            bytes.put(ip + Ip.V4_TOS, (byte) trafficClass);
            bytes.putShort(ip + Ip.V4_FRAGMENT, (short) Ip.DONT_FRAGMENT);
            bytes.put(ip + Ip.V4_TTL, (byte) hopLimit);
            bytes.put(ip + Ip.V4_PROTOCOL, (byte) Ip.UDP);
            bytes.putInt(ip + Ip.V4_SOURCE, (int) source.low());
            bytes.putInt(ip + Ip.V4_DESTINATION, (int) destination.low());
            checksumSoFar = Ip.sum(bytes, ip, Ip.V4_SIZE);
        }
        bytes.putShort(udp, (short) sourcePort);
        bytes.putShort(udp + 2, (short) Udp.ROCE_PORT);
    }

    public Gid source() {
        return source;
    }

    public Gid destination() {
        return destination;
    }

    public long destinationMac() {
        return destinationMac;
    }

    /** VLAN id, or {@link Ethernet#NO_VLAN}. */
    public int vlan() {
        return vlan == Ethernet.NO_VLAN ? vlan : vlan & 0xfff;
    }

    int ip() {
        return ip;
    }

    /** Number of the next IPv4 packet; for tests that compare with captured ones. */
    void identification(int next) {
        identification = next;
    }

    /** Offset of the BTH in this flow's frames. */
    int bth() {
        return bth;
    }

    /** Writes the headers of a packet whose ICRC ends the frame at {@code end}. */
    void write(Frame frame, int end) {
        MemorySegment.copy(template, 0, frame.memory(), 0, bth);
        ByteBuffer bytes = frame.bytes();
        int udpLength = end - bth + Udp.SIZE;
        bytes.putShort(bth - Udp.SIZE + Udp.LENGTH, (short) udpLength);
        if (v6) {
            bytes.putShort(ip + Ip.V6_LENGTH, (short) udpLength);
            return;
        }
        int total = end - ip;
        int id = identification++ & 0xffff;
        bytes.putShort(ip + Ip.V4_LENGTH, (short) total);
        bytes.putShort(ip + Ip.V4_ID, (short) id);
        bytes.putShort(ip + Ip.V4_CHECKSUM, Ip.fold(checksumSoFar + total + id));
    }

    @Override
    public String toString() {
        return "%s -> %s (%s)".formatted(source, destination, Ethernet.text(destinationMac));
    }
}
