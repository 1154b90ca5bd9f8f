"""`heldout-grading`: the grader by itself, under its own name, with nothing of Heldout beside it."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[3]
PACKAGE = ROOT / "packaging" / "heldout-grading"


@pytest.fixture(scope="module")
def build() -> ModuleType:
    """The build's own module, hatchling's part of it aside."""
    source = (PACKAGE / "build_engine.py").read_text(encoding="utf-8")
    head = source[: source.index("class CustomBuildHook")].replace(
        "from hatchling.builders.hooks.plugin.interface import BuildHookInterface", ""
    )
    spec = importlib.util.spec_from_loader("build_engine", loader=None)
    assert spec
    module = importlib.util.module_from_spec(spec)
    module.__file__ = str(PACKAGE / "build_engine.py")
    exec(head, vars(module))
    return module


def test_every_import_gets_the_other_name(build: ModuleType, tmp_path: Path) -> None:
    build.write(tmp_path / "heldout_grading")
    files = list((tmp_path / "heldout_grading").rglob("*.py"))
    assert len(files) > 100
    left = [file.name for file in files if re.search(r"^\s*(from|import) grading\b", file.read_text(), re.MULTILINE)]
    assert left == []
    assert 'name = "grading' not in build.renamed('name = "grading"\nfrom grading.x import y\n').split("\n")[1]
    assert build.renamed("import grading\n    from grading.a import b\nfrom gradings import c\n") == (
        "import heldout_grading.engine\n    from heldout_grading.engine.a import b\nfrom gradings import c\n"
    )


@pytest.mark.timeout(300)
def test_the_readme_runs_where_nothing_else_of_ours_is(build: ModuleType, tmp_path: Path) -> None:
    build.write(tmp_path / "heldout_grading")
    command = [sys.executable, str(PACKAGE / "checks" / "alone.py"), str(PACKAGE / "README.md")]
    done = subprocess.run(
        command, cwd="/", env={"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "a batch of 60" in done.stdout
