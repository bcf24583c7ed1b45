"""What a compiled program says of itself, and how compiling fails."""

import inspect
import logging
import os
import pickle
import subprocess
import sys
import textwrap

import conftest
import glushkov
import numpy as np
import pytest


def test_a_program_describes_itself(gravity):
    assert gravity.name == "Gravity of N bodies"
    assert gravity.parameters == {"N": "4096", "ROUNDS": "1", "eps": "0.01"}
    assert gravity.arrays == {"m": "(N,)", "r": "(N, 3)", "acc": "(N, 3)"}
    assert gravity.target == "rust" and gravity.strategy == "cpu-fast"
    assert gravity.source.startswith("# Accelerations") and "TIMED" in gravity.source
    assert gravity.float in ("reassociating", "approximate")
    assert str(gravity.arguments["r"]) == "r : VECTOR [N] INPUT"
    assert "r : VECTOR [N] INPUT  (float32 (N, 3))" in gravity.__doc__
    assert repr(gravity).startswith("<glushkov.Program 'Gravity of N bodies' (rust, cpu-fast): N")
    signature = inspect.signature(gravity)
    assert list(signature.parameters) == ["N", "ROUNDS", "eps", "m", "r"]
    assert signature.parameters["m"].default is inspect.Parameter.empty


def test_a_derivation_is_data(gravity):
    derivation = gravity.derivation
    assert derivation.strategy == "cpu-fast" and derivation.steps
    assert derivation.rules == [step["rule"] for step in derivation.steps]
    assert derivation.rules[0] in derivation.trace and "PARALLEL" in derivation.text
    assert gravity._repr_svg_().startswith("<svg") and "<pre>" in derivation.text._repr_html_()
    assert derivation.rules[0] in repr(derivation)


def test_a_program_is_built_once(gravity):
    again = glushkov.compile("gravity", strategy="cpu-fast")
    assert again.cached and again.library == gravity.library


def test_options_are_those_of_the_command_line(tmp_path):
    path = tmp_path / "chain.saa"
    path.write_text(conftest.CHAIN.replace("x[i] + step", "0 + step"))
    wide = glushkov.compile(
        path, precision="f64", strategy="sequential", set={"dt": 4.0}, with_={}, assume="N > 0"
    )
    assert wide.precision == "f64" and wide.strategy == "sequential"
    assert wide.arguments["at"].dtype == "float64"
    result = wide(m=[1, 2, 3], shift=[0, 0], x=np.zeros(3))
    np.testing.assert_array_equal(result.x, [2, 4, 6])
    with pytest.raises(glushkov.SchemeError, match="no parameter `M`"):
        glushkov.compile(path, set={"M": 4})
    with pytest.raises(glushkov.SchemeError, match="no parameter `threads`|has no parameter"):
        glushkov.compile(path, with_=["threads=7"], strategy="sequential")
    with pytest.raises(glushkov.SchemeError, match="there is no target \"gpu\""):
        glushkov.compile(path, target="gpu")
    with pytest.raises(glushkov.SchemeError, match="`precision` cannot be \"f16\""):
        glushkov.compile(path, precision="f16")
    with pytest.raises(glushkov.SchemeError, match="nothing is emitted for the target interpreter"):
        glushkov.compile(path, target="interpreter")
    with pytest.raises(TypeError):
        glushkov.compile(path, no_such_option=1)
    with pytest.raises(glushkov.ArgumentError, match="either"):
        glushkov.compile(path, text=conftest.CHAIN)


def test_errors_are_data(tmp_path):
    path = tmp_path / "wrong.saa"
    path.write_text(conftest.CHAIN.replace("REPORT \"the total\" (t, total)", "REPORT \"é\" (tt)"))
    with pytest.raises(glushkov.SchemeError) as refused:
        glushkov.compile(path)
    first = refused.value.diagnostics[0]
    assert (first.code, first.severity, first.file) == ("E0201", "error", str(path))
    lines = path.read_text().splitlines()
    assert lines[first.line - 1][first.column - 1 :].startswith("tt")
    assert "`tt`" in first.message and f"{path}:{first.line}:{first.column}" in str(refused.value)
    assert str(first).startswith(f"{path}:{first.line}")
    assert type(refused.value).__module__ == "glushkov"
    again = pickle.loads(pickle.dumps(refused.value))
    assert again.diagnostics == refused.value.diagnostics and str(again) == str(refused.value)
    with pytest.raises(glushkov.SchemeError, match="there is no file nowhere.saa"):
        glushkov.compile("nowhere.saa")


def test_a_compiler_that_is_missing(tmp_path):
    # Compilers are looked for once a process.
    code = """
        import glushkov, sys
        try:
            glushkov.compile(text=sys.stdin.read(), target="cuda")
        except glushkov.BuildError as error:
            print(error.code, "nvcc" in str(error), bool(error.diagnostics[0].hint))
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        input=conftest.CHAIN,
        env={**os.environ, "GLUSHKOV_NVCC": str(tmp_path / "no-nvcc")},
        capture_output=True,
        text=True,
    )
    assert done.stdout == "E1001 True True\n", done.stderr


def test_a_program_is_not_pickled(gravity):
    with pytest.raises(TypeError, match="compile it"):
        pickle.dumps(gravity)


def test_a_function_whose_body_is_a_scheme():
    @glushkov.scheme(conftest.CHAIN)
    def springs(m, shift, x, dt=1.0):
        """Pulls springs."""

    result = springs([1, 2, 3], [0, 0], x=np.zeros(3))
    np.testing.assert_array_equal(result.x, [1, 2, 3])
    assert springs.__doc__ == "Pulls springs." and springs.__name__ == "springs"
    assert springs.program.name == "Spring chain"
    assert list(inspect.signature(springs).parameters) == ["m", "shift", "x", "dt"]
    with pytest.raises(TypeError, match="missing"):
        springs([1, 2, 3])


def test_what_goes_on_is_logged(caplog):
    text = conftest.CHAIN.replace("dt / 2", "dt / 4")
    with caplog.at_level(logging.INFO, logger="glushkov"):
        glushkov.compile(text=text)
    assert any("building spring_chain (rust)" in line for line in caplog.messages)
