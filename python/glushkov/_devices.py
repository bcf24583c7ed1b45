"""Arrays of other libraries: where they are, and arrays of the same kind for results."""

import sys
from typing import Any, Dict, NamedTuple, Optional, Tuple

from . import _dlpack


class Place(NamedTuple):
    """An array on a device."""

    #: The address of its first cell.
    first: int
    shape: Tuple[int, ...]
    #: The kind of its cells, and their bytes: ``f4``.
    cells: str
    #: Whether its cells follow each other, the last axis running fastest.
    contiguous: bool
    read_only: bool
    #: The stream on which its cells are made: 0 and 1 are the default one.
    stream: int
    #: What must live as long as the address is used.
    keeps: Any = None


class Unreadable(Exception):
    """An array that cannot be read; its text says why."""


class Library:
    """What is asked of a library that arrays come from. Names of types are those of NumPy."""

    def place(self, array: Any) -> Optional[Place]:
        """Where an array is; None for the host."""
        raise NotImplementedError

    def wait(self, array: Any) -> None:
        """Waits until the cells are there."""

    def zeros(self, shape: Tuple[int, ...], dtype: str, like: Any) -> Any:
        """An array where another one is."""
        raise NotImplementedError

    def copy(self, array: Any) -> Any:
        """A copy with its cells in order."""
        raise NotImplementedError

    def to_numpy(self, array: Any) -> Any:
        """A copy on the host."""
        raise NotImplementedError

    def of_numpy(self, array: Any) -> Any:
        """An array of the host, which nobody else has."""
        raise NotImplementedError


class _Torch(Library):
    def __init__(self, torch: Any) -> None:
        self.torch = torch
        kinds = {"bool": "b1", "int32": "i4", "int64": "i8", "float32": "f4", "float64": "f8"}
        self.cells = {getattr(torch, name): cells for name, cells in kinds.items()}

    def place(self, array: Any) -> Optional[Place]:
        if not array.is_cuda:
            return None
        if array.requires_grad:
            raise Unreadable("it requires a gradient: give x.detach()")
        stream = self.torch.cuda.current_stream(array.device).cuda_stream
        cells = self.cells.get(array.dtype, str(array.dtype))
        # A view that is conjugated or negated later has other cells in memory.
        plain = array.is_contiguous() and not array.is_neg() and not array.is_conj()
        return Place(array.data_ptr(), tuple(array.shape), cells, plain, False, stream)

    def wait(self, array: Any) -> None:
        self.torch.cuda.current_stream(array.device).synchronize()

    def zeros(self, shape: Tuple[int, ...], dtype: str, like: Any) -> Any:
        return self.torch.zeros(shape, dtype=getattr(self.torch, dtype), device=like.device)

    def copy(self, array: Any) -> Any:
        return array.resolve_neg().resolve_conj().clone(memory_format=self.torch.contiguous_format)

    def to_numpy(self, array: Any) -> Any:
        return array.detach().cpu().numpy()

    def of_numpy(self, array: Any) -> Any:
        return self.torch.from_numpy(array)


class _CuPy(Library):
    def __init__(self, cupy: Any) -> None:
        self.cupy = cupy

    def place(self, array: Any) -> Optional[Place]:
        stream = self.cupy.cuda.get_current_stream().ptr
        cells = f"{array.dtype.kind}{array.dtype.itemsize}"
        return Place(array.data.ptr, array.shape, cells, array.flags.c_contiguous, False, stream)

    def wait(self, array: Any) -> None:
        self.cupy.cuda.get_current_stream().synchronize()

    def zeros(self, shape: Tuple[int, ...], dtype: str, like: Any) -> Any:
        with like.device:
            return self.cupy.zeros(shape, dtype)

    def copy(self, array: Any) -> Any:
        with array.device:
            return array.copy(order="C")

    def to_numpy(self, array: Any) -> Any:
        return self.cupy.asnumpy(array)

    def of_numpy(self, array: Any) -> Any:
        return self.cupy.asarray(array)


class _Jax(Library):
    def __init__(self, jax: Any) -> None:
        self.jax = jax

    def place(self, array: Any) -> Optional[Place]:
        if isinstance(array, self.jax.core.Tracer):
            raise Unreadable("it is traced, and has no cells yet: a program runs outside of jax.jit")
        devices = array.devices()
        if len(devices) != 1:
            raise Unreadable("it is spread over several devices")
        if next(iter(devices)).platform == "cpu":
            return None
        # What fills it has no stream that others could wait on.
        array.block_until_ready()
        cells = f"{array.dtype.kind}{array.dtype.itemsize}"
        return Place(array.unsafe_buffer_pointer(), array.shape, cells, True, True, 0)

    def zeros(self, shape: Tuple[int, ...], dtype: str, like: Any) -> Any:
        return self._made(self.jax.numpy.zeros(shape, dtype, device=like.sharding), dtype)

    def copy(self, array: Any) -> Any:
        return self._made(self.jax.numpy.array(array, copy=True), str(array.dtype))

    def to_numpy(self, array: Any) -> Any:
        import numpy

        return numpy.array(array)

    def of_numpy(self, array: Any) -> Any:
        # Through DLPack, without a copy: nobody else has the array, so that it does not change.
        if self.jax.config.jax_enable_x64 or array.dtype.itemsize < 8:
            try:
                return self.jax.dlpack.from_dlpack(array)
            except Exception:  # types or alignments that it does not take
                pass
        return self._made(self.jax.numpy.array(array), str(array.dtype))

    def _made(self, made: Any, dtype: str) -> Any:
        if str(made.dtype) != dtype:
            raise Unreadable(f"JAX has no {dtype} unless jax_enable_x64 is set")
        return made.block_until_ready()


_MAKE = {"torch": _Torch, "cupy": _CuPy, "jax": _Jax}
_MODULES = {"torch": "torch", "cupy": "cupy", "jax": "jax", "jaxlib": "jax"}
_KNOWN: Dict[str, Library] = {}
#: The libraries of types that were seen.
_OF_TYPE: Dict[type, Optional[Library]] = {}


def _library_of(kind: type) -> Optional[Library]:
    """The library whose arrays a type has; None for others."""
    for base in kind.__mro__:
        name = _MODULES.get(base.__module__.partition(".")[0])
        # It is imported, as somebody has an array of it.
        if name is None or name not in sys.modules:
            continue
        if name not in _KNOWN:
            _KNOWN[name] = _MAKE[name](sys.modules[name])
        return _KNOWN[name]
    return None


def seen(array: Any, on_device: bool) -> Tuple[Optional[Library], Optional[Place]]:
    """The library that an array comes from, if it is known, and its place on a device, if it is there.

    Where nothing is to be on a device, nothing is asked about it.
    """
    kind = type(array)
    try:
        library = _OF_TYPE[kind]
    except KeyError:
        library = _OF_TYPE[kind] = _library_of(kind)
    if not on_device:
        return library, None
    if library is not None:
        return library, library.place(array)
    said = getattr(array, "__cuda_array_interface__", None)
    if said is not None:
        return None, _of_interface(said)
    if _dlpack.is_on_device(array):
        return None, _of_tensor(_dlpack.read(array))
    return None, None


def _follow(shape: Tuple[int, ...], strides: Optional[Tuple[int, ...]], step: int) -> bool:
    """Whether cells that are ``step`` apart follow each other; they do without strides."""
    if not strides or 0 in shape:
        return True
    for size, stride in zip(reversed(shape), reversed(strides)):
        if size != 1 and stride != step:
            return False
        step *= size
    return True


def _of_tensor(tensor: _dlpack.Tensor) -> Place:
    contiguous = _follow(tensor.shape, tensor.strides, 1)
    # Whether it may be written is not said in this version.
    return Place(tensor.first, tensor.shape, tensor.cells, contiguous, True, 0, tensor.capsule)


def _of_interface(said: Dict[str, Any]) -> Place:
    """What version 3 of the interface says."""
    if said.get("mask") is not None:
        raise Unreadable("it has a mask")
    shape, cells = tuple(said["shape"]), said["typestr"]
    contiguous = _follow(shape, said.get("strides"), int(cells[2:]))
    first, read_only = said["data"]
    cells = cells[1:] if cells[0] != ">" else cells
    return Place(first, shape, cells, contiguous, read_only, said.get("stream") or 0)


def on_host(array: Any) -> Any:
    """An array as one of NumPy."""
    library = _library_of(type(array))
    return array if library is None else library.to_numpy(array)
