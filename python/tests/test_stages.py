"""The commands as functions, and the command line itself."""

import signal
import subprocess
import sys
import time

import conftest
import glushkov
import numpy as np
import pytest


def test_check_tells_what_is_right_and_wrong():
    found = glushkov.check("heat")
    assert found and found.machine["ok"] and "no error" in str(found)
    text = conftest.CHAIN.replace("total := x[m[0]]", "total := x[m]")
    wrong = glushkov.check(text)
    assert not wrong and wrong.machine is None and "error[" in wrong.text
    first = wrong.diagnostics[0]
    assert text.splitlines()[first.line - 1][first.column - 1 :].startswith("m] END IF")
    text = conftest.CHAIN.replace(
        "FOR (i FROM 0 TO N - 1) LOOP total := total + x[i] END OF LOOP",
        "PARALLEL (i FROM 0 TO N - 1) (total := total + x[i])",
    )
    race = glushkov.check(text=text)
    assert not race.ok and race.machine["error"]["message"] and race.diagnostics[-1].code == "E0401"
    assert "loop over" in glushkov.check("heat", facts=True).facts


def test_derive_gives_steps_and_a_picture(tmp_path):
    record = tmp_path / "d.json"
    derived = glushkov.derive("hermite", strategy="paper", save=record)
    assert "RunKernel" in derived.text and "kernel" in derived.rules
    assert derived._repr_svg_().startswith("<svg") and record.stat().st_size > 1000
    assert "ДЛЯ" in glushkov.derive("heat", lang="uk").text
    with pytest.raises(glushkov.SchemeError, match="strategy"):
        glushkov.derive("heat", strategy="no-such-strategy")


def test_show_knows_the_forms(tmp_path):
    text = glushkov.show("heat")
    assert text.startswith("# Heat") and "SCHEME" in text and text.form == "text"
    bare = glushkov.show(text)
    assert bare.startswith("SCHEME") and glushkov.show(bare) == bare
    formula = glushkov.show("heat", as_="formula")
    path = tmp_path / "heat.saaf"
    formula.save(path)
    assert glushkov.show(path, as_="formula") == formula
    for form in ("latex", "term", "graph", "dot"):
        assert len(glushkov.show("heat", as_=form)) > 100
    picture = glushkov.show("heat", as_="svg", strategy="gpu")
    assert picture._repr_svg_().startswith("<svg") and "SVG" in repr(picture)
    picture.save(tmp_path / "heat.svg")
    assert (tmp_path / "heat.svg").read_text() == picture.svg
    assert glushkov.show("heat", as_="dependences").svg.startswith("<svg")
    with pytest.raises(glushkov.SchemeError, match="it is one of text, formula"):
        glushkov.show("heat", as_="poem")


def test_run_compares_with_the_sequential_scheme():
    outcome = glushkov.run("heat", target="rust", set={"N": 20})
    assert outcome and outcome.target == "rust" and outcome.parameters["N"] == 20
    assert "compared" in str(outcome) and outcome.seconds["body"] >= 0
    array = next(iter(outcome.arrays.values()))
    assert isinstance(array, np.ndarray) and array.shape == (20, outcome.parameters["M"])
    assert outcome.reports == [] or outcome.reports[0].label


def test_a_run_on_the_reference_machine():
    outcome = glushkov.run("heat", target="interpreter", set="N=12", compare=False)
    assert outcome.target == "interpreter" and outcome.data["compare"] is None


def test_bench_measures_side_by_side():
    measured = glushkov.bench(
        "heat", target="rust", strategy=["sequential", "parallel"], set={"N": [8, 16]}, runs=2, plot=True
    )
    assert measured and len(measured.rows) == 4 and "sequential" in measured.table
    assert measured.picture.svg.startswith("<svg")


def test_tune_shows_what_it_would_try():
    tuning = glushkov.tune("heat", target="rust", strategy="cpu", dry_run=True)
    assert tuning.path is None and tuning.table


def test_the_command_line(tmp_path):
    def tool(*words):
        command = [sys.executable, "-m", "glushkov", *words]
        return subprocess.run(command, capture_output=True, text=True)

    shown = tool("show", "heat")
    assert shown.returncode == 0 and shown.stdout.strip() == glushkov.show("heat").strip()
    wrong = tmp_path / "wrong.saa"
    wrong.write_text("SCHEME")
    failed = tool("check", str(wrong))
    assert failed.returncode == 2 and "error[E" in failed.stderr
    assert tool("--version").stdout == f"glushkov {glushkov.__version__}\n"
    assert tool("no-such-command").returncode == 2


def test_a_signal_ends_the_command_line():
    words = ["bench", "heat", "--target", "interpreter", "--set", "N=20", "--runs", "10000"]
    command = [sys.executable, "-m", "glushkov", *words]
    tool = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(2)
    tool.send_signal(signal.SIGINT)
    tool.communicate(timeout=30)
    assert tool.returncode == 130
