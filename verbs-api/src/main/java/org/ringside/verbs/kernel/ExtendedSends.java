package org.ringside.verbs.kernel;

import java.lang.foreign.MemorySegment;

/**
 * Posts by the function pointers of struct ibv_qp_ex: start, one call for what each request does
 * and one for its data, complete. Functions that the QP was not made with are NULL and not called.
 */
final class ExtendedSends {
    private final long qp;
    private final MemorySegment start;
    private final MemorySegment complete;
    private final MemorySegment send;
    private final MemorySegment sendImm;
    private final MemorySegment write;
    private final MemorySegment writeImm;
    private final MemorySegment read;
    private final MemorySegment compareSwap;
    private final MemorySegment fetchAdd;
    private final MemorySegment setSge;
    private final MemorySegment setSgeList;
    private final MemorySegment setInline;

    /**
     * @param qp address of the struct ibv_qp_ex
     */
    ExtendedSends(long qp) {
        this.qp = qp;
        start = Raw.function(qp + Abi.QpEx.WR_START);
        complete = Raw.function(qp + Abi.QpEx.WR_COMPLETE);
        send = Raw.function(qp + Abi.QpEx.WR_SEND);
        sendImm = Raw.function(qp + Abi.QpEx.WR_SEND_IMM);
        write = Raw.function(qp + Abi.QpEx.WR_RDMA_WRITE);
        writeImm = Raw.function(qp + Abi.QpEx.WR_RDMA_WRITE_IMM);
        read = Raw.function(qp + Abi.QpEx.WR_RDMA_READ);
        compareSwap = Raw.function(qp + Abi.QpEx.WR_ATOMIC_CMP_SWP);
        fetchAdd = Raw.function(qp + Abi.QpEx.WR_ATOMIC_FETCH_ADD);
        setSge = Raw.function(qp + Abi.QpEx.WR_SET_SGE);
        setSgeList = Raw.function(qp + Abi.QpEx.WR_SET_SGE_LIST);
        setInline = Raw.function(qp + Abi.QpEx.WR_SET_INLINE_DATA);
    }

    /**
     * Whether a list of struct ibv_send_wr can be posted so. One with more pieces in a request is
     * left to post_send, which may be used beside (ibv_wr_post(3)): wr_set_sge_list of rxe sums
     * their lengths up wrongly before rdma-core 64.
     */
    static boolean takes(long first) {
        for (long each = first; each != 0; each = Raw.getLong(each + Abi.SendWr.NEXT)) {
            if (Raw.getInt(each + Abi.SendWr.NUM_SGE) > 1) {
                return false;
            }
        }
        return true;
    }

    /**
     * Posts a list of struct ibv_send_wr.
     *
     * @return 0, or the error number: then nothing is posted
     */
    int post(long first) {
        Calls.run(start, qp);
        for (long each = first; each != 0; each = Raw.getLong(each + Abi.SendWr.NEXT)) {
            int flags = Raw.getInt(each + Abi.SendWr.SEND_FLAGS);
            Raw.putLong(qp + Abi.QpEx.WR_ID, Raw.getLong(each + Abi.SendWr.WR_ID));
            // With INLINE too, which wr_set_inline_data of rxe leaves to the caller.
            Raw.putInt(qp + Abi.QpEx.WR_FLAGS, flags);
            operation(each);
            data(each, (flags & Abi.SendWr.INLINE) != 0);
        }
        return Calls.complete(complete, qp);
    }

    private void operation(long each) {
        int immediate = Raw.getInt(each + Abi.SendWr.IMM_DATA);
        long remote = Raw.getLong(each + Abi.SendWr.WR_RDMA_REMOTE_ADDR);
        int rkey = Raw.getInt(each + Abi.SendWr.WR_RDMA_RKEY);
        switch (Raw.getInt(each + Abi.SendWr.OPCODE)) {
            case Abi.WrOpcode.SEND -> Calls.run(send, qp);
            case Abi.WrOpcode.SEND_WITH_IMM -> Calls.sendImm(sendImm, qp, immediate);
            case Abi.WrOpcode.RDMA_WRITE -> Calls.rdma(write, qp, rkey, remote);
            case Abi.WrOpcode.RDMA_WRITE_WITH_IMM ->
                    Calls.writeImm(writeImm, qp, rkey, remote, immediate);
            case Abi.WrOpcode.RDMA_READ -> Calls.rdma(read, qp, rkey, remote);
            default -> atomic(each);
        }
    }

    private void atomic(long each) {
        long remote = Raw.getLong(each + Abi.SendWr.WR_ATOMIC_REMOTE_ADDR);
        int rkey = Raw.getInt(each + Abi.SendWr.WR_ATOMIC_RKEY);
        long operand = Raw.getLong(each + Abi.SendWr.WR_ATOMIC_COMPARE_ADD);
        if (Raw.getInt(each + Abi.SendWr.OPCODE) == Abi.WrOpcode.ATOMIC_FETCH_AND_ADD) {
            Calls.fetchAdd(fetchAdd, qp, rkey, remote, operand);
        } else {
            long swap = Raw.getLong(each + Abi.SendWr.WR_ATOMIC_SWAP);
            Calls.compareSwap(compareSwap, qp, rkey, remote, operand, swap);
        }
    }

    private void data(long each, boolean inline) {
        long list = Raw.getLong(each + Abi.SendWr.SG_LIST);
        if (Raw.getInt(each + Abi.SendWr.NUM_SGE) == 0) {
            Calls.setList(setSgeList, qp, 0, list);
            return;
        }
        long address = Raw.getLong(list + Abi.Sge.ADDR);
        int length = Raw.getInt(list + Abi.Sge.LENGTH);
        if (inline) {
            Calls.setList(setInline, qp, address, length);
        } else {
            Calls.setSge(setSge, qp, Raw.getInt(list + Abi.Sge.LKEY), address, length);
        }
    }
}
