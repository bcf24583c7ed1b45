#!/usr/bin/env python3
"""How time and memory of `check`, `derive` and `emit` grow with a scheme: tables in Markdown.

Usage: measure.py GLUSHKOV [SIZES] > tables.md, with sizes such as 10,100,1000.
Each command runs three times, or once where it takes longer than two seconds; the least time counts. What takes
longer than a minute is stopped, and larger sizes are left out.
"""

import os
import subprocess
import sys
import tempfile
import time

LIMIT = 60


def scheme(body, data=""):
    return (
        'SCHEME "s" ====\nDATA\n  N : INTEGER := 9\n  u : REAL [N] INPUT\n  v : REAL [N] INPUT OUTPUT\n'
        f"  s : REAL INPUT OUTPUT\n{data}END OF DATA\n{body}\nEND OF SCHEME \"s\"\n"
    )


def loop(body, var="i"):
    return f"FOR ({var} FROM 0 TO N - 1) LOOP\n{body}\nEND OF LOOP"


def each(n, line, between=";\n"):
    return between.join(line(k) for k in range(n))


def nested(n, head, body, end):
    return each(n, head, "\n") + f"\n{body}\n" + end * n


SCHEMES = {
    "assignments in one loop": lambda n: scheme(loop(each(n, lambda k: f"v[i] := v[i] + {k} * u[i]"))),
    "choices in one loop": lambda n: scheme(
        loop(each(n, lambda k: f"IF u[i] > {k} THEN v[i] := v[i] + {k} END IF"))
    ),
    "loops, one after the other": lambda n: scheme(
        each(n, lambda k: loop(f"v[i{k}] := v[i{k}] + u[i{k}]", f"i{k}"))
    ),
    "loops, each with an array of its own": lambda n: scheme(
        each(n, lambda k: loop(f"a{k}[i{k}] := u[i{k}]", f"i{k}")),
        "".join(f"  a{k} : REAL [N] OUTPUT\n" for k in range(n)),
    ),
    "nests with a sum, each with an array of its own": lambda n: scheme(
        each(n, lambda k: loop(f"a{k}[i{k}] := 0;\n" + loop(f"a{k}[i{k}] := a{k}[i{k}] + u[i{k}] * v[j]", "j"), f"i{k}")),
        "".join(f"  a{k} : REAL [N] OUTPUT\n" for k in range(n)),
    ),
    "terms of a sum": lambda n: scheme(loop("v[i] := " + each(n, lambda k: f"{k} * u[i]", " + "))),
    "choices in choices": lambda n: scheme(
        loop(nested(n, lambda k: f"IF u[i] > {k} THEN", "v[i] := 1", " END IF"))
    ),
    "loops in loops": lambda n: scheme(
        nested(n, lambda k: f"FOR (i{k} FROM 0 TO 0) LOOP", "v[i0] := v[i0] + 1", " END OF LOOP")
    ),
    "WHILE in WHILE": lambda n: scheme(
        nested(n, lambda k: f"WHILE s > {k} LOOP s := s - 1;", "s := s - 1", " END OF LOOP")
    ),
}

COMMANDS = {
    "`check`": ["check"],
    "`derive`, `cpu-fast`": ["derive", "--strategy", "cpu-fast"],
    "`derive`, `gpu-fast`": ["derive", "--strategy", "gpu-fast"],
    "`emit`, `gpu-fast`": ["emit", "--target", "cuda", "--strategy", "gpu-fast", "--force"],
}


def run(command):
    """Seconds and megabytes at most of a command; nothing where it was stopped, and its status."""
    start = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while True:
        done, status, used = os.wait4(child.pid, os.WNOHANG)
        seconds = time.monotonic() - start
        if done:
            child.returncode = os.waitstatus_to_exitcode(status)
            return seconds, used.ru_maxrss / 1024, child.returncode
        if seconds > LIMIT:
            child.kill()
            os.wait4(child.pid, 0)
            child.returncode = -9
            return None
        time.sleep(0.001)


def measured(command):
    """A cell of the table, and whether larger sizes are worth a try."""
    best = run(command)
    if best is None:
        return f"> {LIMIT} s", False
    for _ in range(2 if best[0] < 2 else 0):
        best = min(best, run(command) or best)
    seconds, megabytes, status = best
    note = "" if status == 0 else f", exit code {status}"
    return f"{seconds:.2f} s, {megabytes:.0f} MB{note}", True


def main():
    glushkov = os.path.abspath(sys.argv[1])
    sizes = [int(n) for n in (sys.argv[2] if len(sys.argv) > 2 else "10,100,1000").split(",")]
    print("| " + " | ".join(["made of", "command", *map(str, sizes)]) + " |")
    print("|---|---|" + "---|" * len(sizes))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "scheme.saa")
        for kind, make in SCHEMES.items():
            for name, (verb, *options) in COMMANDS.items():
                out = ["--out", os.path.join(folder, "out")] if verb == "emit" else []
                cells, more = [], True
                for n in sizes:
                    if more:
                        with open(path, "w", encoding="utf-8") as file:
                            file.write(make(n))
                        cell, more = measured([glushkov, verb, path, *options, *out])
                    else:
                        cell = "-"
                    cells.append(cell)
                print("| " + " | ".join([kind, name, *cells]) + " |", flush=True)


if __name__ == "__main__":
    main()
