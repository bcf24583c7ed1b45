"""Programs for devices: built anywhere, called where there is a device."""

import glushkov
import numpy as np
import pytest

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
