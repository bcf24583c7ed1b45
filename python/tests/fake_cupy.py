"""As much of CuPy as calls need, for programs that have the processor for a device."""

import sys
import types

import numpy as np


class Stream:
    ptr = 0

    def synchronize(self):
        pass


class Device:
    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None


class ndarray:
    """An array on the device."""

    device = Device()

    def __init__(self, cells):
        self.cells = cells

    dtype = property(lambda self: self.cells.dtype)
    shape = property(lambda self: self.cells.shape)
    flags = property(lambda self: types.SimpleNamespace(c_contiguous=self.cells.flags.c_contiguous))
    data = property(lambda self: types.SimpleNamespace(ptr=self.cells.ctypes.data))

    def copy(self, order="C"):
        return ndarray(self.cells.copy(order=order))

    def __getitem__(self, key):
        return ndarray(self.cells[key])

    def __array__(self, *_, **__):
        raise TypeError("an array on the device is no array of NumPy")


def install():
    """Has ``import cupy`` find it."""
    cupy = types.ModuleType("cupy")
    ndarray.__module__ = "cupy"
    cupy.ndarray = ndarray
    cupy.zeros = lambda shape, dtype: ndarray(np.zeros(shape, dtype))
    cupy.asnumpy = lambda array: array.cells.copy()
    cupy.asarray = lambda array: ndarray(np.array(array))
    cupy.cuda = types.SimpleNamespace(get_current_stream=Stream)
    sys.modules["cupy"] = cupy
    return cupy
