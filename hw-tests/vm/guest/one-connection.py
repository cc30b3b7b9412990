#!/usr/bin/env python3
"""The life of one RC connection, for a recording: what org.ringside.interop.OneConnection does, by other drivers.

    one-connection.py verbs DEVICE      Linux's mlx5_ib and libmlx5, by pyverbs
    one-connection.py vfio BDF          rdma-core's driver over VFIO, by the classes of rdma-core's own tests

Open, PD, memory, CQ, two QPs of one device connected to each other, operations whose data is verified, ERR, RESET,
close. The numbers are those of the Java program.
"""
import ctypes
import socket
import struct
import sys

CQ_ENTRIES = 100
WRS = 16
BYTES = 8192
MESSAGE = 1024
TARGET = 4096
PSN = 0x123456
RD_ATOMIC = 4
IMMEDIATE = 0x03020100
ADD = 3
TESTS = "/usr/share/doc/rdma-core"
OP_2ERR, OP_2RST = 0x507, 0x50a
MODIFY_OUT_BYTES = 16


def expect(what, found, wanted):
    if found != wanted:
        sys.exit(f"{what}: {found!r}, expected {wanted!r}")


class Verbs:
    """Two QPs under mlx5_ib."""

    def __init__(self, device):
        import pyverbs.enums as e
        from pyverbs.cq import CQ, CompChannel
        from pyverbs.device import Context
        from pyverbs.mr import MR
        from pyverbs.pd import PD
        from pyverbs.qp import QP, QPCap, QPInitAttr
        self.e = e
        self.context = Context(name=device)
        self.lid = self.context.query_port(1).lid
        self.pd = PD(self.context)
        self.access = (e.IBV_ACCESS_LOCAL_WRITE | e.IBV_ACCESS_REMOTE_WRITE
                       | e.IBV_ACCESS_REMOTE_READ | e.IBV_ACCESS_REMOTE_ATOMIC)
        self.mr = MR(self.pd, BYTES, self.access)
        self.memory = memoryview((ctypes.c_ubyte * BYTES).from_address(self.mr.buf)).cast("B")
        self.channel = CompChannel(self.context)
        self.cq = CQ(self.context, CQ_ENTRIES, None, self.channel, 0)
        cap = QPCap(max_send_wr=WRS, max_recv_wr=WRS)
        self.first, self.second = (
            QP(self.pd, QPInitAttr(qp_type=e.IBV_QPT_RC, scq=self.cq, rcq=self.cq, cap=cap)) for _ in range(2))
        self.connect(self.first, self.second.qp_num)
        self.connect(self.second, self.first.qp_num)

    def connect(self, qp, peer):
        from pyverbs.addr import AHAttr
        from pyverbs.qp import QPAttr
        attr = QPAttr(port_num=1, path_mtu=self.e.IBV_MTU_1024)
        attr.qp_access_flags = self.access
        attr.dest_qp_num = peer
        attr.rq_psn = attr.sq_psn = PSN
        attr.max_dest_rd_atomic = attr.max_rd_atomic = RD_ATOMIC
        attr.min_rnr_timer = 12
        attr.timeout = 14
        attr.retry_cnt = attr.rnr_retry = 7
        attr.ah_attr = AHAttr(port_num=1, dlid=self.lid)
        qp.to_rts(attr)

    def request(self, number, opcode, offset, length, remote=None, atomic=None):
        from pyverbs.wr import SGE, SendWR
        wr = SendWR(wr_id=number, opcode=opcode, num_sge=1, imm_data=socket.htonl(IMMEDIATE),
                    sg=[SGE(self.mr.buf + offset, length, self.mr.lkey)])
        if atomic:
            wr.set_wr_atomic(self.mr.rkey, remote, *atomic)
        elif remote:
            wr.set_wr_rdma(self.mr.rkey, remote)
        self.first.post_send(wr)

    def complete(self, completions=1):
        """The first one of all is waited for, the others are polled."""
        while completions:
            count, found = self.cq.poll(completions)
            completions -= count
            for wc in found:
                expect(f"status of {wc.wr_id}", wc.status, self.e.IBV_WC_SUCCESS)

    def expect_message(self, what):
        expect(what, bytes(self.memory[TARGET:TARGET + MESSAGE]), bytes(self.memory[:MESSAGE]))

    def word(self, offset):
        return int.from_bytes(self.memory[offset:offset + 8], "little")

    def operate(self):
        from pyverbs.wr import SGE, RecvWR
        e = self.e
        self.memory[:MESSAGE] = bytes(i * ADD & 0xff for i in range(MESSAGE))
        self.cq.req_notify()
        self.second.post_recv(RecvWR(wr_id=0, num_sge=1, sg=[SGE(self.mr.buf + TARGET, MESSAGE, self.mr.lkey)]))
        self.request(1, e.IBV_WR_SEND_WITH_IMM, 0, MESSAGE)
        self.channel.get_cq_event(self.cq)
        self.cq.ack_events(1)
        self.complete(2)
        self.expect_message("SEND")
        remote = self.mr.buf + TARGET
        self.request(2, e.IBV_WR_RDMA_WRITE, 0, MESSAGE, remote + MESSAGE)
        self.complete()
        self.request(3, e.IBV_WR_RDMA_READ, TARGET, MESSAGE, remote + MESSAGE)
        self.complete()
        self.expect_message("READ of what was written")
        self.memory[TARGET:TARGET + 8] = (1).to_bytes(8, "little")
        self.request(4, e.IBV_WR_ATOMIC_FETCH_AND_ADD, 0, 8, remote, (ADD, 0))
        self.complete()
        expect("fetch-and-add", self.word(0), 1)
        self.request(5, e.IBV_WR_ATOMIC_CMP_AND_SWP, 0, 8, remote, (1 + ADD, 9))
        self.complete()
        expect("compare-and-swap", self.word(0), 1 + ADD)
        expect("the word at the peer", self.word(TARGET), 9)
        return 5

    def close(self):
        from pyverbs.qp import QPAttr
        e = self.e
        for qp in (self.first, self.second):
            for state in (e.IBV_QPS_ERR, e.IBV_QPS_RESET):
                qp.modify(QPAttr(qp_state=state), e.IBV_QP_STATE)
        for each in (self.second, self.first, self.cq, self.channel, self.mr, self.pd, self.context):
            each.close()


class Vfio:
    """Two QPs of rdma-core's driver over VFIO, made with DEVX as its tests make them: one PD, MR and CQ for each."""

    def __init__(self, function):
        sys.path[:0] = [TESTS, TESTS + "/tests"]
        sys.argv = sys.argv[:1]
        from tests.test_mlx5_vfio import Mlx5VfioResources

        class Player(Mlx5VfioResources):
            """As many messages as the other programs have work requests."""

            def create_queue_attrs(self):
                self.num_msgs = WRS
                self.qattr.cq.ncqes = 1 << CQ_ENTRIES.bit_length()
                super().create_queue_attrs()

            def create_qp(self):
                super().create_qp()
                self.psn = PSN

        self.first = Player(ib_port=1, pci_name=function, activate_port_state=True)
        self.context = self.first.ctx
        self.second = Player(ib_port=1, pci_name=function, ctx=self.context)
        for one, other in ((self.first, self.second), (self.second, self.first)):
            one.pre_run(other.psn, other.qpn, other.gid, other.lid)

    def operate(self):
        message = "c" * self.first.msg_size
        self.first.mem_write(message, len(message))
        self.second.post_recv()
        self.first.post_send()
        self.first.poll_cq()
        expect("immediate data", self.second.poll_cq().imm_inval_pkey, IMMEDIATE)
        expect("SEND", self.second.mem_read(), message.encode())
        return 1

    def close(self):
        for player in (self.first, self.second):
            for opcode in (OP_2ERR, OP_2RST):
                player.qp.modify(struct.pack(">HHIII", opcode, 0, 0, player.qpn, 0), MODIFY_OUT_BYTES)
        for player in (self.second, self.first):
            player.close_resources()
            player.mr.close()
            player.pd.close()
        self.context.close()


def main():
    driver, device = sys.argv[1:]
    connection = {"verbs": Verbs, "vfio": Vfio}[driver](device)
    operations = connection.operate()
    connection.close()
    print(f"{device}: {operations} operations, all verified", flush=True)


if __name__ == "__main__":
    main()
