"""Texts and pictures that notebooks show."""

import html
from dataclasses import dataclass, field
from os import PathLike
from typing import Any, Callable, Dict, List, Union

from ._errors import Diagnostic


class Text(str):
    """A text of a scheme: a string that notebooks show with its lines."""

    #: The form: text, formula, latex, term, graph or dot.
    form: str = "text"

    @classmethod
    def of(cls, text: str, form: str = "text") -> "Text":
        """A text of a form."""
        made = cls(text)
        made.form = form
        return made

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self)}</pre>"

    def save(self, path: Union[str, "PathLike[str]"]) -> None:
        """Writes it to a file, as UTF-8."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self)


@dataclass(frozen=True)
class Picture:
    """A drawing as SVG."""

    svg: str

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<glushkov.Picture, {len(self.svg)} bytes of SVG>"

    def save(self, path: Union[str, "PathLike[str]"]) -> None:
        """Writes it to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)


@dataclass(frozen=True)
class Derivation:
    """What a strategy made of a scheme, step by step."""

    #: The derived scheme.
    text: Text
    strategy: str
    #: What the steps may do to floating-point results: exact, reassociating, unordered, approximate.
    float: str
    #: Each step with its rule, its place and what its condition asked.
    steps: List[Dict[str, Any]] = field(repr=False)
    #: The steps for people.
    trace: Text = field(repr=False)
    #: What was left undone, and why.
    notes: List[Diagnostic] = field(repr=False)
    #: A drawing of the derived scheme.
    picture: Picture = field(repr=False)

    @property
    def rules(self) -> List[str]:
        """The rules that were applied, in order."""
        return [step["rule"] for step in self.steps]

    def __str__(self) -> str:
        return str(self.text)

    def __repr__(self) -> str:
        rules = ", ".join(dict.fromkeys(self.rules)) or "no rules"
        return f"<glushkov.Derivation by {self.strategy}, {self.float}: {rules}>"

    def _repr_svg_(self) -> str:
        return self.picture.svg


def derivation(data: Dict[str, Any], diagnostic: Callable[[Dict[str, Any]], Diagnostic]) -> Derivation:
    """A derivation of the extension's data."""
    return Derivation(
        text=Text.of(data["text"]),
        strategy=data["strategy"],
        float=data["float"],
        steps=data["steps"],
        trace=Text.of(data["trace"]),
        notes=[diagnostic(note) for note in data["notes"]],
        picture=Picture(data["svg"]),
    )
