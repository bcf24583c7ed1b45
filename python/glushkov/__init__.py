"""Sequential schemes in, checked parallel programs out: called with NumPy arrays.

>>> import glushkov
>>> f = glushkov.compile("gravity", strategy="cpu-fast")
>>> given = f.inputs(N=100)
>>> f(**given)["acc"].shape
(100, 3)

A scheme is an algorithm with its data, written once. ``compile`` derives a parallel program from
it, builds it, and gives a callable; ``check``, ``derive``, ``show``, ``run``, ``bench`` and ``tune``
do what the commands of those names do. Lines on what goes on go to the logger ``glushkov``.
"""

import atexit as _atexit

from . import _glushkov
from ._errors import ArgumentError, BuildError, Diagnostic, Error, RunError, SchemeError
from ._program import Argument, Program, Session, compile, scheme
from ._result import Copied, Report, Reports, Result
from ._stages import Benchmark, Check, Outcome, Tuning, bench, check, derive, run, show, tune
from ._views import Derivation, Picture, Text

__version__ = _glushkov.__version__

__all__ = [
    "Argument",
    "ArgumentError",
    "Benchmark",
    "BuildError",
    "Check",
    "Copied",
    "Derivation",
    "Diagnostic",
    "Error",
    "Outcome",
    "Picture",
    "Program",
    "Report",
    "Reports",
    "Result",
    "RunError",
    "SchemeError",
    "Session",
    "Text",
    "Tuning",
    "bench",
    "check",
    "compile",
    "derive",
    "run",
    "scheme",
    "show",
    "tune",
]

# They are known by the names under which they are public.
for _name in __all__:
    globals()[_name].__module__ = __name__

# Builds that could not be cached are in folders that go with this process.
_atexit.register(_glushkov.tidy)
