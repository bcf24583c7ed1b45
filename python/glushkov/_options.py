"""Options as the functions of this package take them → as the extension reads them."""

import os
from typing import Any, Dict, Iterable, List, Mapping, Optional, Union

from ._errors import ArgumentError

PathText = Union[str, "os.PathLike[str]"]
Settings = Union[None, Mapping[str, Any], Iterable[str], str]
Texts = Union[None, str, Iterable[str]]


def asked(source: Optional[PathText], text: Optional[str], options: Mapping[str, Any]) -> Dict[str, Any]:
    """The options of a function, the scheme among them."""
    given = {name: value for name, value in options.items() if value is not None}
    for name in ("set", "with_"):
        if name in given:
            given[name] = settings(given[name])
    for name in ("assume", "flags"):
        if name in given:
            given[name] = _texts(given[name])
    if "without" in given:
        without = _texts(given["without"])
        given["without"] = [rule for text_ in without for rule in text_.split(",")]
    for name in ("rules", "operators"):
        if name in given:
            files = given[name]
            given[name] = [files] if isinstance(files, (str, os.PathLike)) else list(files)
    if (source is None) == (text is None):
        raise ArgumentError("a scheme is either the name of a file, or its text")
    if text is not None:
        given.update(name="<text>", text=text)
    elif not isinstance(source, os.PathLike) and "\n" in str(source):
        given.update(name="<text>", text=source)
    else:
        given["name"] = os.fspath(source) if source is not None else ""
    return given


def settings(given: Settings) -> List[str]:
    """Settings as the command line has them: each NAME=VALUE."""
    if given is None:
        return []
    if isinstance(given, Mapping):
        return [f"{name}={_value(value)}" for name, value in given.items()]
    return _texts(given)


def _value(value: Any) -> str:
    if isinstance(value, (list, tuple, range)):
        return ",".join(_value(one) for one in value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(float(value))
    return str(value)


def _texts(given: Texts) -> List[str]:
    if given is None:
        return []
    return [given] if isinstance(given, str) else list(given)
