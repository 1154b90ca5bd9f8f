"""WebArena (Zhou et al. 2023, arXiv:2307.13854) as a pack: its file `test.raw.json`, or WebArena-Lite's
165 tasks in the same format.

Mode "published" scores with the classic evaluators, defects included; "fixed" with the strict ones. Both keep every
task: the evaluators' weaknesses are marked in the report. No cookie file is read and no password is kept.
"""

import ast
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from envs import python_text
from envs.web_sites.importers import webarena_sites as shared
from grading.answer import Answer
from grading.registry import grade
from grading.verdict import Outcome
from grading.webarena.defects import DEFECTS
from packs.draft import DraftPack, Mode, known_mode
from packs.problem import Episode, Probe, Problem, ReferenceLine
from packs.report import Report

TASK = frozenset(
    ("sites", "task_id", "require_login", "storage_state", "start_url", "geolocation", "intent_template")
) | {"instantiation_dict", "intent", "require_reset", "eval", "intent_template_id", "string_note", "old_task_id"}
EVAL = frozenset(("eval_types", "reference_answers", "reference_url", "program_html", "string_note", "url_note")) | {
    "reference_answer_raw_annotation",
    "annotation_note",
}
HTML = frozenset(("url", "locator", "required_contents", "prep_actions"))
ANSWERS = frozenset(("exact_match", "must_include", "fuzzy_match"))
CONTENTS = frozenset(("exact_match", "must_include"))
HELPERS = frozenset(
    (
        "reddit_get_post_url",
        "shopping_get_latest_order_url",
        "shopping_get_sku_latest_review_author",
        "shopping_get_sku_latest_review_rating",
        "gitlab_get_project_memeber_role",
    )
)
TABS = " |AND| "
# The defect that is a rule of the episode, and the rule as published: 3 equal actions in a row, or typings anywhere.
LOOPS = "D14"
PUBLISHED_RULES = {"repeats": 3, "typing_anywhere": True}
# What a participant sees as published: the viewport, and lines of text by the published rules.
PUBLISHED_VIEW = {"whole_page": False, "lines": "published"}
OR = " |OR| "
SOURCE = "github.com/web-arena-x/webarena"
CARD = """WebArena's 812 tasks (Apache-2.0), evaluators: {mode}. The score is the mean over templates.
Tasks and answers are public since 2023: results measure ability and contamination together. The sites themselves are
no part of the pack, and WebArena's answers hold for WebArena's own data only."""


def read(
    source: Path,
    *,
    mode: Mode = "fixed",
    sites: str | Sequence[str] = (),
    fixed: str = "",
    limit: int | None = None,
) -> DraftPack:
    """The tasks of `source`; `sites` names the sites that are served here with WebArena's data.

    `fixed` names the defects ("D1 D4") that mode "published" is to be without: of the classic evaluators, and D14, the
    rule that ends an episode for repetition.

    Raises FileNotFoundError, or ValueError for what is no file of WebArena's and for fields it does not know.
    """
    known_mode(mode)
    without = _defects(fixed, mode)
    here = shared.served(sites)
    report = Report(source.name)
    tasks = [(f"webarena-{task['task_id']}", task) for task in shared.load(source, "task_id", limit)]
    report.read = len(tasks)
    problems: list[Problem] = []
    lines: list[ReferenceLine] = []
    for id_, task in tasks:
        _check(task)
        problems.append(shared.problem(id_, task, f"WebArena task {task['task_id']}"))
        lines.append(_line(id_, task, mode, without, report))
        _mark(id_, task, report)
    shared.mark_missing_sites(((id_, task["sites"]) for id_, task in tasks), here, report)
    shared.mark_shared_templates(tasks, report)
    card = CARD.format(mode="as published" if mode == "published" else "strict")
    head = shared.benchmark(f"webarena-{mode}", f"WebArena ({mode} scoring)", SOURCE, card)
    return DraftPack(report, problems, lines, card=lambda _: head)


def _check(task: dict[str, Any]) -> None:
    """Every field is one that the importer takes over."""
    where = f"task {task['task_id']}"
    shared.refuse_unknown(task, TASK, where)
    shared.refuse_unknown(task["eval"], EVAL, f"{where}, eval")
    shared.refuse_unknown(task["eval"]["reference_answers"] or {}, ANSWERS, f"{where}, reference_answers")
    for entry in task["eval"]["program_html"]:
        shared.refuse_unknown(entry, HTML, f"{where}, program_html")
        shared.refuse_unknown(entry["required_contents"], CONTENTS, f"{where}, required_contents")


def _defects(fixed: str, mode: str) -> list[str]:
    named = sorted(set(fixed.replace(",", " ").split()))
    if unknown := [name for name in named if name not in (*DEFECTS, LOOPS)]:
        raise ValueError(f"no defect '{unknown[0][:20]}' can be fixed; those that can: {', '.join((*DEFECTS, LOOPS))}")
    if named and mode != "published":
        raise ValueError("'fixed' belongs to mode=published; the strict evaluators have none of the defects")
    return named


def _line(id_: str, task: dict[str, Any], mode: str, without: list[str], report: Report) -> ReferenceLine:
    switched = [name for name in without if name != LOOPS]
    held = reference(task, mode) | ({"fixed": switched} if switched else {})
    gold = _gold(task, mode)
    if gold is not None:
        verdict = grade(Answer(text=gold), held)
        if verdict.outcome not in (Outcome.CORRECT, Outcome.UNSCORED):
            report.mark(id_, "gold refused", f"{gold!r}: {verdict.reason}")
            gold = None
    rules = PUBLISHED_RULES if mode == "published" and LOOPS not in without else {}
    view = PUBLISHED_VIEW if mode == "published" else {}
    episode = Episode(
        environment="web_sites", spec=spec(task) | view | rules, probes=tuple(probes(task["eval"])), steps=shared.STEPS
    )
    return ReferenceLine(id=id_, reference=held, solution=_notes(task), gold=gold, episode=episode)


def reference(task: dict[str, Any], mode: str) -> dict[str, Any]:
    """The `webarena` reference: the task's `eval` block, with its intent for a judge."""
    judged = task["eval"]
    held: dict[str, Any] = {
        "kind": "webarena",
        "mode": "classic" if mode == "published" else "strict",
        "eval_types": judged["eval_types"],
        "reference_url": judged["reference_url"] or "",
        "program_html": judged["program_html"],
    }
    if judged["reference_answers"]:
        note = judged.get("string_note") or ""
        held["reference_answers"] = judged["reference_answers"] | {"note": note, "question": task["intent"]}
    return held


def spec(task: dict[str, Any]) -> dict[str, Any]:
    """The environment's specification: sites, tabs, where the participant is signed in. Nothing of the evaluation."""
    return {
        "sites": task["sites"],
        "start": [shared.start(address) for address in task["start_url"].split(TABS)],
        "signed_in": shared.accounts(task["storage_state"]),
        "require_login": task["require_login"],
        "require_reset": task["require_reset"],
        "geolocation": task["geolocation"],
        "template": shared.template(task),
    }


def probes(judged: dict[str, Any]) -> list[Probe]:
    """What to look at: the last address, and each page with its locator, in the file's order."""
    found = [Probe(name="page", kind="page")] if "url_match" in judged["eval_types"] else []
    for place, entry in enumerate(judged["program_html"]):
        arguments = {"page": target_page(entry["url"]), "locator": locator(entry["locator"])}
        if "prep_actions" in entry:
            arguments["prep_actions"] = entry["prep_actions"]
        found.append(Probe(name=f"target_{place}", kind="page_content", arguments=arguments))
    return found


def target_page(address: str) -> dict[str, Any]:
    """The page of a target: the last one, an address on a site, or a helper of the list with literal arguments."""
    if address == "last":
        return {"last": True}
    return helper(address) if address.startswith("func:") else {"address": address}


def locator(text: str) -> dict[str, Any]:
    """What of a page is taken: all of it, what an expression of JavaScript gives, or what a helper gives."""
    if not text.strip():
        return {"whole": True}
    if text.startswith("func:"):
        return helper(text)
    if text.startswith(("document.", "[...document.")):
        return {"expression": text}
    raise ValueError(f"'{text[:60]}' is no locator: empty, document..., [...document... or func:...")


def helper(text: str) -> dict[str, Any]:
    """`func:name('a', ...)`, read and never run. `__page__` stays a name for the page looked at."""
    try:
        call = python_text.expression(text.removeprefix("func:"))
        match call:
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in HELPERS:
                return {"helper": name, "arguments": [_literal(item) for item in arguments]}
    except (ValueError, RecursionError):
        pass
    raise ValueError(f"'{text[:60]}' is no call of a known helper: {', '.join(sorted(HELPERS))}")


def _literal(node: ast.expr) -> Any:
    return "__page__" if isinstance(node, ast.Name) and node.id == "__page__" else ast.literal_eval(node)


def _gold(task: dict[str, Any], mode: str) -> str | None:
    """An answer made of the reference's own texts."""
    answers = task["eval"]["reference_answers"]
    if not answers:
        return None
    parts: list[str] = []
    for value in answers.values():
        parts += [value] if isinstance(value, str) else value
    return ", ".join(part if mode == "published" else part.split(OR)[0] for part in parts)


def _notes(task: dict[str, Any]) -> str:
    """The annotators' notes, which nothing grades by."""
    judged = task["eval"]
    notes = {
        "annotated answer": judged.get("reference_answer_raw_annotation"),
        "note": judged.get("string_note"),
        "note of the task": task.get("string_note"),
        "note on the address": judged.get("url_note"),
        "note of the annotator": judged.get("annotation_note"),
        "number of the task before (WebArena-Lite)": task.get("old_task_id"),
    }
    return "\n".join(f"{name}: {text}" for name, text in notes.items() if text not in (None, ""))


def _mark(id_: str, task: dict[str, Any], report: Report) -> None:
    judged = task["eval"]
    answers = judged["reference_answers"] or {}
    entries = judged["program_html"]
    whole = sum(not entry["locator"].strip() for entry in entries)
    helpers = sum("func:" in entry["url"] + entry["locator"] for entry in entries)
    alternatives = any(OR in text for text in answers.get("must_include", ()))
    if answers.get("fuzzy_match") == "N/A":
        report.mark(id_, "unachievable", judged.get("string_note") or "no reason is noted")
    elif "fuzzy_match" in answers:
        report.mark(id_, "judge needed", f"{len(answers['fuzzy_match'])} text(s) compared by meaning")
    if alternatives:
        report.mark(id_, "alternatives in must_include", "the published evaluator takes them as one text")
    if whole:
        report.mark(id_, "whole page compared", f"{whole} of {len(entries)} targets")
    if helpers:
        report.mark(id_, "helper needed", f"{helpers} of {len(entries)} targets")
    if "string_note" in task:
        report.mark(id_, "note misplaced", "'string_note' stands beside 'eval'; kept with the notes")
