"""What is raised: one exception a kind, with diagnostics as data."""

import json
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple


@dataclass(frozen=True)
class Diagnostic:
    """A finding: what, where, and what to do."""

    code: str
    severity: str
    message: str
    file: Optional[str] = None
    line: Optional[int] = None
    column: Optional[int] = None
    hint: Optional[str] = None
    #: The bytes of the text that it is about, from and to.
    span: Optional[Tuple[int, int]] = None

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.line else ""
        hint = f" ({self.hint})" if self.hint else ""
        return f"{place}{self.severity}[{self.code}]: {self.message}{hint}"


class Error(Exception):
    """What every exception of this package is. Its text is that of the command line."""

    #: What is told, in order.
    diagnostics: List[Diagnostic]

    def __init__(self, text: str = "", diagnostics: Optional[List[Diagnostic]] = None) -> None:
        super().__init__(text)
        self.diagnostics = diagnostics or []

    @property
    def code(self) -> Optional[str]:
        """The code of the first error: ``glushkov explain CODE`` says more."""
        codes = (d.code for d in self.diagnostics if d.severity == "error")
        return next(codes, None)

    def __reduce__(self) -> Any:
        return type(self), (str(self), self.diagnostics)


class SchemeError(Error):
    """A scheme cannot be read, checked or derived, or an option is wrong."""


class BuildError(Error):
    """A program cannot be emitted or built: a compiler or a device is missing, or fails."""


class RunError(Error):
    """A program ended with an error, such as an algorithm without a result."""


class ArgumentError(Error, ValueError, TypeError):
    """An argument of a call is unknown, missing, or of another type or shape."""


_KINDS = {kind.__name__: kind for kind in (Error, SchemeError, BuildError, RunError, ArgumentError)}


def diagnostic(data: Dict[str, Any]) -> Diagnostic:
    """A diagnostic of the extension's data."""
    span = data.get("span")
    return Diagnostic(
        code=data["code"],
        severity=str(data["severity"]).lower(),
        message=data["message"],
        file=data.get("file"),
        line=data.get("line"),
        column=data.get("column"),
        hint=data.get("hint"),
        span=tuple(span) if span else None,
    )


def made(kind: str, text: str, data: str) -> Error:
    """The exception of the extension's data."""
    return _KINDS[kind](text, [diagnostic(one) for one in json.loads(data)])
