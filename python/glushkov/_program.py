"""A scheme that is compiled: called, described, and run again on what it keeps."""

import functools
import inspect
import json
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Callable, Dict, List, Optional, Tuple, Type

from . import _glushkov
from ._errors import Diagnostic, diagnostic
from ._options import PathText, Settings, Texts, asked
from ._result import Result
from ._views import Derivation, Text, derivation


@dataclass(frozen=True)
class Argument:
    """A parameter or an array of a scheme."""

    #: The name in the scheme.
    name: str
    #: parameter, input, output, or both.
    kind: str
    #: As the scheme declares it: ``VECTOR [N]``.
    declared: str
    #: The type of its cells in NumPy.
    dtype: str
    #: The shape in the scheme's names: ``(N, 3)``.
    shape: str
    #: The sizes in the scheme's names.
    sizes: Tuple[str, ...]
    #: More than one for vectors, whose components are a last axis.
    components: int
    #: The default of a parameter, as the scheme has it.
    default: Optional[str]
    #: Whether a call may leave it out.
    optional: bool

    def __str__(self) -> str:
        words = {"input": " INPUT", "output": " OUTPUT", "both": " INPUT OUTPUT"}
        default = f" := {self.default}" if self.default is not None else ""
        return f"{self.name} : {self.declared}{words.get(self.kind, '')}{default}"


class Program(_glushkov.Program):
    """A scheme that is derived, built and loaded.

    Called with parameters and arrays by their names in the scheme, it runs and gives a ``Result``.
    Parameters that sizes tell may be left out, as may those with defaults. Arrays are taken without
    a copy where their type and layout fit; a type that does not become the scheme's without loss
    needs ``cast=True``. Arrays that the scheme changes are copied first, unless ``inplace=True``.
    Outputs are arrays of the library of the first array, where that one is.
    A scheme's own arguments named ``cast`` or ``inplace`` go before these.
    """

    #: The name of the scheme.
    name: str
    target: str
    strategy: str
    #: What REAL means: f32 or f64.
    precision: str
    #: What the strategy may have done to floating-point results.
    float: str
    #: The text of the scheme.
    source: Text
    #: The shared library, and the header of its functions.
    library: str
    header: str
    #: Whether it was built before.
    cached: bool
    #: What the strategy left undone, and why.
    notes: List[Diagnostic]
    #: All arguments by their names, in the order of the scheme.
    arguments: Dict[str, Argument]

    def __init__(self, options: Dict[str, Any]) -> None:
        about = json.loads(self._about())
        for name in ("name", "target", "strategy", "precision", "float", "library", "header", "cached"):
            setattr(self, name, about[name])
        self.source = Text.of(about["source"] or "")
        self.notes = [diagnostic(note) for note in about["notes"]]
        self.arguments = {one["name"]: _argument(one) for one in about["arguments"]}
        self.__doc__ = _page(self, about["series"])
        self.__signature__ = _signature(self)

    @property
    def parameters(self) -> Dict[str, Optional[str]]:
        """The parameters with their defaults, as the scheme has them."""
        return {a.name: a.default for a in self.arguments.values() if a.kind == "parameter"}

    @property
    def arrays(self) -> Dict[str, str]:
        """The INPUT and OUTPUT arrays with their shapes in the scheme's names."""
        return {a.name: a.shape for a in self.arguments.values() if a.kind != "parameter"}

    @functools.cached_property
    def derivation(self) -> Derivation:
        """What the strategy made of the scheme, step by step."""
        return derivation(json.loads(self._derivation()), diagnostic)

    def __call__(self, /, **arguments: Any) -> Result:
        return Result(*self._call(**arguments))

    def inputs(self, generator: Optional[str] = None, /, **arguments: Any) -> Dict[str, Any]:
        """The parameters, and the INPUT arrays that DEFAULT INPUT or a generator makes for them.

        ``f(**f.inputs(N=100))`` is a run of the scheme as it stands. Arrays that are given stay.
        """
        return self._inputs(generator, **arguments)

    def session(self, /, **arguments: Any) -> "Session":
        """A session, in which these arguments are set."""
        session = Session(self, self._session())
        session.set(**arguments)
        return session

    def __repr__(self) -> str:
        arguments = ", ".join(str(argument) for argument in self.arguments.values())
        return f"<glushkov.Program {self.name!r} ({self.target}, {self.strategy}): {arguments}>"

    def _repr_svg_(self) -> str:
        return self.derivation.picture.svg

    def __reduce__(self) -> Any:
        raise TypeError("a program cannot be pickled: compile it where it is needed")


class Session:
    """What a program keeps between runs: ``with f.session(m=m, r=r) as s: s.run(); s["r"]``.

    Arguments stay as they were set, and arrays that the scheme changes stay as a run left them. One
    thread uses a session at a time. Arrays are read as arrays of the kind that was set; outputs are of
    the kind of the first array.
    """

    def __init__(self, program: Program, state: "_glushkov.Session") -> None:
        self.program = program
        self._state = state

    def set(self, /, **arguments: Any) -> None:
        """Sets arguments by their names; arrays are copied in."""
        self._state.set(**arguments)

    def run(self, /, **arguments: Any) -> Result:
        """Sets arguments and runs; the result has reports, seconds and series. Arrays are read from the session."""
        if arguments:
            self._state.set(**arguments)
        return Result({}, *self._state.run())

    def step(self, times: int = 1, /, **arguments: Any) -> Result:
        """Sets arguments and runs so many times; the result is that of the last run, with the seconds of all."""
        if times < 1:
            raise ValueError(f"a session takes one step or more, not {times}")
        result = self.run(**arguments)
        seconds = result.seconds
        for _ in range(times - 1):
            result = self.run()
            seconds += result.seconds
        result.seconds = seconds
        return result

    def __getitem__(self, name: str) -> Any:
        return self._state.get(name)

    def __setitem__(self, name: str, value: Any) -> None:
        self._state.set(**{name: value})

    def close(self) -> None:
        """Ends the session; what it holds is gone."""
        self._state.close()

    def __enter__(self) -> "Session":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<glushkov.Session of {self.program.name!r}>"


def compile(
    source: Optional[PathText] = None,
    *,
    text: Optional[str] = None,
    scheme: Optional[str] = None,
    target: str = "rust",
    strategy: Optional[str] = None,
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
    lang: str = "en",
) -> Program:
    """Derives a scheme, builds its program as a shared library, and loads it.

    The options are those of ``glushkov run``, with the same defaults but for the target:

    source
        a file, or the name of a scheme of the library; a text of several lines is the scheme itself
    scheme
        which scheme of the file, by its name; the first, if not given
    target
        ``rust``, ``cpp``, ``cuda``, ``rust-cuda``, or ``auto``: cuda where a device and nvcc are found
    strategy
        such as ``cpu-fast``; ``cpu`` for rust, ``gpu`` for devices, if not given
    precision
        what REAL means: ``f32`` or ``f64``
    set
        defaults for the scheme's parameters: ``{"eps": 0.1}``
    with_
        parameters of the strategy: ``{"chunk": 256}``
    without
        rules that the strategy is to do without
    assume
        claims to be taken as true: ``"eps > 0"``
    rules, untested
        further rule files, and whether rules are applied that were not tested
    given
        which member of a family of schemes: ``{"method": "leapfrog"}``
    operators, meanings
        files of basic operators whose code may be built and run, or folders of them; whether operators become
        what they mean even where they have code
    checked
        whether every subscript is checked in the program
    flags
        further flags for nvcc
    tuned, no_tuned
        a file that ``tune`` wrote; parameters as they are, whatever was tuned
    lang
        the language of keywords in the derivation's text: ``en``, ``uk``, ``ru``
    """
    options = {name: value for name, value in locals().items() if name not in ("source", "text")}
    return Program(asked(source, text, options))


def scheme(text: str, **options: Any) -> Callable[[Callable[..., Any]], Callable[..., Result]]:
    """Makes a function run a scheme: its signature names the arguments and gives defaults.

    >>> @glushkov.scheme('''SCHEME "twice" ==== … END OF SCHEME''')
    ... def twice(x): "Twice x."

    The function's own body is not run. The scheme is compiled when it is first called, or when its
    attribute ``program`` is first read; the options are those of ``compile``.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Result]:
        signature = inspect.signature(function)
        program = functools.lru_cache(maxsize=1)(lambda: compile(text=text, **options))

        class Scheme:
            """A function whose body is a scheme."""

            @property
            def program(self) -> Program:
                """The compiled scheme."""
                return program()

            def __call__(self, /, *positional: Any, **named: Any) -> Result:
                bound = signature.bind(*positional, **named)
                bound.apply_defaults()
                return program()(**bound.arguments)

            def __repr__(self) -> str:
                return f"<glushkov.scheme {function.__name__}{signature}>"

        made = Scheme()
        functools.update_wrapper(made, function)
        return made

    return decorate


def _argument(data: Dict[str, Any]) -> Argument:
    return Argument(
        name=data["name"],
        kind=data["kind"],
        declared=data["declared"],
        dtype=data["dtype"],
        shape=data["shape"],
        sizes=tuple(data["sizes"]),
        components=data["components"],
        default=data["default"],
        optional=data["kind"] == "parameter" or data["has_values"],
    )


def _signature(program: Program) -> inspect.Signature:
    given = [a for a in program.arguments.values() if a.kind != "output"]
    parameters = [
        inspect.Parameter(
            a.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=_Default(a.default or "…") if a.optional else inspect.Parameter.empty,
        )
        for a in given
        if a.name.isidentifier()
    ]
    return inspect.Signature(parameters)


class _Default:
    """A default as the scheme has it, for signatures."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def _page(program: Program, series: List[str]) -> str:
    lines = [program.name, ""]
    kinds = [("parameter", "Parameters"), ("input", "Inputs"), ("both", "Inputs that change")]
    for kind, title in [*kinds, ("output", "Outputs")]:
        of_kind = [a for a in program.arguments.values() if a.kind == kind]
        if of_kind:
            lines.append(f"{title}:")
        for a in of_kind:
            form = f"  ({a.dtype}{'' if a.shape == '()' else f' {a.shape}'})"
            lines.append(f"    {a}{form}")
    if series:
        lines.append(f"Series: {', '.join(series)}")
    lines.append(f"Derived by {program.strategy} for target {program.target}: {program.float}.")
    return "\n".join(lines)
