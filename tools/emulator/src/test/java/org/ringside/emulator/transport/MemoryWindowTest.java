package org.ringside.emulator.transport;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.ringside.emulator.transport.QpState.State;
import org.ringside.emulator.transport.Rig.Topology;
import org.ringside.mlx5.layout.UmrLayout;
import org.ringside.mlx5.layout.WqeLayout;
import org.ringside.mlx5.layout.WqeOpcode;

/**
 * UMR work requests as libmlx5 makes them for memory windows of type 1 and 2, and for local
 * invalidation.
 */
final class MemoryWindowTest {
    private static final int CAPACITY = 4;
    private static final int REMOTE = UmrLayout.ACCESS_REMOTE_READ | UmrLayout.ACCESS_REMOTE_WRITE;
    private static final long BIND =
            UmrLayout.MASK_FREE
                    | UmrLayout.MASK_VARIANT
                    | UmrLayout.MASK_QPN
                    | UmrLayout.MASK_LENGTH
                    | UmrLayout.MASK_START
                    | UmrLayout.MASK_LOCAL_WRITE
                    | UmrLayout.MASK_REMOTE_READ
                    | UmrLayout.MASK_REMOTE_WRITE
                    | UmrLayout.MASK_ATOMIC;
    private static final long INVALIDATE =
            UmrLayout.MASK_FREE | UmrLayout.MASK_VARIANT | UmrLayout.MASK_QPN;

    private final Rig rig = new Rig(Topology.TWO_FUNCTIONS);

    @AfterEach
    void close() {
        rig.close();
    }

    private MkeyState window(int pd) {
        int right = MkeyState.LOCAL_READ | MkeyState.REMOTE_INVALIDATE;
        MkeyState window =
                MkeyState.indirect(rig.b.number() << 8, pd, right, MkeyState.ANY_QP, CAPACITY);
        rig.b.engine.add(window);
        return window;
    }

    private MkeyState now(MkeyState window) {
        MkeyState now = rig.b.engine.mkey(window.index());
        assertThat(now).isNotNull();
        return now;
    }

    /** A UMR WQE of the right QP, all but the list. */
    private TestQp umr(int key, int flags, long mask, int octwords) {
        TestQp qp = rig.right.start(WqeOpcode.UMR).imm(key);
        int segments = 4 + 3 + (octwords > 0 ? 4 : 0) + 1;
        for (int at = 16; at < 16 * segments; at += 4) {
            qp.patch(at, 0);
        }
        return qp.patch(16, flags << 24)
                .patch(20, octwords << 16)
                .patch(24, (int) (mask >>> 32))
                .patch(28, (int) mask)
                .segments(segments);
    }

    private TestQp context(
            TestQp qp, int free, int access, int qpn, int variant, long start, long length) {
        return qp.patch(64, free << 24 | access << 8)
                .patch(68, qpn << 8 | variant)
                .patch(80, (int) (start >>> 32))
                .patch(84, (int) start)
                .patch(88, (int) (length >>> 32))
                .patch(92, (int) length);
    }

    private static TestQp klm(TestQp qp, int index, int bytes, int key, long address) {
        int at = 128 + 16 * index;
        return qp.patch(at, bytes)
                .patch(at + 4, key)
                .patch(at + 8, (int) (address >>> 32))
                .patch(at + 12, (int) address);
    }

    /** Binds a window of type 2 to a range of a buffer, under a new variant. */
    private TestQp bind(MkeyState window, Node.Buffer buffer, long offset, int bytes, int access) {
        int flags =
                UmrLayout.FLAG_INLINE
                        | UmrLayout.FLAG_TRANSLATION_OFFSET
                        | UmrLayout.FLAG_CHECK_FREE;
        TestQp qp = umr(window.key(), flags, BIND, CAPACITY);
        context(qp, 0, access, rig.right.state.qpn, 0x77, buffer.iova() + offset, bytes);
        return klm(qp, 0, bytes, buffer.key(), buffer.iova() + offset).post();
    }

    private void invalidate(int key) {
        TestQp qp = umr(key, UmrLayout.FLAG_INLINE | UmrLayout.FLAG_CHECK_QPN, INVALIDATE, 0);
        context(qp, UmrLayout.CONTEXT_FREE, 0, 0xff_ffff, 0, 0, 0).post().ring();
        rig.run();
    }

    private void write(int rkey, long address, int bytes, Node.Buffer from) {
        rig.left
                .start(WqeOpcode.RDMA_WRITE)
                .remote(address, rkey)
                .sge(from, 0, bytes)
                .post()
                .ring();
        rig.run();
    }

    @Test
    void shouldGiveThePeerTheRangeOfTheWindowAndNoMore() {
        MkeyState window = window(Node.PD);
        Node.Buffer target = rig.b.buffer(0x3000);
        Node.Buffer source = rig.a.buffer(0x1000);
        source.segment().fill((byte) 0x5e);

        bind(window, target, 0x800, 0x1000, REMOTE).ring();
        rig.run();
        assertThat(rig.right.sendCq.drain()).containsExactly("0 UMR");
        int rkey = now(window).key();
        assertThat(rkey).isEqualTo(window.key() & ~0xff | 0x77);

        // Over a page border of what is behind it.
        write(rkey, target.iova() + 0x900, 0xf00, source);
        assertThat(rig.left.sendCq.drain()).containsExactly("0 RDMA_WRITE");
        assertThat(target.segment().get(JAVA_BYTE, 0x8ff)).isZero();
        assertThat(target.segment().get(JAVA_BYTE, 0x900)).isEqualTo((byte) 0x5e);
        assertThat(target.segment().get(JAVA_BYTE, 0x17ff)).isEqualTo((byte) 0x5e);

        write(rkey, target.iova() + 0x900, 0xf01, source);
        assertThat(rig.left.sendCq.drain()).containsExactly("1 REMOTE_ACCESS_ERR");
        assertThat(rig.b.findings.getLast()).contains("are not inside of");
    }

    @Test
    void shouldTakeTheWindowAwayByLocalInvalidation() {
        MkeyState window = window(Node.PD);
        Node.Buffer target = rig.b.buffer(0x1000);
        bind(window, target, 0, 0x1000, REMOTE).ring();
        rig.run();
        int rkey = now(window).key();

        invalidate(rkey);

        assertThat(rig.right.sendCq.drain()).containsExactly("0 UMR", "3 UMR");
        assertThat(now(window).isFree()).isTrue();
        write(rkey & ~0xff, target.iova(), 8, rig.a.buffer(0x1000));
        assertThat(rig.left.sendCq.drain()).containsExactly("0 REMOTE_ACCESS_ERR");
    }

    @Test
    void shouldReachSeveralRangesAsOne() {
        MkeyState window = window(Node.PD);
        Node.Buffer one = rig.b.buffer(0x1000);
        Node.Buffer two = rig.b.buffer(0x1000);
        Node.Buffer source = rig.a.buffer(0x1000);
        source.segment().fill((byte) 0x11);
        int flags = UmrLayout.FLAG_INLINE | UmrLayout.FLAG_TRANSLATION_OFFSET;
        TestQp qp = umr(window.key(), flags, BIND, CAPACITY);
        context(qp, 0, REMOTE, 0xff_ffff, 1, 0, 0x30);
        klm(qp, 0, 0x10, one.key(), one.iova() + 0x100);
        klm(qp, 1, 0x20, two.key(), two.iova() + 0x200).post().ring();
        rig.run();

        write(now(window).key(), 8, 0x20, source);

        assertThat(rig.left.sendCq.drain()).containsExactly("0 RDMA_WRITE");
        assertThat(one.segment().get(JAVA_BYTE, 0x107)).isZero();
        assertThat(one.segment().get(JAVA_BYTE, 0x108)).isEqualTo((byte) 0x11);
        assertThat(one.segment().get(JAVA_BYTE, 0x110)).isZero();
        assertThat(two.segment().get(JAVA_BYTE, 0x200)).isEqualTo((byte) 0x11);
        assertThat(two.segment().get(JAVA_BYTE, 0x217)).isEqualTo((byte) 0x11);
        assertThat(two.segment().get(JAVA_BYTE, 0x218)).isZero();
    }

    @Test
    void shouldGiveNoAccessOnceTheKeyBehindItIsGone() {
        MkeyState window = window(Node.PD);
        Node.Buffer target = rig.b.buffer(0x1000);
        bind(window, target, 0, 0x1000, REMOTE).ring();
        rig.run();
        rig.b.engine.removeMkey(target.mkey().index());

        write(now(window).key(), target.iova(), 8, rig.a.buffer(0x1000));

        assertThat(rig.left.sendCq.drain()).containsExactly("0 REMOTE_ACCESS_ERR");
    }

    /** As Linux registers a region anew; its PD and its rights change, its memory does not. */
    private TestQp again(Node.Buffer buffer, int pd, int flags) {
        long mask =
                UmrLayout.MASK_PD
                        | UmrLayout.MASK_LOCAL_READ
                        | UmrLayout.MASK_LOCAL_WRITE
                        | UmrLayout.MASK_REMOTE_READ
                        | UmrLayout.MASK_REMOTE_WRITE
                        | UmrLayout.MASK_ATOMIC;
        int access = UmrLayout.ACCESS_LOCAL_READ | UmrLayout.ACCESS_REMOTE_READ;
        TestQp qp = umr(buffer.key(), UmrLayout.FLAG_INLINE | flags, mask, 0);
        return context(qp, 0, access, 0xff_ffff, 0, 0, 0).patch(76, pd).post();
    }

    @Test
    void shouldGiveARegionOtherRightsAndAnotherPd() {
        Node.Buffer buffer = rig.b.buffer(0x1000);
        buffer.mkey().changeable();

        again(buffer, Node.PD + 1, UmrLayout.FLAG_CHECK_USED).ring();
        rig.run();

        MkeyState now = now(buffer.mkey());
        assertThat(rig.right.sendCq.drain()).containsExactly("0 UMR");
        assertThat(now.key()).isEqualTo(buffer.key());
        assertThat(now.pd()).isEqualTo(Node.PD + 1);
        assertThat(now.access() & ~MkeyState.REMOTE_INVALIDATE)
                .isEqualTo(MkeyState.LOCAL_READ | MkeyState.REMOTE_READ);
        assertThat(now.covers(buffer.iova(), 0x1000)).isTrue();
        assertThat(rig.b.events)
                .contains("key 0x%x to PD 0x%x".formatted(now.index(), Node.PD + 1));
    }

    @Test
    void shouldRefuseAPdThatIsNotThere() {
        Node.Buffer buffer = rig.b.buffer(0x1000);
        buffer.mkey().changeable();
        again(buffer, 0x99, 0);
        fails("0 MW_BIND_ERR", "there is no PD 0x99");
    }

    @Test
    void shouldRefuseToChangeAFreeKeyWhereAUsedOneIsMeant() {
        Node.Buffer buffer = rig.b.buffer(0x1000);
        buffer.mkey().changeable().invalidate();
        again(buffer, Node.PD, UmrLayout.FLAG_CHECK_USED);
        fails("0 MW_BIND_ERR", "is free");
    }

    @Test
    void shouldRefuseAnotherRangeForMemoryOfItsOwn() {
        Node.Buffer target = rig.b.buffer(0x1000);
        target.mkey().changeable();
        context(
                        umr(target.key(), UmrLayout.FLAG_INLINE, UmrLayout.MASK_LENGTH, 0),
                        0,
                        0,
                        0,
                        0,
                        0,
                        8)
                .post();
        fails("0 LOCAL_QP_OP_ERR", "whose memory is its own");
    }

    private void fails(String completion, String why) {
        rig.right.ring();
        rig.run();
        assertThat(rig.right.sendCq.drain()).containsExactly(completion);
        assertThat(rig.b.findings.getLast()).contains(why);
        assertThat(rig.right.state.state()).isEqualTo(State.ERR);
    }

    @Test
    void shouldRefuseToBindWhatIsNotFree() {
        MkeyState window = window(Node.PD);
        Node.Buffer target = rig.b.buffer(0x1000);
        bind(window, target, 0, 0x1000, REMOTE).ring();
        rig.run();
        rig.right.sendCq.drain();
        bind(now(window), target, 0, 0x10, REMOTE);
        fails("3 MW_BIND_ERR", "is not free");
    }

    @Test
    void shouldRefuseAWindowOfAnotherPd() {
        bind(window(Node.PD + 1), rig.b.buffer(0x1000), 0, 0x10, REMOTE);
        fails("0 MW_BIND_ERR", "not in the QP's PD");
    }

    @Test
    void shouldRefuseARangeOutsideOfTheKeyBehind() {
        bind(window(Node.PD), rig.b.buffer(0x1000), 0xff8, 0x10, REMOTE);
        fails("0 MW_BIND_ERR", "are not inside of");
    }

    @Test
    void shouldRefuseRemoteWritesToMemoryThatIsNotWrittenLocally() {
        bind(window(Node.PD), rig.b.buffer(0x1000, MkeyState.LOCAL_READ), 0, 0x10, REMOTE);
        fails("0 MW_BIND_ERR", "a window that is written");
    }

    @Test
    void shouldRefuseToChangeAKeyWithMemoryOfItsOwn() {
        Node.Buffer target = rig.b.buffer(0x1000);
        bind(target.mkey(), target, 0, 0x10, REMOTE);
        fails("0 MW_BIND_ERR", "umr_en");
    }

    @Test
    void shouldRefuseToInvalidateWhatIsBoundElsewhere() {
        MkeyState window = window(Node.PD);
        invalidate(window.key());
        assertThat(rig.right.sendCq.drain()).containsExactly("0 MW_BIND_ERR");
        assertThat(rig.b.findings.getLast()).contains("is not bound to the QP");
    }

    @Test
    void shouldRefuseAListLongerThanTheKeyHasRoomFor() {
        MkeyState window = window(Node.PD);
        TestQp qp = umr(window.key(), UmrLayout.FLAG_INLINE, BIND, CAPACITY);
        qp.patch(20, CAPACITY + 1 << 16).post();
        fails("0 LOCAL_QP_OP_ERR", "room for 4");
    }

    @Test
    void shouldRefuseFieldsThatItDoesNotKnow() {
        umr(window(Node.PD).key(), UmrLayout.FLAG_INLINE, BIND | 1 << 12, 0).post();
        fails("0 LOCAL_QP_OP_ERR", "has not all of it");
    }

    @Test
    void shouldRefuseAShortRequest() {
        rig.right.start(WqeOpcode.UMR, WqeLayout.CTRL_CQ_UPDATE).post();
        fails("0 LOCAL_QP_OP_ERR", "at least 0x80");
    }

    @Test
    void shouldRefuseALengthBeyondTheList() {
        MkeyState window = window(Node.PD);
        Node.Buffer target = rig.b.buffer(0x1000);
        TestQp qp = umr(window.key(), UmrLayout.FLAG_INLINE, BIND, CAPACITY);
        context(qp, 0, REMOTE, 0xff_ffff, 1, 0, 0x11);
        klm(qp, 0, 0x10, target.key(), target.iova()).post();
        fails("0 MW_BIND_ERR", "of a list with 0x10");
        assertThat(List.of(now(window).isFree(), now(window).key()))
                .isEqualTo(List.of(true, window.key()));
    }
}
