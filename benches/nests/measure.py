"""Random nests on a device: the fast route's time beside the exact route's, and their results.

    python3 benches/nests/measure.py GLUSHKOV NUMBERS [ARCH [all]]

Builds nests of nests.py with numbers such as 0-119,150 by `gpu` and by `gpu-fast` with defaults, and runs each
fifteen times in one process. Prints medians of the timed part where the fast route takes more than 1.05
times the exact route's time, or with `all` of all nests, and which results differ: counts at all, REALs by more
than 2 %. Sums of many REALs may, as the exact route rounds them one after the other; compare these in 64 bits.
"""

import concurrent.futures
import json
import math
import os
import statistics
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(__file__))
from nests import Maker  # noqa: E402

STRATEGIES = ["gpu", "gpu-fast"]
RUNS = 15


def built(glushkov, folder, number, strategy, arch):
    """The program of a nest, or what stopped it."""
    scheme = os.path.join(folder, f"{number}.saa")
    out = os.path.join(folder, f"{number}.{strategy}")
    commands = [
        [glushkov, "emit", scheme, "--target", "cuda", "--strategy", strategy, "--out", out, "-q"],
        ["nvcc", "-O3", "-std=c++17", f"-arch={arch}", "-fmad=false", "-c", f"nest_{number}.cu", "-o", "kernels.o"],
        ["g++", "-O1", "-std=c++17", "-c", "main.cpp", "-o", "main.o"],
        ["nvcc", f"-arch={arch}", "kernels.o", "main.o", "-o", "program"],
    ]
    for command in commands:
        done = subprocess.run(command, cwd=out if os.path.isdir(out) else None, capture_output=True, text=True)
        if done.returncode != 0:
            return f"{strategy}: {command[0]}: {(done.stdout + done.stderr)[-400:]}"
    return None


def array(path):
    """The numbers of a file of NumPy's, one after the other."""
    with open(path, "rb") as file:
        data = file.read()
    start = 10 + struct.unpack("<H", data[8:10])[0]
    kind = "f" if b"f4" in data[:start] else "i"
    return kind, struct.unpack(f"<{(len(data) - start) // 4}{kind}", data[start:])


def measured(folder, number, strategy):
    """Seconds of the timed part, in the median of all runs but the first two, and the outputs."""
    out = os.path.join(folder, f"{number}.{strategy}")
    results = os.path.join(out, "results")
    lines = f"--out\t{results}\n" + "\n" * (RUNS - 1)
    done = subprocess.run([os.path.join(out, "program"), "--lines"], input=lines, capture_output=True, text=True, timeout=20)
    if done.returncode != 0:
        raise RuntimeError(f"{strategy}: {done.stderr[-300:]}")
    times = [json.loads(line)["seconds"]["body"] for line in done.stdout.splitlines()]
    return statistics.median(times[2:]), {f: array(os.path.join(results, f)) for f in sorted(os.listdir(results)) if f.endswith(".npy")}


def difference(exact, fast):
    """The first output that differs by more than rounding, or nothing."""
    for name, (kind, a) in exact.items():
        b = fast[name][1]
        scale = max([1.0] + [abs(x) for x in a if math.isfinite(x)])
        for k, (x, y) in enumerate(zip(a, b)):
            if x == y or (math.isnan(x) and math.isnan(y)):
                continue
            # Sums of up to 5e7 REALs one after the other round by some per cent themselves.
            if kind == "i" or not abs(x - y) <= 2e-2 * scale:
                return f"{name}[{k}]: {x} and {y}"
    return None


def main():
    glushkov = os.path.abspath(sys.argv[1])
    arch = sys.argv[3] if len(sys.argv) > 3 else "native"
    ranges = [[int(n) for n in part.split("-")] for part in sys.argv[2].split(",")]
    numbers = [n for ends in ranges for n in range(ends[0], ends[-1] + 1)]
    ratios, slower, wrong, late = [], [], [], []
    with tempfile.TemporaryDirectory() as folder:
        for number in numbers:
            with open(os.path.join(folder, f"{number}.saa"), "w") as file:
                file.write(Maker(number).scheme(f"nest {number}"))
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            jobs = {(n, s): pool.submit(built, glushkov, folder, n, s, arch) for n in numbers for s in STRATEGIES}
            failed = {n: told for (n, s), job in jobs.items() if (told := job.result())}
        for number in numbers:
            if number in failed:
                wrong.append(f"{number}: {failed[number]}")
                continue
            try:
                (exact, a), (fast, b) = (measured(folder, number, s) for s in STRATEGIES)
            except subprocess.TimeoutExpired as error:
                late.append(f"{number}: {os.path.basename(os.path.dirname(error.cmd[0]))}")
                continue
            except RuntimeError as error:
                wrong.append(f"{number}: {error}")
                continue
            if told := difference(a, b):
                wrong.append(f"{number}: {told}")
            ratios.append(fast / exact)
            if fast > 1.05 * exact or "all" in sys.argv[4:]:
                slower.append(f"{number}: {exact * 1e6:.1f} -> {fast * 1e6:.1f} us, {fast / exact:.2f}")
    print(f"{len(ratios)} nests: median {statistics.median(ratios):.2f}, {sum(r <= 1.05 for r in ratios)} at most 1.05")
    print(f"slower: {len(slower)}", *slower, sep="\n  ")
    print(f"not done in 20 s: {len(late)}", *late, sep="\n  ")
    print(f"wrong: {len(wrong)}", *wrong, sep="\n  ")


if __name__ == "__main__":
    main()
