"""Each command that the pages show is one that there is: its name, its options, make's targets, python's modules.

Whole runs of pages are elsewhere (tests/acceptance/test_stranger.py, test_readme.py, test_client_page.py); here no line
of a fenced block, and no command in running text, may name what the programs do not have.
"""

import importlib.util
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from typer.core import TyperCommand, TyperGroup

from api.cli.main import built
from heldout._commands import app

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
_FENCE = re.compile(r"^```(sh|bash|console|)\n(.*?)^```", re.DOTALL | re.MULTILINE)
_INLINE = re.compile(r"`((?:heldout|heldout-server|make|python -m) [^`]+)`")
_ENDS = re.compile(r"\s(?:\||&&|;|>|2>)(?:\s|$)")
_HEADS = re.compile(r"^(?:\$ |[A-Z_]+=\S* |export |uv run (?:--\S+ )*|\.venv/bin/|watch )+")
_PROGRAMS = {"heldout", "heldout-server", "make", "python"}
# Modules of packages that are not installed here; what they are is said beside them.
_ELSEWHERE = {"build", "pip", "src", "venv"}
Command = TyperCommand | TyperGroup


def _lines(text: str) -> Iterator[str]:
    for _, block in _FENCE.findall(text):
        yield from re.sub(r"\\\n\s*", " ", block).splitlines()
    yield from (found.replace("\n", " ") for found in _INLINE.findall(_FENCE.sub("", text)))


def commands(text: str) -> list[list[str]]:
    """The commands of a page as words, programs of this project only."""
    found = []
    for line in _lines(text):
        inner = [*re.findall(r"\$\(([^)]*)\)", line), re.sub(r"\$\([^)]*\)", "x", line)]
        for each in inner:
            words = _words(_HEADS.sub("", _ENDS.split(each.strip())[0]))
            if words and words[0] in _PROGRAMS:
                found.append(words)
    return found


def _words(line: str) -> list[str]:
    try:
        return shlex.split(line, comments=True)
    except ValueError:
        return []


def fault(words: list[str], programs: dict[str, Command]) -> str:
    """What is wrong with a command; nothing where it could be run."""
    program, *rest = words
    if program == "make":
        targets = {word for word in rest if re.fullmatch(r"[a-z][a-z-]*", word)}
        missing = ", ".join(sorted(targets - _targets()))
        return f"there is no target {missing}" if missing else ""
    if program == "python":
        named = rest[1] if rest[:1] == ["-m"] else ""
        known = not named or named.split(".")[0] in _ELSEWHERE or importlib.util.find_spec(named)
        return "" if known else f"there is no module {named}"
    return _unknown(programs[program], rest)


def _targets() -> set[str]:
    return set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def _unknown(command: Command, rest: list[str]) -> str:
    while isinstance(command, TyperGroup) and rest and not rest[0].startswith("-"):
        names = rest.pop(0).split("|")
        if missing := [name for name in names if name not in command.commands and re.fullmatch(r"[a-z-]+", name)]:
            return f"{command.name or 'heldout'} has no command {', '.join(missing)}"
        following = command.commands.get(names[0])
        if not isinstance(following, TyperCommand | TyperGroup):
            return ""
        command = following
    known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
    given = {word.split("=")[0] for word in rest if re.match(r"--?[a-z]", word)}
    wrong = given - known - {"--help"}
    return f"{command.name} has no {', '.join(sorted(wrong))}" if wrong else ""


@pytest.fixture(scope="module")
def programs() -> dict[str, Command]:
    found = {"heldout": typer.main.get_command(app), "heldout-server": typer.main.get_command(built())}
    return {name: each for name, each in found.items() if isinstance(each, TyperCommand | TyperGroup)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_commands_of_a_page_exist(page: Path, programs: dict[str, Command]) -> None:
    found = commands(page.read_text(encoding="utf-8"))
    faults = {" ".join(words): said for words in found if (said := fault(words, programs))}
    assert not faults


def test_what_is_not_there_is_found(programs: dict[str, Command]) -> None:
    page = """Run `heldout submit a.jsonl --modle m` or `make tests`.

```sh
export KEY=$(uv run --no-sync heldout-server keys creat --email a@example.org)
HELDOUT_PORT=1 heldout runn -b quiz   # a comment
uv run python -m tools.no_such_tool | head
heldout status sub_... --wait
```
"""
    assert [said for words in commands(page) if (said := fault(words, programs))] == [
        "keys has no command creat",
        "heldout has no command runn",
        "there is no module tools.no_such_tool",
        "submit has no --modle",
        "there is no target tests",
    ]
