"""`rubrics`: a model drafts them from reference solutions, a person approves them; before that no pack is imported."""

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import ValidationError

from api.cli.common import console, fail
from api.core.settings import Settings
from api.worker.judge import CountedBudget, configured_judge
from grading.judging.drafting import DraftError, draft
from grading.judging.rubrics import Rubric
from grading.tools import Judge, JudgeUnavailableError
from packs.files import read_jsonl
from packs.pack import PROBLEMS_FILE, REFERENCES_FILE

rubrics_app = typer.Typer(help="Draft rubrics from reference solutions, and approve them.", no_args_is_help=True)
_NO_LIMIT = 1 << 62
PackFolder = Annotated[Path, typer.Argument(help="folder of the pack", exists=True, file_okay=False)]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(rubrics_app, name="rubrics")


@rubrics_app.command("draft")
def draft_rubrics(
    pack: PackFolder,
    total: Annotated[float, typer.Option(help="what the points of a rubric sum to", min=0.5)] = 10.0,
    again: Annotated[bool, typer.Option("--again", help="draft anew what is a draft already")] = False,
) -> None:
    """Have the judge's model write a rubric for each rubric problem that has a solution and no approved rubric."""
    settings = Settings()
    judge = configured_judge(settings, budget=CountedBudget(settings.judge_calls, _NO_LIMIT))
    if judge is None:
        fail("no model to draft with: set HELDOUT_JUDGE_URL and HELDOUT_JUDGE_MODEL")
    try:
        drafted, faults = _draft(pack, judge, total, again=again)
    finally:
        judge.close()
    console.print(f"{drafted} rubrics drafted; look at them: heldout-server rubrics show {pack}", markup=False)
    if faults:
        fail("\n".join(faults))


def _draft(pack: Path, judge: Judge, total: float, *, again: bool) -> tuple[int, list[str]]:
    statements = {row["id"]: row.get("statement", "") for row in _rows(pack / PROBLEMS_FILE)}
    lines, drafted, faults = list(_rows(pack / REFERENCES_FILE)), 0, list[str]()
    for line in lines:
        reference = line.get("reference", {})
        if reference.get("kind") != "rubric" or ("rubric" in reference and not (reference.get("draft") and again)):
            continue
        solution = reference.get("solution") or line.get("solution") or ""
        if not solution:
            faults.append(f"{line['id']}: there is no solution to draft from")
            continue
        try:
            made = draft(judge, reference.get("question") or statements.get(line["id"], ""), solution, total)
        except (DraftError, JudgeUnavailableError) as error:
            faults.append(f"{line['id']}: {error}")
            continue
        rubric = made.rubric.model_dump(mode="json", exclude_defaults=True) | {"total": total}
        line["reference"] = reference | {"rubric": rubric, "draft": True}
        drafted += 1
        console.print(
            f"{line['id']}: {len(made.rubric.criteria)} criteria by {made.model} ({made.digest[:12]})",
            markup=False,
            highlight=False,
        )
    if drafted:
        _rewrite(pack / REFERENCES_FILE, lines)
    return drafted, faults


@rubrics_app.command("show")
def show_drafts(pack: PackFolder) -> None:
    """Print every draft beside its problem and solution. Edit references.jsonl where one is not right."""
    statements = {row["id"]: row.get("statement", "") for row in _rows(pack / PROBLEMS_FILE)}
    count = 0
    for line in _drafts(pack):
        count += 1
        reference = line["reference"]
        told = [f"## {line['id']}", statements.get(line["id"], ""), "### Solution", reference.get("solution", "")]
        told += ["### Rubric", *_described(reference["rubric"])]
        console.print("\n".join(told) + "\n", markup=False, highlight=False)
    console.print(f"{count} drafts; approve with: heldout-server rubrics approve {pack} ID ...", markup=False)


@rubrics_app.command("approve")
def approve_rubrics(
    pack: PackFolder,
    problems: Annotated[list[str], typer.Argument(help="ids of problems whose drafts a person has read")],
) -> None:
    """Say that a person has checked these drafts; from then on they are rubrics. All or none."""
    waiting = {line["id"] for line in _drafts(pack)}
    if unknown := [name for name in problems if name not in waiting]:
        fail(f"no draft waits for approval: {', '.join(unknown)}; drafts: {', '.join(sorted(waiting)) or 'none'}")
    lines = list(_rows(pack / REFERENCES_FILE))
    for line in lines:
        if line["id"] in problems:
            try:
                Rubric.model_validate(line["reference"]["rubric"])
            except ValidationError as error:
                fail(f"{line['id']}: {error.errors()[0]['msg']}")
            line["reference"].pop("draft")
    _rewrite(pack / REFERENCES_FILE, lines)
    console.print(f"{len(set(problems))} approved, {len(waiting - set(problems))} drafts left", highlight=False)


def _drafts(pack: Path) -> Iterator[dict[str, Any]]:
    for line in _rows(pack / REFERENCES_FILE):
        if line.get("reference", {}).get("kind") == "rubric" and line["reference"].get("draft"):
            yield line


def _described(rubric: dict[str, Any]) -> list[str]:
    lines = []
    for criterion in Rubric.model_validate(rubric).criteria:
        more = f", after {', '.join(criterion.requires)}" if criterion.requires else ""
        more += f", one of '{criterion.alternative}'" if criterion.alternative else ""
        lines.append(f"- {criterion.id} ({criterion.points:g} points{more}): {criterion.text}")
        levels = {"full": criterion.full, "half": criterion.half, "none": criterion.none}
        lines += [f"    {name}: {text}" for name, text in levels.items() if text]
    return lines


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    try:
        yield from read_jsonl(path)
    except (OSError, ValueError) as error:
        fail(str(error))


def _rewrite(path: Path, lines: list[dict[str, Any]]) -> None:
    """The whole file or nothing of it."""
    with tempfile.NamedTemporaryFile("w", dir=path.parent, encoding="utf-8", newline="\n", delete=False) as file:
        file.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    Path(file.name).chmod(path.stat().st_mode & 0o777)
    Path(file.name).replace(path)
