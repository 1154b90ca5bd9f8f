"""Public names and what users read use the field's words; the private language of earlier versions stays away."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("api", "envs", "grading", "packs", "protection", "sdk", "tools")
# In names: the word, and what an engineer of the field would write.
NAMES = {
    "told": "response, report",
    "tell": "report",
    "tells": "reports",
    "seen": "evidence, observed",
    "held": "leased, sessions",
    "wanted": "expected",
    "mended": "fixed, regraded",
    "standing": "access_status",
    "bury": "close_crashed_tabs",
    "patience": "timeout",
    "patiently": "retry_until",
    "herd": "kill_tree",
    "carry": "transfer",
    "deeds": "tasks",
    "trunk": "Connection",
    "frames": "FrameProtocol",
    "holder": "HostClient, lease owner",
    "holders": "HostClient",
    "ticket": "CachedSession",
    "tickets": "cached_sessions",
    "rehearse": "simulate_episode",
    "settle": "finalize_submission",
    "conclude": "finalize_session",
    "divert": "create_replay_sessions",
    "knowing": "answer_key",
    "sides": "variant",
    "claim": "Lease",
    "claims": "leases",
    "recipe": "PoolSpec",
    "shelf": "SubPool",
    "gate": "SplitAccess, admission check",
    "heard": "reply",
    "said": "reply",
}
# In messages, help, pages and documents: phrases by which users met the old words.
PHRASES = re.compile(
    r"\b(?:tells? (?:you|the client|its caller)|mended|rehearsed?|rehearsal|patience|publish gate|the state of things"
    r"|the caller can mend|strike off|holder of the session)\b",
    re.IGNORECASE,
)
# What is left, by package. A number may fall and never rise; a package that is not here has none.
NAMES_LEFT: dict[str, int] = {}
PHRASES_LEFT: dict[str, int] = {}
# Words of the field in their own sense (OIDC's claims, a review that somebody claims, a barrier of asyncio), and fields
# of published packs.
ALLOWED = re.compile(
    r"(?:api/(?:login|reviews)/.*:(?:claim_review|[Cc]laims?)|grading/kinds/(?:form|table)\.py:seen|.*:(?:last_)?seen_at"
    r"|.*:held_back|.*:claim_seconds|grading/language/responses/claims\.py:claims?(?:_of)?|grading/equivalence/.*:tell_apart|envs/household/world\.py:held)"
)
ALLOWED_TEXTS = {
    "envs/web_forms/generator/pages.py",
    "envs/web_sites/sites/forum/app/phrases.py",
}  # content of exercises


def _words(name: str) -> set[str]:
    return {word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)}


def _public(node: ast.AST) -> Iterator[str]:
    """Names that a module or class makes for others: its definitions, their parameters, its attributes."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef):
            yield child.name
            yield from _public(child)
        elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield child.name
            if not child.name.startswith("_") or child.name == "__init__":
                arguments = child.args
                yield from (one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs))
        elif isinstance(child, ast.Assign | ast.AnnAssign):
            targets = child.targets if isinstance(child, ast.Assign) else [child.target]
            yield from (target.id for target in targets if isinstance(target, ast.Name))
        elif isinstance(child, ast.If | ast.Try | ast.With):
            yield from _public(child)


def _modules() -> Iterator[tuple[str, Path]]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if not {"vendor", "tests"} & set(path.parts):
                yield package, path


def _old_names() -> list[tuple[str, str]]:
    found = []
    for package, path in _modules():
        for name in (path.stem, *_public(ast.parse(path.read_text(encoding="utf-8")))):
            place = f"{path.relative_to(ROOT)}:{name}"
            if not name.startswith("_") and not ALLOWED.fullmatch(place):
                found += [(package, f"{place} ({NAMES[word]})") for word in _words(name) & NAMES.keys()]
    return found


def _texts(path: Path) -> Iterator[tuple[int, str]]:
    """What a Python file may show to users: its texts and docstrings. One word alone is a field's name."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.lineno, node.value


def _old_phrases() -> list[tuple[str, str]]:
    found = []
    for package, path in _modules():
        where = str(path.relative_to(ROOT))
        if where not in ALLOWED_TEXTS:
            hits = ((line, match) for line, text in _texts(path) for match in PHRASES.finditer(text))
            found += [(package, f"{where}:{line} {match[0]}") for line, match in hits]
    documents = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("api/web/**/*.html")]
    for path in documents:
        package = "api" if path.suffix == ".html" else "docs"
        for line, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            found += [(package, f"{path.relative_to(ROOT)}:{line} {match[0]}") for match in PHRASES.finditer(text)]
    return found


@pytest.mark.parametrize("kind", ["names", "phrases"])
def test_the_fields_words_are_used(kind: str) -> None:
    found, left = (_old_names(), NAMES_LEFT) if kind == "names" else (_old_phrases(), PHRASES_LEFT)
    counts = Counter(package for package, _ in found)
    risen = {package for package, count in counts.items() if count > left.get(package, 0)}
    shown = "\n".join(where for package, where in found if package in risen)
    assert not risen, f"old words, which say here what would be right:\n{shown}"
