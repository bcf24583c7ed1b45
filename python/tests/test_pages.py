"""Examples of pages and notebooks: they run as they stand."""

import re
from pathlib import Path

import glushkov
import pytest

PYTHON = Path(__file__).resolve().parents[1]
PAGES = [PYTHON / "README.md", PYTHON.parent / "docs" / "python.md"]


def examples():
    for page in PAGES:
        blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)
        assert blocks, f"{page} has no example"
        # What is defined by one block is used by the next.
        yield pytest.param("\n".join(blocks), id=page.name)


@pytest.mark.parametrize("example", list(examples()))
def test_the_examples_run(example, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(compile(example, "example", "exec"), {"__name__": "__main__"})


@pytest.mark.parametrize("path", sorted((PYTHON / "examples").glob("*.ipynb")), ids=lambda p: p.name)
def test_notebooks_run_and_show_pictures(path, tmp_path):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(path, as_version=4)
    client = nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": tmp_path}})
    client.execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    pictures = [o for o in shown if "image/svg+xml" in o.get("data", {})]
    assert len(pictures) >= 2
    assert all(o["data"]["image/svg+xml"].startswith("<svg") for o in pictures)
    assert not [o for o in shown if o["output_type"] == "error"]


def test_there_is_a_notebook():
    assert list((PYTHON / "examples").glob("*.ipynb"))


def test_the_public_names_are_documented():
    for name in glushkov.__all__:
        thing = getattr(glushkov, name)
        assert (thing.__doc__ or "").strip(), f"{name} has no page"
