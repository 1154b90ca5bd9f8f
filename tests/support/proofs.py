"""Published proof problems with their grading schemes, and people and judges who grade by a script.

Nobody has published grades of these candidate proofs, so the script says how far each of them comes: the numbers show
that queue, calibration and correction do what they should, and nothing about the proofs.
"""

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from api.accounts.models import MemberRole, Scope
from packs.benchmark import Benchmark
from packs.pack import Pack
from packs.problem import Problem, ReferenceLine
from tests.support.service import Caller, Service
from tests.unit.api.judge_server import Reply

SLUG = "published-proofs"
POINTS = 7


@dataclass(frozen=True)
class Proof:
    """One problem, its criteria in order, a candidate proof, and how many of the criteria the script says it meets."""

    id: str
    statement: str
    solution: str
    criteria: list[dict[str, Any]]
    answer: str
    met: int

    def credits(self, met: int) -> dict[str, float]:
        """Full credit for the first `met` criteria."""
        return {item["id"]: float(place < met) for place, item in enumerate(self.criteria)}

    def points(self, met: int) -> float:
        """What these credits come to."""
        return float(sum(item["points"] for item in self.criteria[:met]))


def published(folder: Path, limit: int | None = None) -> list[Proof]:
    """IMO-ProofBench with its candidate proofs, and USAMO 2025 with its reference solutions, whole and cut."""
    candidates = {row["problem_id"]: row["proof"] for row in _rows(folder / "imo_proofbench_candidate_proofs.jsonl")}
    found = []
    for row in _rows(folder / "imo_proofbench_v2.jsonl")[:limit]:
        criteria = _guidelines(row["Grading guidelines"])
        name = row["Problem ID"]
        found.append(_proof(name, row["Problem"], row["Solution"], criteria, candidates[name]))
    for place, row in enumerate(_rows(folder / "usamo2025_schemes.jsonl")[:limit]):
        criteria = [
            {"id": f"c{number}", "points": item["points"], "text": f"{item['title']}: {item['desc']}"}
            for number, item in enumerate(row["scheme"], 1)
        ]
        solution = row["reference_solution"]
        answer = solution if place % 2 else solution[: len(solution) // 2]
        found.append(_proof(row["id"], row["problem"], solution, criteria, answer))
    return found


def _guidelines(text: str) -> list[dict[str, Any]]:
    """ProofBench gives 7, 6 (almost), 1 (partial) or 0 points."""
    partial, _, almost = text.partition("(Almost)")
    return [
        {"id": "partial", "points": 1, "text": f"Makes progress: {partial.replace('(Partial)', '').strip()}"},
        {"id": "almost", "points": 5, "requires": ["partial"], "text": f"Almost complete: {almost.strip()}"},
        {"id": "complete", "points": 1, "requires": ["almost"], "text": "Complete and rigorous."},
    ]


def _proof(name: str, statement: str, solution: str, criteria: list[dict[str, Any]], answer: str) -> Proof:
    met = random.Random(f"truth {name}").randint(0, len(criteria))
    return Proof(name, statement.strip(), solution, criteria, answer, met)


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def pack(proofs: list[Proof]) -> Pack:
    """A pack whose one hidden split has these problems."""
    head = {
        "slug": SLUG,
        "title": "Published proofs",
        "version": "1.0.0",
        "owner": "owners",
        "licence": "CC-BY-4.0",
        "card": "c",
        "canary": "heldout-canary-0123456789abcdef",
        "splits": {"test": {"visibility": "test", "feedback": "aggregate"}},
    }
    problems = [Problem(id=p.id, split="test", type="proof", subject="m", statement=p.statement) for p in proofs]
    lines = [
        ReferenceLine(
            id=p.id,
            reference={
                "kind": "rubric",
                "question": p.statement,
                "solution": p.solution,
                "votes": 1,
                "rubric": {"total": POINTS, "criteria": p.criteria},
            },
        )
        for p in proofs
    ]
    return Pack(Path(), Benchmark.model_validate(head), tuple(problems), tuple(lines), {})


def slip(proof: Proof, who: str, rate: float) -> int:
    """How many criteria `who` sees met: with `rate` one more or one fewer than there are."""
    luck = random.Random(f"{who} {proof.id}")
    return min(len(proof.criteria), max(0, proof.met + (luck.choice((-1, 1)) if luck.random() < rate else 0)))


def judge_script(proofs: list[Proof], rate: float) -> Callable[[dict[str, Any], int], Reply]:
    """A judge that slips, quoting the beginning of the answer for every credit."""

    def reply(body: dict[str, Any], _number: int) -> Reply:
        asked = body["messages"][1]["content"]
        proof = next(item for item in proofs if item.statement in asked)
        quotation = proof.answer.strip()[:40]
        credits = proof.credits(slip(proof, "judge", rate))
        lines = [
            {"id": name, "credit": credit, "quotation": quotation if credit else "", "reason": ""}
            for name, credit in credits.items()
        ]
        return Reply(json.dumps({"criteria": lines}))

    return reply


async def submit(service: Service, proofs: list[Proof], model: str) -> str:
    """Submit every candidate proof; where the submission is."""
    ada = await service.reader()
    by_statement = {proof.statement: proof for proof in proofs}
    shown = await ada.problems(SLUG, "test")
    answers = {problem["id"]: by_statement[problem["statement"]].answer for problem in shown}
    done = await ada.submit(SLUG, "test", answers, model=model)
    assert done.status_code == 202, done.text
    await service.work()
    return str(done.headers["location"])


async def reviewers(service: Service, count: int = 3) -> dict[str, Caller]:
    """People of the owner who may review; the third never slips."""
    return {
        name: await service.reader(
            f"{name}@example.org", "owners", scopes=[Scope.REVIEWS_WRITE], role=MemberRole.MEMBER
        )
        for name in ("one", "two", "three")[:count]
    }


async def review(service: Service, people: dict[str, Caller], proofs: list[Proof], rate: float) -> int:
    """Two reviewers grade what waits, the third what they differ on, until nothing waits. Returns the votes."""
    by_statement = {proof.statement: proof for proof in proofs}
    votes, before = 0, -1
    while votes != before:
        before = votes
        for name, caller in people.items():
            # A worker calls the third where two differ.
            await service.work()
            while task := await _claim(caller):
                proof = by_statement[task["sheet"]["statement"]]
                met = proof.met if name == "three" else slip(proof, name, rate)
                body = {"credits": proof.credits(met), "seconds": 60}
                done = await caller.post(f"/v1/reviews/{task['id']}/vote", json=body)
                assert done.status_code == 200, done.text
                votes += 1
    return votes


async def _claim(caller: Caller) -> Any:
    return (await caller.post("/v1/reviews/claim", json={"benchmark": SLUG})).raise_for_status().json()["task"]
