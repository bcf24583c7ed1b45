"""Programs for devices: built anywhere, called where there is a device."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import glushkov
import numpy as np
import pytest
import standin

SUMS = """
SCHEME "Scaled" ====
DATA
  N : INTEGER := 1000
  a : REAL := 2
  x : REAL [N] INPUT
  y : REAL [N] OUTPUT
END OF DATA
  FOR (i FROM 0 TO N - 1) LOOP y[i] := a * x[i] END OF LOOP
END OF SCHEME "Scaled"
"""


@pytest.mark.parametrize("target", ["cuda"])
def test_a_program_for_a_device(target):
    try:
        f = glushkov.compile(text=SUMS, target=target)
    except glushkov.BuildError as error:
        if error.code == "E1001":
            pytest.skip("no compiler for devices is found")
        raise
    assert f.target == target and f.strategy == "gpu"
    x = np.arange(10, dtype=np.float32)
    try:
        y = f(x=x).y
    except glushkov.RunError as error:
        # There is no device here; the program says so, and the process goes on.
        assert "device" in str(error).lower() or "cuda" in str(error).lower()
        return
    np.testing.assert_array_equal(y, 2 * x)


@pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")
def test_arrays_on_a_device(tmp_path):
    """The device is the processor: what is tested is which arrays go where."""
    nvcc = standin.install(tmp_path)
    environment = dict(os.environ, GLUSHKOV_NVCC=str(nvcc), GLUSHKOV_TEST_LENT="1", XDG_CACHE_HOME=str(tmp_path))
    program = Path(__file__).with_name("on_standin.py")
    command = [sys.executable, str(program)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout == "well\n", done.stdout + done.stderr


def test_arrays_of_other_libraries_on_a_device():
    program = Path(__file__).with_name("device") / "run.py"
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    if "well" not in done.stdout:
        pytest.skip(done.stdout.strip())


class OnDevice:
    """As libraries say that an array is on a device."""

    @property
    def __cuda_array_interface__(self):
        raise AssertionError("it is not asked for its cells")


def test_a_program_of_the_host_takes_no_array_of_a_device(chain):
    with pytest.raises(glushkov.ArgumentError, match="`m` is on a device"):
        chain(m=OnDevice(), shift=[0, 0], x=np.zeros(3))
