"""Threads, signals, memory, and what a call costs."""

import os
import resource
import signal
import subprocess
import sys
import textwrap
import threading
import time
import timeit

import glushkov
import numpy as np
import pytest


def in_eight_threads(work):
    """Does work with each of eight numbers at once; whatever fails in one fails here."""
    failures = []

    def one(number):
        try:
            work(number)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=one, args=(number,)) for number in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert not failures


def test_eight_threads_and_an_error_in_one(chain, gravity):
    random = np.random.default_rng(3)
    m = random.random(64).astype(np.float32)
    r = random.normal(size=(64, 3)).astype(np.float32)
    wanted = gravity(m=m, r=r).acc

    def work(number):
        for k in range(30):
            np.testing.assert_array_equal(gravity(m=m, r=r).acc, wanted)
            given = dict(m=[number, k, 0], shift=[0, 0], x=np.zeros(3), dt=1.0)
            if number == 0:
                with pytest.raises(glushkov.RunError, match="FILTER"):
                    chain(**{**given, "m": [10**6, 0, 0]})
            else:
                assert chain(**given).total == number + k

    in_eight_threads(work)


def test_eight_threads_and_too_little_memory_in_some(gravity):
    room = glushkov.compile(text=ROOM)
    random = np.random.default_rng(5)
    m = random.random(64).astype(np.float32)
    r = random.normal(size=(64, 3)).astype(np.float32)
    wanted = gravity(m=m, r=r).acc

    def work(number):
        x = np.arange(2000.0) + number
        session = room.session(x=x, ROOM=4)
        for _ in range(30):
            np.testing.assert_array_equal(gravity(m=m, r=r).acc, wanted)
            if number < 2:
                # More bytes than a process has addresses.
                with pytest.raises(glushkov.RunError, match="`spare` of .* bytes, does not fit"):
                    room(x=x, ROOM=1 << 45)
                session["ROOM"] = 1 << 61
                with pytest.raises(glushkov.RunError, match="`spare` of .* does not fit"):
                    session.run()
                session["ROOM"] = 4
            np.testing.assert_array_equal(room(x=x, ROOM=4).y, x + 1)
            session.run()
            np.testing.assert_array_equal(session["y"], x + 1)

    in_eight_threads(work)


def test_other_threads_go_on_during_a_run(long):
    counted = 0
    done = threading.Event()

    def run():
        long(x=np.zeros(200_000), ROUNDS=2000)
        done.set()

    thread = threading.Thread(target=run)
    thread.start()
    while not done.wait(0.001):
        counted += 1
    thread.join()
    assert counted > 3


def test_a_session_is_used_by_one_thread_at_a_time(chain):
    s = chain.session(m=[1, 0, 0], shift=[0, 0], x=np.zeros(3), STEPS=1, dt=2.0)
    threads = [threading.Thread(target=lambda: [s.run() for _ in range(50)]) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert s["total"] == 200


def test_ctrl_c_ends_a_run(long):
    x = np.zeros(200_000)
    timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    began = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        long(x=x)
    # As it stands it would take minutes.
    assert time.monotonic() - began < 20
    assert long(x=np.zeros(4), ROUNDS=1).x[0] == 1


def test_ctrl_c_ends_a_build():
    code = """
        import glushkov, os, signal, sys, threading
        text = sys.stdin.read()
        threading.Timer(0.4, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        try:
            for k in range(1000):
                glushkov.compile(text=text.replace("0.25", f"0.25{os.getpid()}{k}"))
        except KeyboardInterrupt:
            print("interrupted")
        print(glushkov.check("heat").ok)
    """
    import conftest

    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        input=conftest.CHAIN,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout == "interrupted\nTrue\n", done.stderr


def test_ten_thousand_calls_leak_nothing(gravity, chain):
    m = np.ones(64, dtype=np.float32)
    r = np.ones((64, 3), dtype=np.float32)
    given = dict(m=np.arange(64), shift=[0, 0], x=np.zeros(64))

    def calls(count):
        for _ in range(count):
            gravity(m=m, r=r)
            chain(**given, STEPS=1)

    def memory():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * resource.getpagesize()

    if not os.path.exists("/proc/self/statm"):
        pytest.skip("the memory of this process is not told")
    calls(1000)
    before = memory()
    calls(10_000)
    # A hundred bytes a call would be two megabytes.
    assert memory() - before < 1 << 20


@pytest.mark.parametrize("size", [1, 8])
def test_a_small_call_costs_little(size):
    f = glushkov.compile(text=TINY, strategy="sequential")
    x = np.zeros(size)
    seconds = min(timeit.repeat(lambda: f(x=x, a=2.0), number=2000, repeat=7)) / 2000
    assert seconds < 20e-6, f"{seconds * 1e6:.1f} microseconds a call"


ROOM = """
SCHEME "Spare room" ====
DATA
  N : INTEGER64 := 4
  ROOM : INTEGER64 := 4
  x : REAL64 [N] INPUT
  y : REAL64 [N] OUTPUT
  spare : REAL64 [ROOM]
END OF DATA
  spare[0] := 1;
  FOR (i FROM 0 TO N - 1) LOOP y[i] := x[i] + spare[0] END OF LOOP
END OF SCHEME "Spare room"
"""

TINY = """
SCHEME "Tiny" ====
DATA
  N : INTEGER := 4
  a : REAL64 := 1
  x : REAL64 [N] INPUT
  y : REAL64 [N] OUTPUT
END OF DATA
  FOR (i FROM 0 TO N - 1) LOOP y[i] := a * x[i] END OF LOOP
END OF SCHEME "Tiny"
"""
