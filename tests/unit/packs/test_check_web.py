"""Admission of tasks: which share an end, what each verdict stands on, and going on where a check was stopped."""

import argparse
import json
from pathlib import Path
from typing import Any

import pytest

from envs.base import Action, Observation
from envs.echo.environment import Echo
from packs.benchmark import Benchmark
from packs.pack import Pack
from packs.problem import Problem, ReferenceLine
from tools import check_web
from tools.web_starts import plays, shared_starts, siblings


def task(identifier: str, right: str, said: str = "", **spec: Any) -> ReferenceLine:
    """A task of the template before the dash, of the echo environment: say `right` at the end."""
    reference = {"kind": "exact", "value": right}
    probe = {"name": "log", "kind": "log"}
    return ReferenceLine.model_validate(
        {
            "id": identifier,
            "reference": reference,
            "solution": json.dumps({"unachievable": right == "N/A", "everything": "red, blue" if said else ""}),
            "episode": {"environment": "echo", "spec": spec, "probes": [probe]},
            "oracle": [{"text": f"look at {right}"}, {"text": f"finish[{said or right}]"}],
        }
    )


def pack(*lines: ReferenceLine) -> Pack:
    head = {
        "slug": "colours",
        "title": "Colours",
        "version": "1.0.0",
        "owner": "o",
        "licence": "CC0-1.0",
        "card": "A card.",
        "canary": "heldout-canary-0123456789abcdef",
        "splits": {"test": {"visibility": "test", "feedback": "none"}},
    }
    problems = tuple(
        Problem(id=line.id, split="test", type="episode", subject="s", statement="?", group=line.id.partition("-")[0])
        for line in lines
    )
    return Pack(Path(), Benchmark.model_validate(head), problems, lines)


def given(**changes: Any) -> argparse.Namespace:
    return argparse.Namespace(
        **({"at_once": [1, 8], "runs": 2, "clicker": 2, "results": None, "resume": False} | changes)
    )


TWO = (task("colour-1", "red"), task("colour-2", "blue"))


async def run(made: Pack, **changes: Any) -> dict[str, Any]:
    return await check_web.runs(made, {line.id for line in made.references}, given(**changes))


async def test_sound_tasks_are_admitted_in_every_run() -> None:
    summary = await run(pack(*TWO, task("none-1", "N/A")))
    assert (summary["runs"], summary["identical"], summary["faults"], summary["clicker"]) == (4, True, {}, {})
    assert summary["checks"] == 4 * (4 + 4 + 3)
    assert summary["clicker_judged"] == 3 * 2


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (task("colour-3", "green", "black"), "oracle"),
        (task("colour-3", "N/A").model_copy(update={"solution": TWO[0].solution}), "N/A"),
        (task("colour-3", "red").model_copy(update={"oracle": ({"text": "finish[red]"},)}), "sibling"),
        (task("colour-3", "red, blue", "red, blue"), "everything"),
    ],
)
async def test_each_check_finds_its_fault(line: ReferenceLine, fault: str) -> None:
    # Another reference of the same value tells the sibling from the task itself.
    line = line.model_copy(update={"reference": line.reference | {"case_sensitive": True}})
    summary = await run(pack(*TWO, line), runs=1, at_once=[1])
    found = {name.partition(" ")[0] for faults in summary["faults"].values() for name in faults}
    assert found == {fault}


async def test_tasks_that_start_alike_share_one_untouched_end(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[dict[str, Any]] = []
    reset = Echo.reset

    async def counted(self: Echo, spec: dict[str, Any], seed: int) -> Any:
        begun.append(spec)
        return await reset(self, spec, seed)

    monkeypatch.setattr(Echo, "reset", counted)
    other = task("colour-3", "green", greeting="Elsewhere.")
    made = pack(*TWO, other)
    assert [[line.id for line in one.lines] for one in shared_starts(made)] == [
        ["colour-1", "colour-2"],
        ["colour-3"],
    ]
    summary = await run(made, runs=1, at_once=[1], clicker=0)
    assert summary["faults"] == {}
    # Two untouched ends, three oracles, and a sibling's oracle where none of its own starts alike.
    assert len(begun) == 2 + 3 + 1
    assert [(play.who.id, play.about) for play in plays(made)][-1] == ("colour-1", "colour-3")


def test_a_probe_of_the_same_name_that_looks_elsewhere_has_a_world_of_its_own() -> None:
    line = task("colour-3", "green")
    assert line.episode
    probe = line.episode.probes[0].model_copy(update={"kind": "other"})
    line = line.model_copy(update={"episode": line.episode.model_copy(update={"probes": (probe,)})})
    assert len(shared_starts(pack(*TWO, line))) == 2


def test_a_task_with_the_same_right_result_is_no_sibling() -> None:
    assert [one.id for one in siblings(pack(*TWO, task("colour-3", "red")), TWO[0])] == ["colour-2"]


async def test_a_stopped_check_goes_on_and_repeats_only_what_has_changed(tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    made = pack(*TWO, task("size-1", "big"), task("size-2", "small"))
    first = await run(made, results=rows, runs=1)
    lines = rows.read_text().splitlines()
    rows.write_text("\n".join(lines[: len(lines) // 2]) + "\n")
    assert await run(made, results=rows, runs=1, resume=True) | {"seconds": 0} == first | {"seconds": 0}
    assert sorted(map(_without_seconds, rows.read_text().splitlines())) == sorted(map(_without_seconds, lines))
    changed = pack(*TWO, task("size-1", "huge"), task("size-2", "small"))
    await run(changed, results=rows, runs=1, resume=True)
    again = {json.loads(line)["task"] for line in rows.read_text().splitlines()[len(lines) :]}
    assert again >= {"size-1", "size-2"}
    assert not [line for line in rows.read_text().splitlines()[len(lines) :] if '"oracle of colour' in line]


def _without_seconds(line: str) -> str:
    return json.dumps(json.loads(line) | {"seconds": 0}, sort_keys=True)


def test_the_clicker_answers_dialogs_and_clicks_what_is_shown() -> None:
    act = check_web.clicker("seed")
    assert act(Observation(text="", data={"dialog": {"kind": "alert"}}), 0) == Action(text="dialog [accept]")
    assert act(Observation(text="nothing here"), 1) == Action(text="go_back")
    assert act(Observation(text="[4] button 'Go' "), check_web.CLICKS) is None
