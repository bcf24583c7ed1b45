"""An nvcc that builds for the processor: memory of the device is memory of the host.

Its runtime is that of the tests of emitted programs, ``tests/targets/runtime.hpp``.
"""

import os
import re
import stat
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

SHARED = "extern __shared__ __align__(16) unsigned char shared_memory[];"
LAUNCH = re.compile(r"(\w+)<<<(.*?)>>>", re.DOTALL)


def for_the_processor(text):
    """A program of CUDA with what only nvcc reads said in C++."""
    text = text.replace(SHARED, "alignas(16) static unsigned char shared_memory[1 << 20];")
    before, arch, after = text.partition("#ifdef __CUDA_ARCH__")
    if arch:
        after = after.replace("#else", "} else {", 1).replace("#endif", "}", 1)
        text = before + "if (in_kernel) {" + after
    return LAUNCH.sub(r"on_processor(\1, \2)", text)


def compile(words):
    made = words[words.index("-o") + 1]
    sources = [word for word in words if word.endswith((".cu", ".cpp"))]
    # States come after what they call.
    sources.sort(key=lambda source: source.endswith(".cpp"))
    lines = [f'#include "{ROOT}/tests/emit/processor.hpp"', f'#include "{ROOT}/tests/targets/runtime.hpp"']
    support = Path("support.cuh").read_text()
    for name in sources:
        text = Path(name).read_text().replace('#include "support.cuh"', support)
        lines.append(for_the_processor(re.sub("#include <cuda.*>", "", text)))
    Path("all.cpp").write_text("\n".join(lines))
    command = ["g++", "-std=c++20", "-O1", "-fPIC", "-shared", "-w", "-I.", "-o", made, "all.cpp"]
    return subprocess.call(command)


def install(folder):
    """Puts the program into a folder; gives its path."""
    path = Path(folder) / "nvcc"
    code = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); import standin; sys.exit(standin.main())"
    path.write_text(f"#!{sys.executable}\n{code}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def main():
    if "--version" in sys.argv:
        print("a stand-in, release 13.0, for the tests")
        return 0
    return compile(sys.argv[1:])
