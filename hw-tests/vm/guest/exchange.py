#!/usr/bin/env python3
"""The Linux end of verified RC traffic: rdma-core's verbs, by pyverbs, on any device.

    exchange.py DEVICE GID-INDEX HOST PORT

Connects to org.ringside.interop's program at HOST:PORT and does what it says, a line at a time:

    hello qpn=.. psn=.. lid=.. gid=.. address=.. rkey=..  ->  the same of ours, our QP being ready
    receive N       ->  received K         K messages with immediate data came, of the peer's N; each verified
    request N       ->  requested N p50=.. p99=.. max=..      nanoseconds between completions; each verified
    words           ->  words counter=.. chain=..             what the peer's atomics left here
    bye             ->  the end

What goes wrong is said in a line "error ...". Numbers are hexadecimal, counts decimal.

Both ends know the traffic; org.ringside.interop.Plan says how message i looks. The constants and the arithmetic
here are the same.
"""
import array
import ctypes
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
from pyverbs.qp import QP, QPAttr, QPCap, QPInitAttr
from pyverbs.wr import SGE, RecvWR, SendWR

STEP = 0x9E3779B97F4A7C15
MASK = (1 << 64) - 1

# The plan. Places in the memory of either end:
SLOT = 16 << 10
WINDOW = 16
RECEIVES = 16
PATTERNS = 8192
PATTERN = 0
LANDING = 0x20000
RECEIVED = LANDING + WINDOW * SLOT
WRITTEN = RECEIVED + RECEIVES * SLOT
NOTIFIED = WRITTEN + WINDOW * SLOT
COUNTER = NOTIFIED + 2 * RECEIVES * SLOT
CHAIN = COUNTER + 64
BYTES = COUNTER + 4096

SEND, WRITE, READ_BACK, WRITE_IMM, READ, ADD, SWAP = range(7)
KINDS = 7
RD_ATOMIC = 8

SECONDS_WITHOUT_PROGRESS = 60
ACK_TIMEOUT = 14
IDLE_POLLS = 20
NAP = 0.0002

PLAIN = array.array("Q", ((k * STEP) & MASK for k in range(PATTERNS + SLOT // 8))).tobytes()


def size(i):
    """Bytes of message i: most are short."""
    mixed = (i * STEP & MASK) >> 40
    limit = (256, 256, 256, 256, 256, 256, 4096, 4096, 4096, SLOT)[mixed % 10]
    return 1 + mixed // 16 % limit


def pattern(i):
    """Where the bytes of message i begin in the pattern area."""
    return 8 * (i % PATTERNS)


class Failure(Exception):
    """What the peer is to be told."""


class Progress:
    """Fails when nothing happens for long; lets others run while nothing does."""

    def __init__(self, what):
        self.what = what
        self.idle = 0
        self.last = time.monotonic()

    def made(self):
        self.idle = 0
        self.last = time.monotonic()

    def wait(self):
        self.idle += 1
        if self.idle > IDLE_POLLS:
            time.sleep(NAP)
            if time.monotonic() - self.last > SECONDS_WITHOUT_PROGRESS:
                raise Failure(f"{self.what}: nothing happened for {SECONDS_WITHOUT_PROGRESS} s")


class End:
    """A QP, its memory, and what happens to both."""

    def __init__(self, device, gid_index):
        self.context = Context(name=device)
        self.port = self.context.query_port(1)
        self.gid_index = gid_index
        self.gid = self.context.query_gid(1, gid_index)
        self.pd = PD(self.context)
        self.access = (e.IBV_ACCESS_LOCAL_WRITE | e.IBV_ACCESS_REMOTE_WRITE
                       | e.IBV_ACCESS_REMOTE_READ | e.IBV_ACCESS_REMOTE_ATOMIC)
        self.mr = MR(self.pd, BYTES, self.access)
        self.memory = memoryview((ctypes.c_ubyte * BYTES).from_address(self.mr.buf)).cast("B")
        self.plain = memoryview(PLAIN)
        self.memory[PATTERN:PATTERN + len(PLAIN)] = self.plain
        self.scq = CQ(self.context, 2 * WINDOW)
        self.rcq = CQ(self.context, 2 * RECEIVES)
        cap = QPCap(max_send_wr=2 * WINDOW, max_recv_wr=2 * RECEIVES)
        self.qp = QP(self.pd, QPInitAttr(qp_type=e.IBV_QPT_RC, scq=self.scq, rcq=self.rcq, cap=cap))
        self.psn = random.getrandbits(24)
        self.arrived = 0
        self.next_arrival = 0
        self.peer_address = 0
        self.peer_key = 0

    def hello(self):
        raw = self.gid.gid.replace(":", "")
        return (f"hello qpn={self.qp.qp_num:x} psn={self.psn:x} lid={self.port.lid:x} gid={raw} "
                f"address={self.mr.buf:x} rkey={self.mr.rkey:x}")

    def connect(self, peer):
        attr = QPAttr(port_num=1, path_mtu=e.IBV_MTU_1024)
        attr.qp_access_flags = self.access
        attr.dest_qp_num = int(peer["qpn"], 16)
        attr.rq_psn = int(peer["psn"], 16)
        attr.sq_psn = self.psn
        attr.max_dest_rd_atomic = RD_ATOMIC
        attr.max_rd_atomic = RD_ATOMIC
        attr.min_rnr_timer = 12
        attr.timeout = ACK_TIMEOUT
        attr.retry_cnt = 7
        attr.rnr_retry = 7
        lid = int(peer["lid"], 16)
        if lid:
            attr.ah_attr = AHAttr(port_num=1, dlid=lid)
        else:
            words = [peer["gid"][at:at + 4] for at in range(0, 32, 4)]
            route = GlobalRoute(dgid=GID(":".join(words)), sgid_index=self.gid_index, hop_limit=64)
            attr.ah_attr = AHAttr(port_num=1, is_global=1, gr=route)
        self.qp.to_rts(attr)
        self.peer_address = int(peer["address"], 16)
        self.peer_key = int(peer["rkey"], 16)
        for slot in range(RECEIVES):
            self.post_receive(slot)

    def sge(self, offset, length):
        return [SGE(self.mr.buf + offset, length, self.mr.lkey)]

    def word(self, offset):
        return int.from_bytes(self.memory[offset:offset + 8], "little")

    def verify(self, what, i, offset, length):
        wanted = self.plain[pattern(i):pattern(i) + length]
        found = self.memory[offset:offset + length]
        if found != wanted:
            at = next(k for k in range(length) if found[k] != wanted[k])
            raise Failure(f"{what} {i}: byte {at} of {length} is {found[at]:#x}, expected {wanted[at]:#x}")

    # ---- what the peer asks for

    def post_receive(self, slot):
        self.qp.post_recv(RecvWR(wr_id=slot, num_sge=1, sg=self.sge(RECEIVED + slot * SLOT, SLOT)))

    def receive(self, messages):
        """Takes the peer's SENDs and WRITEs with immediate data, each exactly once and in order."""
        progress = Progress("receive")
        cycles, rest = divmod(messages, KINDS)
        wanted = 2 * cycles + (rest > SEND) + (rest > WRITE_IMM)
        self.arrived = self.next_arrival = 0
        while self.arrived < wanted:
            count, completions = self.rcq.poll(RECEIVES)
            for wc in completions:
                self.arrive(wc)
            if count:
                progress.made()
            else:
                progress.wait()
        return f"received {self.arrived}"

    def arrive(self, wc):
        i = self.next_arrival
        if wc.status != e.IBV_WC_SUCCESS:
            raise Failure(f"receive of message {i} ended with status {wc.status}")
        immediate = socket.ntohl(wc.imm_data)
        if immediate != i:
            raise Failure(f"message {immediate} came, expected {i}")
        if i % KINDS == SEND:
            if wc.byte_len != size(i):
                raise Failure(f"message {i} has {wc.byte_len} bytes, expected {size(i)}")
            self.verify("SEND", i, RECEIVED + wc.wr_id * SLOT, size(i))
            self.next_arrival += WRITE_IMM - SEND
        else:
            slot = self.arrived % (2 * RECEIVES)
            self.verify("WRITE with immediate", i, NOTIFIED + slot * SLOT, size(i))
            self.next_arrival += KINDS - WRITE_IMM
        self.arrived += 1
        self.post_receive(wc.wr_id)

    def request(self, messages):
        """Sends messages of all kinds, WINDOW at a time."""
        progress = Progress("request")
        requests = Requests(self)
        posted = done = 0
        gaps = array.array("q")
        last = time.monotonic_ns()
        while done < messages:
            while posted < messages and posted - done < WINDOW:
                requests.post(posted)
                posted += 1
            count, completions = self.scq.poll(WINDOW)
            if not count:
                progress.wait()
                continue
            now = time.monotonic_ns()
            gaps.append(now - last)
            last = now
            progress.made()
            for wc in completions:
                if wc.status != e.IBV_WC_SUCCESS or wc.wr_id != done:
                    raise Failure(f"request {done} completed as {wc.wr_id} with status {wc.status}")
                requests.verify(done)
                done += 1
        gaps = sorted(gaps)
        return (f"requested {messages} p50={gaps[len(gaps) // 2]:x} p99={gaps[len(gaps) * 99 // 100]:x} "
                f"max={gaps[-1]:x} counter={requests.sum:x} chain={requests.chain:x}")

    def words(self):
        return f"words counter={self.word(COUNTER):x} chain={self.word(CHAIN):x}"


class Requests:
    """Requests of this end: how each is posted, and what must be so when it has completed."""

    def __init__(self, end):
        self.end = end
        self.sum = 0
        self.chain = 0
        self.originals = [0] * WINDOW

    def post(self, i):
        end = self.end
        landing = LANDING + i % WINDOW * SLOT
        cycle, kind = divmod(i, KINDS)
        remote = end.peer_address
        if kind == SEND:
            wr = SendWR(wr_id=i, opcode=e.IBV_WR_SEND_WITH_IMM, num_sge=1, imm_data=socket.htonl(i),
                        sg=end.sge(pattern(i), size(i)))
        elif kind == WRITE:
            wr = SendWR(wr_id=i, opcode=e.IBV_WR_RDMA_WRITE, num_sge=1, sg=end.sge(pattern(i), size(i)))
            wr.set_wr_rdma(end.peer_key, remote + WRITTEN + cycle % WINDOW * SLOT)
        elif kind == READ_BACK:
            wr = SendWR(wr_id=i, opcode=e.IBV_WR_RDMA_READ, num_sge=1, sg=end.sge(landing, size(i - 1)))
            wr.set_wr_rdma(end.peer_key, remote + WRITTEN + cycle % WINDOW * SLOT)
        elif kind == WRITE_IMM:
            slot = (2 * cycle + 1) % (2 * RECEIVES)
            wr = SendWR(wr_id=i, opcode=e.IBV_WR_RDMA_WRITE_WITH_IMM, num_sge=1, imm_data=socket.htonl(i),
                        sg=end.sge(pattern(i), size(i)))
            wr.set_wr_rdma(end.peer_key, remote + NOTIFIED + slot * SLOT)
        elif kind == READ:
            wr = SendWR(wr_id=i, opcode=e.IBV_WR_RDMA_READ, num_sge=1, sg=end.sge(landing, size(i)))
            wr.set_wr_rdma(end.peer_key, remote + PATTERN + pattern(i))
        elif kind == ADD:
            self.originals[i % WINDOW] = self.sum
            self.sum = self.sum + i + 1 & MASK
            wr = SendWR(wr_id=i, opcode=e.IBV_WR_ATOMIC_FETCH_AND_ADD, num_sge=1, sg=end.sge(landing, 8))
            wr.set_wr_atomic(end.peer_key, remote + COUNTER, i + 1, 0)
        else:
            self.originals[i % WINDOW] = self.chain
            compare, swap = self.chain, i * STEP & MASK
            if cycle % 4 == 3:
                compare += 1
                compare &= MASK
            else:
                self.chain = swap
            wr = SendWR(wr_id=i, opcode=e.IBV_WR_ATOMIC_CMP_AND_SWP, num_sge=1, sg=end.sge(landing, 8))
            wr.set_wr_atomic(end.peer_key, remote + CHAIN, compare, swap)
        end.qp.post_send(wr)

    def verify(self, i):
        end = self.end
        landing = LANDING + i % WINDOW * SLOT
        kind = i % KINDS
        if kind == READ_BACK:
            end.verify("READ of what was written", i - 1, landing, size(i - 1))
        elif kind == READ:
            end.verify("READ", i, landing, size(i))
        elif kind in (ADD, SWAP):
            found, wanted = end.word(landing), self.originals[i % WINDOW]
            if found != wanted:
                raise Failure(f"atomic {i} found {found:#x}, expected {wanted:#x}")


def serve(end, lines, answer):
    for line in lines:
        order, *words = line.split()
        if order == "hello":
            end.connect(dict(word.split("=") for word in words))
            answer(end.hello())
        elif order == "receive":
            answer(end.receive(int(words[0])))
        elif order == "request":
            answer(end.request(int(words[0])))
        elif order == "words":
            answer(end.words())
        elif order == "bye":
            return
        else:
            raise Failure(f"unknown order: {line.strip()}")
    raise Failure("the peer has gone without a bye")


def main():
    device, gid_index, host, port = sys.argv[1:]
    end = End(device, int(gid_index))
    with socket.create_connection((host, int(port))) as tcp:
        lines = tcp.makefile("r", encoding="ascii")

        def answer(text):
            print(text, flush=True)
            tcp.sendall((text + "\n").encode("ascii"))

        try:
            serve(end, lines, answer)
        except Exception as failure:
            answer(f"error {type(failure).__name__}: {failure}".replace("\n", " "))
            raise


if __name__ == "__main__":
    main()
