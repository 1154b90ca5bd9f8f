"""Each organisation is served, and graded by, its own variant."""

import json
from pathlib import Path
from typing import Any

import httpx2

from api.core.ids import parse_id
from api.submissions.repository import SubmissionRepository
from packs.benchmark import Benchmark
from packs.pack import Pack
from packs.problem import Problem, ReferenceLine, Variation
from tests.support.service import Caller, Service, choice_pack
from tests.support.sql import sql


def marked_pack(count: int = 24, feedback: str = "aggregate", **hidden: Any) -> Pack:
    """Choices and templates that vary; the right choice says so, the right number follows from the statement."""
    plain = choice_pack("marked", 1, hidden={"feedback": feedback} | hidden)
    problems, references = [], []
    for number in range(count):
        name = f"v-{number}"
        if number % 2:
            gold = "ABCD"[number % 4]
            choices = [
                {"label": label, "text": f"{'right' if label == gold else 'wrong'} {label.lower()}{number} thing"}
                for label in "ABCD"
            ]
            problem = {"statement": f"Which is right in marked question number{number}?", "choices": choices}
            reference = {
                "reference": {"kind": "multiple_choice", "value": gold},
                "gold": gold,
                "variation": Variation(choices=True),
            }
        else:
            problem = {"statement": f"Marked question number{number}: what is {{{{a}}}} times {{{{b}}}} ?"}
            variation = {"constants": {"a": {"from": "3", "to": "60"}, "b": {"from": "3", "to": "60"}}, "gold": "a*b"}
            reference = {"reference": {"kind": "exact", "value": "0"}, "variation": Variation.model_validate(variation)}
        problems.append(Problem.model_validate(problem | {"id": name, "split": "test", "type": "q", "subject": "s"}))
        references.append(ReferenceLine(id=name, **reference))
    head = plain.benchmark.model_copy(update={"splits": {"test": plain.benchmark.splits["test"]}})
    return Pack(Path(), Benchmark.model_validate(head.model_dump()), tuple(problems), tuple(references), {})


def solve(problem: dict[str, Any]) -> str:
    """The right answer to what was served."""
    if problem["choices"]:
        return next(str(choice["label"]) for choice in problem["choices"] if choice["text"].startswith("right"))
    words = problem["statement"].split()
    return str(int(words[-4]) * int(words[-2]))


async def result(service: Service, caller: Caller, answers: dict[str, str], model: str = "m") -> dict[str, Any]:
    done = await caller.submit("marked", "test", answers, model=model)
    assert done.status_code == 202, done.text
    await service.work()
    response: httpx2.Response = await caller.get(done.headers["location"])
    return dict(response.json())


async def test_organisations_get_different_problems_and_each_is_graded_on_its_own(service: Service) -> None:
    await service.publish(marked_pack())
    ada, eve = await service.reader(), await service.reader("eve@example.org", "other")
    mine, hers = await ada.problems("marked", "test"), await eve.problems("marked", "test")
    assert await ada.problems("marked", "test") == mine
    assert "{{" not in json.dumps(mine + hers)
    different = sum(
        (a["statement"], a["choices"]) != (b["statement"], b["choices"]) for a, b in zip(mine, hers, strict=True)
    )
    assert different >= 1
    assert (await result(service, ada, {p["id"]: solve(p) for p in mine}))["score"] == 1.0
    assert (await result(service, eve, {p["id"]: solve(p) for p in hers}))["score"] == 1.0
    crossed = {a["id"]: solve(b) for a, b in zip(mine, hers, strict=True)}
    done = await ada.submit("marked", "test", crossed)
    await service.work()
    submission_id = parse_id("sub", done.json()["id"])
    assert submission_id
    async with service.admin.session() as session:
        verdicts = await SubmissionRepository(session).named_verdicts(submission_id)
    right = sum(verdict.score or 0.0 for verdict in verdicts.values())
    assert right == sum(solve(a) == solve(b) for a, b in zip(mine, hers, strict=True)) < 24


async def test_the_ledger_tells_which_variant_was_served(service: Service) -> None:
    await service.publish(marked_pack(4))
    ada = await service.reader()
    await ada.problems("marked", "test")
    async with service.admin.session() as session:
        rows = (await sql(session, "select variant from exposure order by id")).all()
    assert len(rows) == 4
    assert all(row.variant in {"0", "1", "2", "3"} for row in rows)


async def test_the_form_of_the_pack_is_not_in_the_public_tables(service: Service) -> None:
    pack = marked_pack(8)
    await service.publish(pack)
    async with service.admin.session() as session:
        rows = (await sql(session, "select statement, choices, variation from problem order by position")).all()
    for row, problem in zip(rows, pack.problems, strict=True):
        canonical = [choice.model_dump() for choice in problem.choices]
        shown = [(v["statement"], v["choices"]) for v in row.variation["variants"]]
        assert (problem.statement, canonical) not in [*shown, (row.statement, row.choices)]
        assert len(shown) == 4
        assert set(row.variation) == {"variants"}
        assert all(set(v) == {"statement", "choices"} for v in row.variation["variants"])
