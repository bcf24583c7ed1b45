"""DLPack: where a tensor of a device is, for libraries that say it in no other way."""

import ctypes
from typing import Any, NamedTuple, Tuple

#: Memory of a CUDA device, as DLPack numbers it.
CUDA = 2
#: The default stream, as ``__dlpack__`` takes it.
DEFAULT_STREAM = 1


class _Tensor(ctypes.Structure):
    """The beginning of a managed tensor."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class Tensor(NamedTuple):
    """A tensor of a device."""

    first: int
    shape: Tuple[int, ...]
    #: In elements; none where the cells follow each other.
    strides: Tuple[int, ...]
    cells: str
    #: Who frees it, unless somebody else takes it over.
    capsule: Any


_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype = ctypes.c_void_p
_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]

_KINDS = {0: "i", 1: "u", 2: "f", 5: "c", 6: "b"}


def is_on_device(array: Any) -> bool:
    """Whether an object has a tensor in memory of a CUDA device."""
    device = getattr(array, "__dlpack_device__", None)
    return device is not None and hasattr(array, "__dlpack__") and int(device()[0]) == CUDA


def read(array: Any) -> Tensor:
    """The tensor, whose cells are there for what comes after the default stream."""
    capsule = array.__dlpack__(stream=DEFAULT_STREAM)
    said = _Tensor.from_address(_pointer(capsule, b"dltensor"))
    shape = tuple(said.shape[: said.ndim])
    strides = tuple(said.strides[: said.ndim]) if said.strides else ()
    kind = _KINDS.get(said.code, "V") if said.lanes == 1 else "V"
    cells = f"{kind}{said.bits // 8}"
    return Tensor((said.data or 0) + said.byte_offset, shape, strides, cells, capsule)
