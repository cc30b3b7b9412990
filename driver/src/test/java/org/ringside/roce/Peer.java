package org.ringside.roce;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.ringside.roce.memory.MemoryTable;
import org.ringside.roce.packet.Ethernet;
import org.ringside.roce.packet.Flow;
import org.ringside.roce.packet.Service;
import org.ringside.roce.packet.Udp;
import org.ringside.verbs.Gid;

/** One end of a test: a transport, a QP, 4 MiB of memory with one key for everything. */
final class Peer {
    static final int PD = 7;
    static final int QKEY = 0x11111111;
    static final int ALL =
            Memory.LOCAL_WRITE | Memory.REMOTE_READ | Memory.REMOTE_WRITE | Memory.REMOTE_ATOMIC;
    static final int BYTES = 4 << 20;

    final int number;
    final Gid gid;
    final long mac;
    final MemoryTable memory = new MemoryTable();
    final MemorySegment buffer = Arena.ofAuto().allocate(BYTES, 4096);
    final TestQueues queues = new TestQueues();
    final Transport transport;
    final RoceQp qp;
    final int key;

    Peer(int number, Service service, Link link, TransportOptions options, long now) {
        this.number = number;
        gid = Gid.parse("10.0.0." + number);
        mac = 0x5254_0000_0000L | number;
        transport = new Transport(link, memory, options, now);
        qp =
                transport.create(
                        QpOptions.of(number, service, PD).withQkey(QKEY),
                        queues,
                        queues::nextSend,
                        queues.receiveSource());
        key = memory.register(PD, buffer, buffer.address(), ALL);
    }

    Flow flowTo(Peer peer) {
        return new Flow(
                mac,
                peer.mac,
                Ethernet.NO_VLAN,
                gid,
                peer.gid,
                0,
                64,
                0,
                Udp.sourcePort(0, number, peer.number));
    }

    void connect(Peer peer, Settings settings, long now) {
        qp.toInit();
        qp.toRtr(
                new Connection(
                        flowTo(peer),
                        peer.number,
                        settings.mtu(),
                        settings.psn() + peer.number,
                        settings.rdAtomic(),
                        settings.rnrTimer(),
                        ALL));
        qp.toRts(
                new SendAttributes(
                        settings.psn() + number,
                        settings.timeout(),
                        settings.retries(),
                        settings.rnrRetries(),
                        settings.rdAtomic()),
                now);
    }

    /** Attributes of a connection that tests vary. */
    record Settings(
            int mtu,
            int psn,
            int rdAtomic,
            int timeout,
            int retries,
            int rnrTimer,
            int rnrRetries) {
        static final Settings USUAL = new Settings(1024, 0xfffff0, 4, 14, 7, 12, 7);

        Settings withMtu(int bytes) {
            return new Settings(bytes, psn, rdAtomic, timeout, retries, rnrTimer, rnrRetries);
        }

        Settings withRetries(int exponent, int count) {
            return new Settings(mtu, psn, rdAtomic, exponent, count, rnrTimer, rnrRetries);
        }

        Settings withRnr(int timer, int count) {
            return new Settings(mtu, psn, rdAtomic, timeout, retries, timer, count);
        }

        Settings withRdAtomic(int count) {
            return new Settings(mtu, psn, count, timeout, retries, rnrTimer, rnrRetries);
        }
    }

    // ---- posting

    void receive(long id, long offset, long length) {
        queues.receives.add(
                into -> {
                    into.id = id;
                    into.sges().add(key, buffer.address() + offset, length);
                });
    }

    void post(Consumer<SendRequest> fill) {
        queues.sends.add(fill);
        qp.kick();
    }

    void send(long id, long offset, long length) {
        post(
                into -> {
                    into.id = id;
                    into.kind = SendRequest.Kind.SEND;
                    into.sges().add(key, buffer.address() + offset, length);
                });
    }

    void write(long id, long offset, long length, Peer to, long at) {
        post(remote(id, SendRequest.Kind.WRITE, offset, length, to, at));
    }

    void read(long id, long offset, long length, Peer from, long at) {
        post(remote(id, SendRequest.Kind.READ, offset, length, from, at));
    }

    void fetchAdd(long id, long offset, Peer at, long remoteOffset, long add) {
        post(
                into -> {
                    remote(id, SendRequest.Kind.FETCH_ADD, offset, 8, at, remoteOffset)
                            .accept(into);
                    into.swapOrAdd = add;
                });
    }

    void compareSwap(long id, long offset, Peer at, long remoteOffset, long compare, long swap) {
        post(
                into -> {
                    remote(id, SendRequest.Kind.COMPARE_SWAP, offset, 8, at, remoteOffset)
                            .accept(into);
                    into.compare = compare;
                    into.swapOrAdd = swap;
                });
    }

    Consumer<SendRequest> remote(
            long id, SendRequest.Kind kind, long offset, long length, Peer peer, long at) {
        return into -> {
            into.id = id;
            into.kind = kind;
            into.sges().add(key, buffer.address() + offset, length);
            into.remoteAddress = peer.buffer.address() + at;
            into.rkey = peer.key;
        };
    }
}
