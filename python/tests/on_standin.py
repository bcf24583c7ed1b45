"""Calls of programs whose device is the processor; run by test_devices.py in a process of its own."""

import numpy as np

import fake_cupy
import glushkov

MOVES = """
SCHEME "Moves" ====
DATA
  N : INTEGER := 1000
  by : REAL64 := 2
  x : REAL64 [N] INPUT OUTPUT
  v : REAL64 [N] INPUT
  y : REAL64 [N] OUTPUT
  last : REAL64 OUTPUT
END OF DATA
  FOR (i FROM 0 TO N - 1) LOOP x[i] := x[i] + by * v[i]; y[i] := 2 * x[i] END OF LOOP;
  last := by
END OF SCHEME "Moves"
"""


class Seen:
    """An array of a library that is not known."""

    def __init__(self, cells, **more):
        self.cells = cells
        self.more = more

    @property
    def __cuda_array_interface__(self):
        cells = self.cells
        read_only = self.more.get("read_only", False)
        strides = None if cells.flags.c_contiguous else cells.strides
        said = dict(shape=cells.shape, typestr=cells.dtype.str, data=(cells.ctypes.data, read_only))
        return dict(said, version=3, strides=strides, stream=self.more.get("stream"))


def refused(words, f, **given):
    try:
        f(**given)
    except glushkov.ArgumentError as error:
        assert words in str(error), error
        return
    raise AssertionError(f"{words}: it is not refused")


def main():
    cupy = fake_cupy.install()
    f = glushkov.compile(MOVES, target="cuda")
    x, v = np.arange(5.0), np.ones(5)
    wanted = x + 2 * v

    # Arrays of the host, as ever.
    result = f(x=x, v=v)
    np.testing.assert_array_equal(result.x, wanted)
    assert result.copied == (80, 80) and type(result.y) is np.ndarray and x[1] == 1

    # Arrays of the device are used where they are, and results are of their kind.
    there, speed = cupy.asarray(x), cupy.asarray(v)
    result = f(x=there, v=speed)
    assert type(result.x) is type(result.y) is cupy.ndarray and result.copied == (0, 0)
    np.testing.assert_array_equal(result.x.cells, wanted)
    np.testing.assert_array_equal(result.y.cells, 2 * wanted)
    np.testing.assert_array_equal(there.cells, x)
    assert result.last == 2 and isinstance(result.last, np.float64)
    result = f(x=there, v=speed, inplace=True)
    assert result.x is there and result.copied == (0, 0)
    np.testing.assert_array_equal(there.cells, wanted)

    # Mixed: what is on the host is copied, and outputs are like the first array.
    result = f(x=x, v=speed)
    assert type(result.x) is type(result.y) is np.ndarray and result.copied == (40, 80)
    np.testing.assert_array_equal(result.x, wanted)
    result = f(v=speed, x=x)
    assert type(result.x) is np.ndarray and type(result.y) is cupy.ndarray
    np.testing.assert_array_equal(result.y.cells, 2 * wanted)

    # No cells at all; cells apart are put in order by their library.
    none = cupy.asarray(np.zeros(0))
    assert f(x=none, v=none).y.shape == (0,)
    np.testing.assert_array_equal(f(x=cupy.asarray(x), v=cupy.asarray(np.ones(10))[::2]).x.cells, wanted)
    refused("would have to be copied", f, x=cupy.asarray(np.zeros(10))[::2], v=speed, inplace=True)
    refused("`x` and `v` disagree on N", f, x=cupy.asarray(np.zeros(4)), v=speed)
    refused("`v` holds float32, and float64 is needed", f, x=there, v=cupy.asarray(np.ones(5, np.float32)))
    refused("`v` has the shape (5, 1)", f, x=there, v=cupy.asarray(np.ones((5, 1))))
    refused("`v` shares cells with it", f, x=there, v=there, inplace=True)

    # A library that is not known: its arrays are read, and changed in place.
    mine = Seen(x.copy())
    result = f(v=Seen(v), x=mine, inplace=True)
    assert result.x is mine and type(result.y) is np.ndarray
    np.testing.assert_array_equal(mine.cells, wanted)
    refused("`x` would have to be copied on the device", f, x=Seen(x), v=v)
    refused("`v` would have to be copied on the device", f, x=x, v=Seen(np.ones(10)[::2]))
    refused("`x` cannot be changed in place: it is read-only", f, x=Seen(x, read_only=True), v=v, inplace=True)
    refused("`v` holds", f, x=x, v=Seen(v.astype(">f8")))

    # Sessions keep their arrays on the device.
    with f.session(x=cupy.asarray(x), v=v) as s:
        assert s.run().copied == (0, 0)
        s.run(by=1.0)
        assert type(s["x"]) is type(s["y"]) is cupy.ndarray and type(s["v"]) is np.ndarray
        np.testing.assert_array_equal(s["x"].cells, x + 3)
        s["x"] = x
        assert type(s["x"]) is np.ndarray and s["N"] == 5 and s["last"] == 1
    print("well")


if __name__ == "__main__":
    main()
