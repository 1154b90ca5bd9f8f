"""The house stays easy to see: small files, small functions, everything annotated."""

import ast
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILES = sorted(
    path
    for folder in ("api", "envs", "grading", "infra", "packs", "protection", "sdk", "tests", "tools")
    for path in (ROOT / folder).rglob("*.py")
    if not {".venv", "vendor", "node_modules", "mutants"} & set(path.parts)
)


def _lines(path: Path) -> int:
    return len(path.read_text().splitlines())


def test_files_are_short() -> None:
    long = {str(p.relative_to(ROOT)): n for p in FILES if (n := _lines(p)) > 500}
    assert long == {}


def test_no_module_gives_a_name_twice() -> None:
    """The second would stand silently in the first one's place, for whoever uses that."""
    twice = {}
    for path in FILES:
        given = Counter(
            name.id
            for node in ast.parse(path.read_text()).body
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None
            for name in (node.targets if isinstance(node, ast.Assign) else [node.target])
            if isinstance(name, ast.Name)
        )
        if again := [name for name, count in given.items() if count > 1]:
            twice[str(path.relative_to(ROOT))] = again
    assert twice == {}


@pytest.mark.parametrize("folder", ["api", "envs", "grading", "packs", "protection", "sdk", "tools"])
def test_functions_are_short_and_annotated(folder: str) -> None:
    long, bare = [], []
    for path in FILES:
        if path.relative_to(ROOT).parts[0] != folder or "tests" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            where = f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
            if (node.end_lineno or 0) - node.lineno >= 60:
                long.append(where)
            if node.returns is None and folder != "tools":
                bare.append(where)
    assert (long, bare) == ([], [])


SLOW_TO_IMPORT = {"nltk", "pandas", "ray", "rouge_score", "sacrebleu", "sklearn", "statsmodels", "sympy"}


def test_collecting_the_tests_imports_nothing_slow() -> None:
    slow = []
    for path in FILES:
        if path.relative_to(ROOT).parts[0] == "tests":
            for node in ast.parse(path.read_text()).body:
                named = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
                named += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                slow += [f"{path.relative_to(ROOT)}:{name}" for name in named if name.split(".")[0] in SLOW_TO_IMPORT]
    assert slow == [], "import it in the function that needs it"
