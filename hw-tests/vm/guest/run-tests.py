#!/usr/bin/env python3
"""Runs rdma-core's Python tests one by one, each in a process of its own.

  run-tests.py TABLE SECONDS [OPTION-OF-THE-TESTS...] [-- PREFIX...]

The test modules are loaded once; each test then runs in a child forked from here, which is killed with all it
started when it takes more than SECONDS. So a test that hangs or crashes takes no other with it. TABLE gets a line
for each test: verdict, seconds, name, reason, with tabs between. Verdicts are passed, failed, skipped, crashed and
hung. With a PREFIX only tests whose names begin with one of them run.

Tests choose flags, sizes and capabilities by Python's random, and some skip by what they drew. So random is seeded for
each, with its name and RINGSIDE_TESTS_SEED (1): verdicts depend neither on chance nor on which tests ran before.
"""
import importlib.machinery
import os
import random
import select
import signal
import sys
import time
import unittest

TESTS = "/usr/share/doc/rdma-core/tests"
SEED = os.environ.get("RINGSIDE_TESTS_SEED", "1")


def load(options):
    """All tests, by name, as rdma-core's own runner finds them."""
    sys.path.insert(0, TESTS)
    sys.argv = [sys.argv[0]] + options
    from args_parser import parser
    module = importlib.machinery.SourceFileLoader("tests", TESTS + "/__init__.py").load_module()
    parser.parse_args()
    pad_eqes()
    cases = []
    collect(unittest.defaultTestLoader.loadTestsFromModule(module), cases)
    return cases


def pad_eqes():
    """The tests take an EQE apart by its first 8 bytes; scapy of before 2.6 left fields behind those at 0, later ones fail."""
    from tests.mlx5_prm_structs import SwEqe
    dissect = SwEqe.do_dissect
    size = len(SwEqe())
    SwEqe.do_dissect = lambda self, data: dissect(self, data.ljust(size, b"\0"))


def collect(suite, into):
    for each in suite:
        if isinstance(each, unittest.TestSuite):
            collect(each, into)
        else:
            into.append(each)


def last_line(text):
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    return lines[-1] if lines else ""


def outcome(case):
    """Runs a test here; its verdict and the reason."""
    result = unittest.TestResult()
    case.run(result)
    bad = result.failures + result.errors
    for _, trace in bad:
        print(trace, flush=True)
    if bad:
        return "failed", last_line(bad[0][1])
    if result.skipped:
        return "skipped", result.skipped[0][1]
    if result.testsRun == 0:
        return "failed", "did not run"
    return "passed", ""


def child(case, pipe):
    os.setsid()
    print("\n== " + case.id(), flush=True)
    random.seed(SEED + " " + case.id())
    verdict, reason = outcome(case)
    text = verdict + "\t" + " ".join(reason.split())
    os.write(pipe, text.encode()[:4000])
    os._exit(0)


def run(case, limit):
    """A test in a child: verdict and reason."""
    receive, send = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(receive)
        try:
            child(case, send)
        finally:
            os._exit(1)
    os.close(send)
    ready, _, _ = select.select([receive], [], [], limit)
    text = os.read(receive, 4096).decode() if ready else ""
    os.close(receive)
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    _, status = os.waitpid(pid, 0)
    if not ready:
        return "hung", "no end within %d s" % limit
    if not text:
        return "crashed", "status 0x%x" % status
    verdict, _, reason = text.partition("\t")
    return verdict, reason


def main():
    table, limit = sys.argv[1], float(sys.argv[2])
    words = sys.argv[3:]
    prefixes = ()
    if "--" in words:
        at = words.index("--")
        words, prefixes = words[:at], tuple(words[at + 1:])
    counts = {}
    with open(table, "w", encoding="utf-8") as out:
        for case in load(words):
            if prefixes and not case.id().startswith(prefixes):
                continue
            started = time.monotonic()
            verdict, reason = run(case, limit)
            counts[verdict] = counts.get(verdict, 0) + 1
            out.write("%s\t%.1f\t%s\t%s\n" % (verdict, time.monotonic() - started, case.id(), reason))
            out.flush()
    verdicts = ", ".join("%d %s" % (count, verdict) for verdict, count in sorted(counts.items()))
    print("%s (seed %s)" % (verdicts, SEED))


main()
