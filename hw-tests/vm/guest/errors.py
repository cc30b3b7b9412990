#!/usr/bin/env python3
"""What goes wrong on an RC connection, and how both ends tell it: kernel rxe with itself, and with a device of ours.

    errors.py DEVICE GID-INDEX HOST PORT ARGUMENTS [OPERATION...]

org.ringside.interop.ErrorPeer at HOST:PORT is the end of ours; it is told what to do line by line, see there. A case is
an operation and what is wrong with it; ErrorCase has the same numbers. Each case is run three times:

    rxe>rxe      the kernel's requester and responder
    ours>rxe     our requester, the kernel's responder
    rxe>ours     the kernel's requester, our responder

and is told as STATUS,STATUS STATE / STATE received=STATUS,..., which is what became of two requests posted at once, of the
requester's QP, of the responder's QP and of the receives posted there. The last two must say what the first says,
but for the rows of the file ARGUMENTS: "PAIR | OPERATIONS | FAULTS | RXE | OURS | REASON". Exit status 1: there is a
difference that no row argues.
"""
import ctypes
import errno
import random
import socket
import sys
import time

import pyverbs.enums as e
from pyverbs.addr import AHAttr, GID, GlobalRoute
from pyverbs.cq import CQ
from pyverbs.device import Context
from pyverbs.mr import MR
from pyverbs.pd import PD
from pyverbs.pyverbs_error import PyverbsRDMAError
from pyverbs.qp import QP, QPAttr, QPCap, QPInitAttr
from pyverbs.wr import SGE, RecvWR, SendWR

MEMORY = 8192
REGION = 4096
TARGET = 1024
RECEIVE = 2048
BEFORE_END = 32
REQUESTS = 2
LENGTH = 64
SHORT = 32
VARIANT = 0xFF
INDEX = 0x5A5A00
QUEUE = 16
ACK_TIMEOUT = 14
RETRIES = 2
PATIENCE = 10
SETTLE = 0.1
REFUSED = "REFUSED"

NAMES = ("SUCCESS LOC_LEN LOC_QP_OP LOC_EEC_OP LOC_PROT FLUSH MW_BIND BAD_RESP LOC_ACCESS REM_INV_REQ REM_ACCESS REM_OP "
         "RETRY_EXC RNR_RETRY_EXC LOC_RDD_VIOL REM_INV_RD REM_ABORT INV_EECN INV_EEC_STATE FATAL TIMEOUT GENERAL").split()
STATES = "RESET INIT RTR RTS SQD SQE ERR UNKNOWN".split()

ALL = ("send", "send_imm", "write", "write_imm", "read", "faa", "cas")
ATOMIC = ("faa", "cas")
REMOTE = ("write", "write_imm", "read", "faa", "cas")
RECEIVING = ("send", "send_imm", "write_imm")
FAULTS = {
    "none": ALL,
    "bad-rkey": REMOTE,
    "unknown-rkey": REMOTE,
    "bounds": REMOTE,
    "permission": REMOTE,
    "qp-permission": REMOTE,
    "wrong-pd": REMOTE,
    "misaligned": ATOMIC,
    "rnr": RECEIVING,
    "oversize": ("send", "send_imm"),
    "receive-lkey": ("send", "send_imm"),
    "local-lkey": ALL,
    "local-bounds": ALL,
    "local-permission": ("read",) + ATOMIC,
    "gone": ALL,
    "not-ready": ALL,
    "failed": ALL,
}
ACCESS = (e.IBV_ACCESS_LOCAL_WRITE | e.IBV_ACCESS_REMOTE_WRITE | e.IBV_ACCESS_REMOTE_READ
          | e.IBV_ACCESS_REMOTE_ATOMIC)


def names(statuses):
    return ",".join(NAMES[int(status)] for status in statuses) or "-"


class RxeEnd:
    """An end of a case on the kernel's device."""

    def __init__(self, context, gid_index):
        self.context = context
        self.gid_index = gid_index
        self.gid = context.query_gid(1, gid_index).gid.replace(":", "")

    def open(self, role, operation, fault):
        self.operation, self.fault, self.responds = operation, fault, role == "responder"
        self.length = 8 if operation in ATOMIC else LENGTH
        self.buffer = (ctypes.c_ubyte * (MEMORY + 4096))()
        self.address = (ctypes.addressof(self.buffer) + 4095) & ~4095
        self.pd = PD(self.context)
        self.scq = CQ(self.context, QUEUE)
        self.rcq = CQ(self.context, QUEUE)
        cap = QPCap(max_send_wr=QUEUE, max_recv_wr=QUEUE)
        self.qp = QP(self.pd, QPInitAttr(qp_type=e.IBV_QPT_RC, scq=self.scq, rcq=self.rcq, cap=cap))
        if self.responds:
            access = e.IBV_ACCESS_LOCAL_WRITE if fault == "permission" else ACCESS
        else:
            access = 0 if fault == "local-permission" else e.IBV_ACCESS_LOCAL_WRITE
        self.mr = MR(self.pd, REGION, access, address=self.address)
        self.other_pd = self.offered = None
        if fault == "wrong-pd":
            self.other_pd = PD(self.context)
            self.offered = MR(self.other_pd, REGION, ACCESS, address=self.address)
        self.psn = random.getrandbits(24)
        self.gone = False
        rkey = (self.offered or self.mr).rkey
        return dict(qpn=f"{self.qp.qp_num:x}", psn=f"{self.psn:x}", lid="0", gid=self.gid,
                    address=f"{self.address:x}", rkey=f"{rkey:x}")

    def attributes(self):
        attr = QPAttr(port_num=1, path_mtu=e.IBV_MTU_1024)
        attr.qp_access_flags = 0 if self.fault == "qp-permission" else ACCESS
        return attr

    def init(self):
        self.qp.to_init(self.attributes())

    def connect(self, peer):
        self.peer = peer
        attr = self.attributes()
        attr.dest_qp_num = int(peer["qpn"], 16)
        attr.rq_psn = int(peer["psn"], 16)
        attr.sq_psn = self.psn
        attr.max_dest_rd_atomic = attr.max_rd_atomic = 8
        attr.min_rnr_timer = 12
        attr.timeout = ACK_TIMEOUT
        attr.retry_cnt = attr.rnr_retry = RETRIES
        words = [peer["gid"][at:at + 4] for at in range(0, 32, 4)]
        route = GlobalRoute(dgid=GID(":".join(words)), sgid_index=self.gid_index, hop_limit=64)
        attr.ah_attr = AHAttr(port_num=1, is_global=1, gr=route)
        self.qp.to_rts(attr)
        if self.responds and self.operation in RECEIVING and self.fault != "rnr":
            lkey = self.mr.lkey ^ (VARIANT if self.fault == "receive-lkey" else 0)
            length = SHORT if self.fault == "oversize" else LENGTH
            for i in range(REQUESTS):
                self.qp.post_recv(RecvWR(wr_id=i, num_sge=1, sg=[SGE(self.address + RECEIVE, length, lkey)]))

    def work(self, i, following=None):
        fault, operation = self.fault, self.operation
        lkey = self.mr.lkey ^ (VARIANT if fault == "local-lkey" else 0)
        local = self.address
        if fault == "local-bounds":
            local += REGION if operation in ATOMIC else REGION - BEFORE_END
        rkey = int(self.peer["rkey"], 16) ^ {"bad-rkey": VARIANT, "unknown-rkey": INDEX}.get(fault, 0)
        offset = TARGET
        if fault == "bounds":
            offset = REGION if operation in ATOMIC else REGION - BEFORE_END
        elif fault == "misaligned":
            offset = TARGET + 4
        remote = int(self.peer["address"], 16) + offset
        codes = dict(send=e.IBV_WR_SEND, send_imm=e.IBV_WR_SEND_WITH_IMM, write=e.IBV_WR_RDMA_WRITE,
                     write_imm=e.IBV_WR_RDMA_WRITE_WITH_IMM, read=e.IBV_WR_RDMA_READ,
                     faa=e.IBV_WR_ATOMIC_FETCH_AND_ADD, cas=e.IBV_WR_ATOMIC_CMP_AND_SWP)
        wr = SendWR(wr_id=i, opcode=codes[operation], num_sge=1, sg=[SGE(local, self.length, lkey)],
                    send_flags=e.IBV_SEND_SIGNALED, imm_data=i, next_wr=following)
        if operation in ATOMIC:
            wr.set_wr_atomic(rkey, remote, 1 if operation == "faa" else 0, 1)
        elif operation in REMOTE:
            wr.set_wr_rdma(rkey, remote)
        return wr

    def request(self):
        try:
            self.qp.post_send(self.work(0, self.work(1)))
        except PyverbsRDMAError as refusal:
            if refusal.error_code != errno.EINVAL:
                raise
            return REFUSED
        statuses = []
        deadline = time.monotonic() + PATIENCE
        while len(statuses) < REQUESTS and time.monotonic() < deadline:
            _, completions = self.scq.poll(REQUESTS)
            statuses += [wc.status for wc in completions]
        return names(statuses)

    def look(self):
        _, completions = self.rcq.poll(QUEUE)
        state = "GONE" if self.gone else STATES[self.qp.query(e.IBV_QP_STATE)[0].qp_state]
        return state, names(wc.status for wc in completions)

    def fail(self):
        self.qp.modify(QPAttr(qp_state=e.IBV_QPS_ERR), e.IBV_QP_STATE)

    def kill(self):
        self.gone = True
        self.qp.close()

    def close(self):
        for item in (self.qp, self.offered, self.other_pd, self.mr, self.scq, self.rcq, self.pd):
            if item is not None:
                item.close()


class OurEnd:
    """An end of a case on our device, behind a line of text."""

    def __init__(self, tcp):
        self.tcp = tcp
        self.lines = tcp.makefile("r", encoding="ascii")

    def order(self, text):
        self.tcp.sendall((text + "\n").encode("ascii"))
        verdict, _, rest = self.lines.readline().rstrip("\n").partition(" ")
        if verdict != "ok":
            raise RuntimeError(f"{text}: {verdict} {rest}")
        return rest

    def open(self, role, operation, fault):
        return dict(word.split("=") for word in self.order(f"open {role} {operation} {fault}").split())

    def init(self):
        self.order("init")

    def connect(self, peer):
        self.order("connect " + " ".join(f"{name}={value}" for name, value in peer.items()))

    def request(self):
        told = self.order("request")
        return REFUSED if told == REFUSED else names(status for status in told.split(",") if status)

    def look(self):
        told = dict(word.split("=") for word in self.order("look").split())
        return told["state"], names(status for status in told["received"].split(",") if status)

    def fail(self):
        self.order("fail")

    def kill(self):
        self.order("kill")

    def close(self):
        self.order("close")


def run(requester, responder, operation, fault):
    here = requester.open("requester", operation, fault)
    there = responder.open("responder", operation, fault)
    if fault == "not-ready":
        responder.init()
    else:
        responder.connect(here)
    requester.connect(there)
    if fault == "failed":
        responder.fail()
    elif fault == "gone":
        responder.kill()
    statuses = requester.request()
    time.sleep(SETTLE)
    state, _ = requester.look()
    peer, received = responder.look()
    requester.close()
    responder.close()
    return f"{statuses} {state} / {peer} {received}"


def read_arguments(path):
    rows = []
    with open(path, encoding="ascii") as lines:
        for line in lines:
            if line.strip() and not line.startswith("#"):
                rows.append([word.strip() for word in line.split("|")])
    return rows


def argued(rows, pair, operation, fault, theirs, ours):
    for row in rows:
        if (row[0] == pair and operation in row[1].split(",") and fault in row[2].split(",")
                and row[3] == theirs and row[4] == ours):
            return row[5]
    return None


def main():
    device, gid_index, host, port, path, *operations = sys.argv[1:]
    rows = read_arguments(path)
    context = Context(name=device)
    first, second = RxeEnd(context, int(gid_index)), RxeEnd(Context(name=device), int(gid_index))
    cells = equal = reasoned = 0
    missing = []
    with socket.create_connection((host, int(port))) as tcp:
        ours = OurEnd(tcp)
        for fault, hits in FAULTS.items():
            for operation in hits:
                if operations and operation not in operations:
                    continue
                expected = run(first, second, operation, fault)
                print(f"{fault:17} {operation:9} rxe>rxe   {expected}", flush=True)
                for pair, ends in (("ours>rxe", (ours, second)), ("rxe>ours", (first, ours))):
                    found = run(*ends, operation, fault)
                    cells += 1
                    if found == expected:
                        equal += 1
                        continue
                    reason = argued(rows, pair, operation, fault, expected, found)
                    print(f"{'':27} {pair}  {found}\n{'':37} {reason or 'UNARGUED'}", flush=True)
                    if reason:
                        reasoned += 1
                    else:
                        missing.append(f"{pair} | {operation} | {fault} | {expected} | {found} | ")
    print("\n".join(missing))
    print(f"{cells} cells, {equal} as with rxe alone, {reasoned} argued, {len(missing)} unargued")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
