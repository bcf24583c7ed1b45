"""What a call gives back."""

from collections.abc import Mapping
from typing import Any, Dict, Iterator, List, NamedTuple, Tuple

import numpy as np

from ._devices import on_host
from ._errors import ArgumentError, Error

_AXES = "xyzw"


class Report(NamedTuple):
    """A row that a REPORT of the scheme wrote."""

    label: str
    values: Tuple[float, ...]


class Reports(List[Report]):
    """All rows, in order."""

    def labelled(self, label: str) -> "np.ndarray[Any, np.dtype[np.float64]]":
        """The values of the rows with a label, a row each."""
        rows = [row.values for row in self if row.label == label]
        return np.array(rows, dtype=np.float64)

    def to_pandas(self) -> Any:
        """A DataFrame with the columns ``label`` and a number for each value."""
        pandas = _pandas()
        rows = [{"label": row.label, **dict(enumerate(row.values))} for row in self]
        return pandas.DataFrame(rows)


class Copied(NamedTuple):
    """Bytes of arrays that a run copied between the host and a device."""

    to_device: int
    from_device: int


class Result(Mapping):  # type: ignore[type-arg]
    """The OUTPUT arrays by their names in the scheme, also as attributes; reports, seconds, series, copied."""

    __slots__ = ("_arrays", "_rows", "seconds", "series", "copied")

    #: Seconds that the timed part took.
    seconds: float
    #: The snapshots of each SAVE by its label: an array whose first axis counts them.
    series: Dict[str, Any]
    #: Bytes that went to a device and came from there.
    copied: Copied

    def __init__(
        self,
        arrays: Dict[str, Any],
        rows: List[Any],
        seconds: float,
        series: Dict[str, Any],
        copied: Tuple[int, int] = (0, 0),
    ) -> None:
        self._arrays = arrays
        self._rows = rows
        self.seconds = seconds
        self.series = series
        self.copied = Copied(*copied)

    @property
    def reports(self) -> Reports:
        """The rows that the scheme reported."""
        return Reports(Report(*row) for row in self._rows)

    def __getitem__(self, name: str) -> Any:
        try:
            return self._arrays[name]
        except KeyError:
            known = ", ".join(self._arrays) or "none"
            raise KeyError(f"there is no OUTPUT {name}; there is {known}") from None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._arrays[name]
        except KeyError:
            raise AttributeError(f"there is no OUTPUT {name}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    def __len__(self) -> int:
        return len(self._arrays)

    def __dir__(self) -> List[str]:
        return [*super().__dir__(), *self._arrays]

    def __repr__(self) -> str:
        shapes = [f"{name}: {array.dtype}{tuple(array.shape)}" for name, array in self._arrays.items()]
        reports = f", {len(self._rows)} reports" if self._rows else ""
        series = f", series {', '.join(self.series)}" if self.series else ""
        return f"<glushkov.Result {', '.join(shapes)}{reports}{series}, {self.seconds:.3g} s>"

    def to_pandas(self) -> Any:
        """A DataFrame of the arrays with one axis, a row each index; vectors have a column a component."""
        pandas = _pandas()
        columns: Dict[str, Any] = {}
        lengths: Dict[int, List[str]] = {}
        for name, array in self._arrays.items():
            array = on_host(array)
            if array.ndim == 2 and array.shape[1] <= len(_AXES):
                for axis, column in zip(_AXES, array.T):
                    columns[f"{name}.{axis}"] = column
            elif array.ndim == 1:
                columns[name] = array
            elif array.ndim == 0:
                continue
            else:
                raise ArgumentError(f"{name} has {array.ndim} axes, and a table has one")
            lengths.setdefault(len(array), []).append(name)
        if len(lengths) > 1:
            said = "; ".join(f"{', '.join(names)}: {n}" for n, names in lengths.items())
            raise ArgumentError(f"the arrays have different lengths, and a table has one: {said}")
        return pandas.DataFrame(columns)


def _pandas() -> Any:
    try:
        import pandas  # type: ignore[import-untyped]
    except ImportError as error:
        raise Error("to_pandas needs pandas: pip install pandas") from error
    return pandas
