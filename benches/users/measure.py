#!/usr/bin/env python3
"""What users write, on a device: microseconds a round, and how much of memory or arithmetic that is, in Markdown.

    python3 benches/users/measure.py GLUSHKOV [ARCH [STRATEGY [WORD]]]

Each scheme of schemes.py whose name has the word in it is emitted by the strategy (gpu-fast), built, and run nine times in
one process at each of its sizes; the device's clock, medians of all runs but the first two. Results are compared by
`glushkov run --compare`, not here.
"""

import concurrent.futures
import json
import os
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(__file__))
from schemes import SCHEMES, text  # noqa: E402

RUNS = 9


def built(glushkov, folder, name, arch, strategy):
    """The program of a scheme, or what stopped it."""
    stem = name.replace(" ", "_")
    scheme, out = os.path.join(folder, f"{stem}.saa"), os.path.join(folder, stem)
    with open(scheme, "w") as file:
        file.write(text(name))
    emit = [glushkov, "emit", scheme, "--target", "cuda", "--strategy", strategy, "--out", out, "-q"]
    done = subprocess.run(emit, capture_output=True, text=True)
    if done.returncode == 0:
        kernels = [f for f in os.listdir(out) if f.endswith(".cu")]
        build = ["nvcc", "-O3", "-std=c++17", f"-arch={arch}", "-fmad=false", *kernels, "main.cpp", "-o", "program"]
        done = subprocess.run(build, cwd=out, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError((done.stdout + done.stderr)[-300:])
    return os.path.join(out, "program")


def measured(program, sizes):
    """Seconds a round at these sizes."""
    line = "\t".join(part for name, value in sizes.items() for part in ("--set", f"{name}={value}"))
    done = subprocess.run([program, "--lines"], input=(line + "\n") * RUNS, capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        raise RuntimeError(done.stderr[-300:])
    runs = [json.loads(line)["seconds"] for line in done.stdout.splitlines() if line.startswith("{")]
    return statistics.median(run.get("device") or run["body"] for run in runs[2:])


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    glushkov, arch, strategy, word = (sys.argv[1:] + ["sm_90", "gpu-fast", ""][len(sys.argv) - 2 :])[:4]
    names = [name for name in SCHEMES if word in name]
    print("| scheme | sizes | µs | TB/s | operations/s |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor() as pool:
        jobs = {name: pool.submit(built, os.path.abspath(glushkov), folder, name, arch, strategy) for name in names}
        concurrent.futures.wait(jobs.values())
        for name in names:
            for sizes in SCHEMES[name]["sizes"]:
                told = ", ".join(f"{key} = {value:,}" for key, value in sizes.items())
                try:
                    seconds = measured(jobs[name].result(), sizes)
                except (RuntimeError, subprocess.TimeoutExpired) as error:
                    print(f"| {name} | {told} | {' '.join(str(error).split())[:200]} | | |", flush=True)
                    continue
                made = SCHEMES[name]
                rate = f"{made['bytes'](sizes) / seconds / 1e12:.2f}" if "bytes" in made else ""
                speed = f"{made['operations'](sizes) / seconds:.2e}" if "operations" in made else ""
                print(f"| {name} | {told} | {seconds * 1e6:.1f} | {rate} | {speed} |", flush=True)


if __name__ == "__main__":
    main()
