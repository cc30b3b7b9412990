package org.ringside.roce.port;

import java.nio.ByteBuffer;
import java.util.function.LongConsumer;
import org.ringside.roce.Link;
import org.ringside.roce.Transport;
import org.ringside.roce.packet.Ethernet;
import org.ringside.roce.packet.Flow;
import org.ringside.roce.packet.Frame;
import org.ringside.roce.packet.Ip;
import org.ringside.roce.packet.Udp;
import org.ringside.verbs.AddressVector;
import org.ringside.verbs.Gid;

/**
 * An Ethernet port with IP addresses: answers for them, finds the MACs of others, and hands RoCEv2
 * to the transport. One thread, the agent's.
 */
public final class Port {
    /** Passed by {@link #resolve} when nobody answers for an address. */
    public static final long NOBODY = Neighbours.NOBODY;

    private static final int FRAGMENT_BITS = 0x3fff;
    private static final int HOP_LIMIT = 64;

    private final PortAddresses addresses;
    private final Link link;
    private final Transport transport;
    private final Neighbours neighbours = new Neighbours();

    public Port(PortAddresses addresses, Link link, Transport transport) {
        this.addresses = addresses;
        this.link = link;
        this.transport = transport;
    }

    public PortAddresses addresses() {
        return addresses;
    }

    public Transport transport() {
        return transport;
    }

    /**
     * Finds the MAC of an address on this network.
     *
     * @param then gets it, at once or within three seconds, or {@link #NOBODY}
     */
    public void resolve(Gid address, long now, LongConsumer then) {
        neighbours.resolve(address, now, then);
    }

    /** The headers of a connection from one of our addresses. */
    public Flow flow(int gidIndex, Gid to, long toMac, int localQp, int remoteQp) {
        return flow(
                new AddressVector(0, to, gidIndex, null, 0, 0, 0, HOP_LIMIT),
                toMac,
                localQp,
                remoteQp);
    }

    /** The headers of a path to a MAC. */
    public Flow flow(AddressVector path, long toMac, int localQp, int remoteQp) {
        return new Flow(
                addresses.mac(),
                toMac,
                Ethernet.NO_VLAN,
                addresses.gid(path.sourceGidIndex()),
                path.destinationGid(),
                path.trafficClass(),
                path.hopLimit(),
                path.flowLabel(),
                Udp.sourcePort(path.flowLabel(), localQp, remoteQp));
    }

    /** Does what is due; see {@link Transport#poll}. */
    public int poll(long now) {
        if (!neighbours.isIdle()) {
            neighbours.poll(now, this::ask);
        }
        return transport.poll(now);
    }

    private void ask(Gid address) {
        Frame frame = link.acquire();
        if (frame == null) {
            return; // It is asked again.
        }
        Gid source = addresses.sourceFor(address);
        if (address.isIpv4Mapped()) {
            Arp.write(
                    frame,
                    Arp.REQUEST,
                    addresses.mac(),
                    (int) source.low(),
                    0,
                    (int) address.low());
        } else {
            NeighbourDiscovery.solicit(frame, addresses.mac(), source, address);
        }
        link.transmit(frame);
    }

    /** Takes a frame from the wire; it is the caller's again afterwards. */
    public void receive(Frame frame, long now) {
        if (transport.receive(frame, now) || frame.length() < Ethernet.SIZE + Ethernet.TAG_SIZE) {
            return;
        }
        int at = Ethernet.size(frame.bytes());
        switch (Ethernet.etherType(frame.bytes())) {
            case Ethernet.ARP -> arp(frame, at);
            case Ethernet.IPV4 -> ipv4(frame, at);
            case Ethernet.IPV6 -> ipv6(frame, at);
            default -> {}
        }
    }

    private static Gid mapped(int address) {
        return new Gid(0, 0xffff_0000_0000L | Integer.toUnsignedLong(address));
    }

    private void arp(Frame frame, int at) {
        if (!Arp.isValid(frame, at)) {
            return;
        }
        Gid target = mapped(Arp.targetIp(frame, at));
        if (!addresses.has(target.high(), target.low())) {
            return;
        }
        int senderIp = Arp.senderIp(frame, at);
        long senderMac = Arp.senderMac(frame, at);
        if (senderIp != 0) {
            neighbours.learn(mapped(senderIp), senderMac);
        }
        Frame reply = Arp.operation(frame, at) == Arp.REQUEST ? link.acquire() : null;
        if (reply != null) {
            Arp.write(reply, Arp.REPLY, addresses.mac(), (int) target.low(), senderMac, senderIp);
            link.transmit(reply);
        }
    }

    private void ipv4(Frame frame, int ip) {
        ByteBuffer bytes = frame.bytes();
        int icmp = ip + Ip.V4_SIZE;
        if (frame.length() < icmp + Icmp.HEADER
                || bytes.get(ip) != Ip.V4_VERSION_IHL
                || bytes.get(ip + Ip.V4_PROTOCOL) != Ip.ICMP
                || (bytes.getShort(ip + Ip.V4_FRAGMENT) & FRAGMENT_BITS) != 0
                || bytes.get(icmp) != Icmp.ECHO_REQUEST) {
            return;
        }
        Gid target = mapped(bytes.getInt(ip + Ip.V4_DESTINATION));
        int length = (bytes.getShort(ip + Ip.V4_LENGTH) & 0xffff) - Ip.V4_SIZE;
        if (!addresses.has(target.high(), target.low())
                || length < Icmp.HEADER
                || icmp + length > frame.length()) {
            return;
        }
        Frame reply = link.acquire();
        if (reply != null) {
            Icmp.echoV4(reply, frame, ip, length);
            link.transmit(reply);
        }
    }

    private void ipv6(Frame frame, int ip) {
        ByteBuffer bytes = frame.bytes();
        int icmp = ip + Ip.V6_SIZE;
        if (frame.length() < icmp + Icmp.HEADER || bytes.get(ip + Ip.V6_NEXT) != Ip.ICMPV6) {
            return;
        }
        int length = bytes.getShort(ip + Ip.V6_LENGTH) & 0xffff;
        if (length < Icmp.HEADER || icmp + length > frame.length()) {
            return;
        }
        Gid source =
                new Gid(bytes.getLong(ip + Ip.V6_SOURCE), bytes.getLong(ip + Ip.V6_SOURCE + 8));
        switch (bytes.get(icmp) & 0xff) {
            case NeighbourDiscovery.SOLICITATION -> solicited(frame, ip, icmp, source);
            case NeighbourDiscovery.ADVERTISEMENT -> {
                if (NeighbourDiscovery.isValid(frame, ip, icmp)) {
                    neighbours.learn(
                            NeighbourDiscovery.target(frame, icmp), Ethernet.source(bytes));
                }
            }
            case Icmp.ECHO_REQUEST_V6 -> echoV6(frame, ip, length);
            default -> {}
        }
    }

    private void solicited(Frame frame, int ip, int icmp, Gid source) {
        if (!NeighbourDiscovery.isValid(frame, ip, icmp)) {
            return;
        }
        Gid target = NeighbourDiscovery.target(frame, icmp);
        if (!addresses.has(target.high(), target.low()) || source.equals(Gid.NONE)) {
            return; // For others, or only a probe whether the address is taken.
        }
        long senderMac = Ethernet.source(frame.bytes());
        neighbours.learn(source, senderMac);
        Frame reply = link.acquire();
        if (reply != null) {
            NeighbourDiscovery.advertise(reply, addresses.mac(), senderMac, target, source);
            link.transmit(reply);
        }
    }

    private void echoV6(Frame frame, int ip, int length) {
        ByteBuffer bytes = frame.bytes();
        long high = bytes.getLong(ip + Ip.V6_DESTINATION);
        long low = bytes.getLong(ip + Ip.V6_DESTINATION + 8);
        Frame reply = addresses.has(high, low) ? link.acquire() : null;
        if (reply != null) {
            Icmp.echoV6(reply, frame, ip, length);
            link.transmit(reply);
        }
    }
}
