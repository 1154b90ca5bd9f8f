"""What both WebArena importers share: sites and accounts, start addresses, templates, and the card of a pack."""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from packs.benchmark import Benchmark, Feedback, Scoring, SplitConfig, Visibility
from packs.problem import Problem
from packs.report import Report

SITES = ("shopping", "shopping_admin", "reddit", "gitlab", "map", "wikipedia")
# Those that somebody signs in on; the map and the encyclopedia have no accounts.
ACCOUNTS = ("shopping", "shopping_admin", "reddit", "gitlab")
SPLIT = "dev"
STEPS = 30
_START = re.compile(r"__([A-Z_]+?)__(.*)", re.DOTALL)
_ACCOUNT = re.compile(r"\./\.auth/([a-z_.]+)_state\.json")


def load(source: Path, needs: str, limit: int | None = None) -> list[dict[str, Any]]:
    """The first `limit` tasks of a file.

    Raises FileNotFoundError, or ValueError for a folder and for what is no list of objects with `needs`.
    """
    if source.is_dir():
        raise ValueError(f"{source} is a folder; name the file of tasks in it")
    try:
        found = json.loads(source.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{source.name} is no JSON: {error}") from None
    if not isinstance(found, list) or not all(isinstance(task, dict) and needs in task for task in found):
        raise ValueError(f"{source.name} is no file of WebArena tasks: it is a JSON list of objects with '{needs}'")
    return found[:limit]


def refuse_unknown(item: Mapping[str, Any], keys: Iterable[str], where: str) -> None:
    """Raises ValueError for a field that the importer would lose."""
    if unknown := sorted(set(item) - set(keys)):
        raise ValueError(f"{where} has unknown field(s) {', '.join(unknown)}; known are {', '.join(sorted(keys))}")


def start(address: str) -> dict[str, str]:
    """A start address as the site's name and the path on it. Raises ValueError for another kind of address."""
    match = _START.fullmatch(address.strip())
    if match is None or match[1].lower() not in SITES:
        raise ValueError(f"'{address}' starts with no site; known are {', '.join(f'__{s.upper()}__' for s in SITES)}")
    return {"site": match[1].lower(), "path": match[2]}


def accounts(storage_state: str | None) -> list[str]:
    """The sites where the participant is signed in, from the name of a cookie file (which is never read)."""
    if storage_state is None:
        return []
    match = _ACCOUNT.fullmatch(storage_state)
    if match is None or not set(match[1].split(".")) <= set(SITES):
        raise ValueError(f"'{storage_state}' names no site's cookie file, such as ./.auth/gitlab_state.json")
    return match[1].split(".")


def group(task: Mapping[str, Any]) -> str:
    """The template a task is made from."""
    return f"template-{task['intent_template_id']}"


def template(task: Mapping[str, Any]) -> dict[str, Any]:
    """The template and the values that make the intent."""
    return {
        "id": task["intent_template_id"],
        "text": task["intent_template"],
        "values": task["instantiation_dict"],
    }


def served(names: str | Sequence[str]) -> frozenset[str]:
    """The option `sites`: names with commas between, or a list of them. Raises ValueError for a name that is none."""
    given = [part.strip() for part in names.split(",") if part.strip()] if isinstance(names, str) else list(names)
    if unknown := sorted(set(given) - set(SITES)):
        raise ValueError(f"there is no site {', '.join(unknown)}; WebArena's are {', '.join(SITES)}")
    return frozenset(given)


def mark_missing_sites(tasks: Iterable[tuple[str, Sequence[str]]], here: frozenset[str], report: Report) -> None:
    """Mark each task that needs a site which is not served here."""
    for id_, sites in tasks:
        if missing := [site for site in sites if site not in here]:
            report.mark(id_, "site missing", f"needs {', '.join(missing)}")


def mark_shared_templates(tasks: Iterable[tuple[str, Mapping[str, Any]]], report: Report) -> None:
    """Mark tasks whose template's number stands for several wordings; they stay in one group, as published."""
    wordings: dict[int, set[str]] = defaultdict(set)
    listed = list(tasks)
    for _, task in listed:
        wordings[task["intent_template_id"]].add(task["intent_template"])
    for id_, task in listed:
        if (count := len(wordings[task["intent_template_id"]])) > 1:
            report.mark(id_, "template shared", f"template {task['intent_template_id']} has {count} wordings")


def problem(id_: str, task: Mapping[str, Any], source: str) -> Problem:
    """The public side of a task: its intent."""
    return Problem(
        id=id_,
        split=SPLIT,
        type="web_sites",
        subject="+".join(sorted(task["sites"])),
        statement=task["intent"],
        group=group(task),
        source=source,
        episode=True,
    )


def benchmark(slug: str, title: str, source: str, card: str) -> Benchmark:
    """The pack's card: one open split, scored as the mean over templates."""
    return Benchmark(
        slug=slug,
        title=title,
        version="1.0.0",
        owner="imported",
        licence="Apache-2.0",
        summary="Tasks on a shop, its administration, a forum, a code host, a map and an encyclopedia",
        card=card,
        canary=f"heldout canary {slug} 8d0e41f7",
        source=source,
        scoring=Scoring(scheme="macro", by="group"),
        splits={SPLIT: SplitConfig(visibility=Visibility.DEV, feedback=Feedback.FULL)},
    )
