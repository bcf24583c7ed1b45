"""The commands as functions, whose results are plain objects."""

import json
from dataclasses import dataclass, field
from typing import Any, Dict, Iterable, List, Optional, Union

from . import _glushkov
from ._errors import Diagnostic, diagnostic
from ._options import PathText, Settings, Texts, asked
from ._result import Report, Reports
from ._views import Derivation, Picture, Text, derivation


def _options(given: Dict[str, Any]) -> Dict[str, Any]:
    return {name: value for name, value in given.items() if name not in ("source", "text")}


def _list(given: Texts) -> List[str]:
    if given is None:
        return []
    return given.split(",") if isinstance(given, str) else list(given)


@dataclass(frozen=True)
class Check:
    """What a check found; true if it found no error."""

    ok: bool
    diagnostics: List[Diagnostic]
    #: What the reference machine said: ok, error, note; None if it did not run.
    machine: Optional[Dict[str, Any]]
    #: What is known of each loop, if it was asked for.
    facts: Optional[Text]
    #: All of it, as the command line has it.
    text: str = field(repr=False)

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        return self.text


def check(
    source: Optional[PathText] = None,
    *,
    text: Optional[str] = None,
    scheme: Optional[str] = None,
    precision: str = "f32",
    set: Settings = None,
    assume: Texts = None,
    facts: bool = False,
) -> Check:
    """Reads and checks a scheme, and runs it on the reference machine, which finds races and other errors.

    What is wrong with the scheme is in the result; nothing is raised for it.
    """
    data = json.loads(_glushkov.check(asked(source, text, _options(locals()))))
    return Check(
        ok=data["ok"],
        diagnostics=[diagnostic(one) for one in data["diagnostics"]],
        machine=data["machine"],
        facts=Text.of(data["facts"]) if data["facts"] is not None else None,
        text=data["text"],
    )


def derive(
    source: Optional[PathText] = None,
    *,
    text: Optional[str] = None,
    scheme: Optional[str] = None,
    strategy: str = "parallel",
    precision: str = "f32",
    set: Settings = None,
    with_: Settings = None,
    without: Texts = None,
    assume: Texts = None,
    rules: Any = None,
    operators: Any = None,
    meanings: bool = False,
    untested: bool = False,
    given: Settings = None,
    steps: Optional[int] = None,
    seconds: Optional[float] = None,
    save: Optional[PathText] = None,
    lang: str = "en",
) -> Derivation:
    """Transforms a scheme by a strategy; ``save`` is a file that ``glushkov replay`` reads."""
    data = json.loads(_glushkov.derive(asked(source, text, _options(locals()))))
    return derivation(data, diagnostic)


def show(
    source: Optional[PathText] = None,
    *,
    text: Optional[str] = None,
    as_: str = "text",
    lang: str = "en",
    ascii: bool = False,
    depth: Optional[int] = None,
    strategy: Optional[str] = None,
    scheme: Optional[str] = None,
    precision: str = "f32",
    with_: Settings = None,
    without: Texts = None,
    assume: Texts = None,
    rules: Any = None,
    operators: Any = None,
    meanings: bool = False,
    untested: bool = False,
    given: Settings = None,
) -> Union[Text, Picture]:
    """A scheme, or what a strategy derives from it: text, formula, latex, term, graph, dot, svg, dependences.

    The last two give a ``Picture``, the others a ``Text``.
    """
    made = _glushkov.show(asked(source, text, _options(locals())))
    return Picture(made) if as_ in ("svg", "dependences") else Text.of(made, as_)


@dataclass(frozen=True)
class Outcome:
    """What a run gave; true if its results agree with those of the sequential scheme, or were not compared."""

    #: The object of ``glushkov run --json``.
    data: Dict[str, Any] = field(repr=False)
    #: The report for people.
    text: str = field(repr=False)
    #: The OUTPUT arrays by their names.
    arrays: Dict[str, Any] = field(repr=False)
    passed: bool
    target: str
    strategy: str
    parameters: Dict[str, Any]
    #: Seconds to derive, emit, build and run, and those of the timed part, body.
    seconds: Dict[str, Any]
    notes: List[Diagnostic] = field(repr=False)

    @property
    def reports(self) -> Reports:
        """The rows that the scheme reported."""
        rows = self.data["reports"]
        return Reports(Report(row["label"], tuple(row["values"])) for row in rows)

    def __bool__(self) -> bool:
        return self.passed

    def __str__(self) -> str:
        return self.text


def run(
    source: Optional[PathText] = None,
    *,
    text: Optional[str] = None,
    target: str = "auto",
    strategy: Optional[str] = None,
    in_: Optional[PathText] = None,
    data: Optional[str] = None,
    out: Optional[PathText] = None,
    compare: Optional[bool] = None,
    compare_within: Optional[float] = None,
    tolerance: Optional[float] = None,
    scheme: Optional[str] = None,
    precision: str = "f32",
    set: Settings = None,
    with_: Settings = None,
    without: Texts = None,
    assume: Texts = None,
    rules: Any = None,
    operators: Any = None,
    meanings: bool = False,
    untested: bool = False,
    given: Settings = None,
    checked: bool = False,
    flags: Texts = None,
    tuned: Optional[PathText] = None,
    no_tuned: bool = False,
) -> Outcome:
    """Derives, builds and runs a scheme on its own inputs, and compares it with the sequential scheme.

    ``in_`` is a folder with NAME.npy for INPUT arrays, ``data`` a generator, ``out`` a folder for
    results. ``compare=True`` compares however long it takes, ``False`` does not.
    """
    said, report, arrays, passed = _glushkov.run(asked(source, text, _options(locals())))
    object_ = json.loads(said)
    notes = [diagnostic(note) for note in object_.pop("notes")]
    return Outcome(
        data=object_,
        text=report,
        arrays=arrays,
        passed=passed,
        target=object_["target"],
        strategy=object_["strategy"],
        parameters=object_["parameters"],
        seconds=object_["seconds"],
        notes=notes,
    )


@dataclass(frozen=True)
class Benchmark:
    """What was measured; true if the results of all variants agree."""

    #: An object a variant and size, as ``glushkov bench --json`` has it.
    rows: List[Dict[str, Any]] = field(repr=False)
    #: The table for people, in Markdown.
    table: str
    #: Time against the swept size, if it was asked for.
    picture: Optional[Picture]
    #: What differs, as the command line tells it; empty if nothing does.
    differences: str

    def __bool__(self) -> bool:
        return not self.differences

    def __str__(self) -> str:
        return self.table


def bench(
    source: Optional[PathText] = None,
    *,
    text: Optional[str] = None,
    target: Texts = "auto",
    strategy: Texts = None,
    set: Settings = None,
    runs: int = 9,
    warmup: int = 1,
    in_: Optional[PathText] = None,
    data: Optional[str] = None,
    compare: bool = True,
    tolerance: Optional[float] = None,
    plot: bool = False,
    ablate: bool = False,
    instructions: bool = False,
    clock: str = "host",
    scheme: Optional[str] = None,
    precision: str = "f32",
    with_: Settings = None,
    without: Texts = None,
    assume: Texts = None,
    rules: Any = None,
    operators: Any = None,
    meanings: bool = False,
    untested: bool = False,
    given: Settings = None,
    checked: bool = False,
    flags: Texts = None,
) -> Benchmark:
    """Measures sizes, targets and strategies side by side: ``set={"N": [256, 512]}``."""
    options = asked(source, text, _options(locals()))
    options.update(target=_list(target), strategy=_list(strategy))
    rows, table, plotted, differences = _glushkov.bench(options)
    picture = Picture(plotted) if plotted is not None else None
    return Benchmark(json.loads(rows), table, picture, differences)


@dataclass(frozen=True)
class Tuning:
    """What came of a tuning."""

    #: A row for each program that was tried.
    table: str
    #: The file that ``tuned`` takes, and that ``run`` and ``compile`` find; None if nothing was measured.
    path: Optional[str]

    def __str__(self) -> str:
        return self.table


def tune(
    source: Optional[PathText] = None,
    *,
    text: Optional[str] = None,
    target: str = "auto",
    strategy: Optional[str] = None,
    set: Settings = None,
    runs: int = 9,
    candidates: int = 64,
    float: Optional[str] = None,
    out: Optional[PathText] = None,
    within: Optional[Any] = None,
    fresh: bool = False,
    dry_run: bool = False,
    in_: Optional[PathText] = None,
    data: Optional[str] = None,
    tolerance: Optional[Any] = None,
    scheme: Optional[str] = None,
    precision: str = "f32",
    with_: Settings = None,
    without: Texts = None,
    assume: Texts = None,
    rules: Optional[Iterable[Any]] = None,
    untested: bool = False,
    given: Settings = None,
    operators: Any = None,
    meanings: bool = False,
    checked: bool = False,
    flags: Texts = None,
) -> Tuning:
    """Searches the strategy's parameters on this machine, for ``compile`` and ``run`` to take up."""
    return Tuning(*_glushkov.tune(asked(source, text, _options(locals()))))
