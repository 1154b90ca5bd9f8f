"""Published proofs through rubric, review queue and calibration: `make check-proofs`.

First without a judge: everything waits for people, two for each answer and a third where they differ. Then with a
judge: people look at a sample, the entry is corrected. The people and the judge are scripts that slip now and then, so
the numbers show the machinery, not the proofs. The last line is one JSON object.
"""

import argparse
import asyncio
import json
import tempfile
from pathlib import Path
from typing import Any
from uuid import UUID

from api.accounts.models import MemberRole, Scope
from api.core import logging, migrate
from api.core.db import local_server
from api.core.ids import parse_id
from api.core.settings import Settings
from api.reviews.correction import Correction
from api.submissions.grading_repository import GradingRepository
from api.submissions.repository import SubmissionRepository
from api.worker.calibrating import judged_correction
from grading.judging.rubrics import Rubric, tally
from grading.statistics.agreement import cohen_kappa
from tests.support import proofs
from tests.support.service import Service
from tests.unit.api.judge_server import judge_server

SLIP, JUDGE_SLIP = 0.15, 0.25


def true_score(found: list[proofs.Proof]) -> float:
    """The mean of what the script says each proof is worth."""
    return sum(proof.points(proof.met) for proof in found) / proofs.POINTS / len(found)


def _scored(proof: proofs.Proof, met: int) -> float:
    rubric = Rubric.model_validate({"total": proofs.POINTS, "criteria": proof.criteria})
    return tally(rubric, proof.credits(met)).score


async def _scores(service: Service, place: str) -> list[float]:
    """What people settled on: a hidden split's board shows a band of it at most."""
    async with service.admin.session() as session:
        verdicts = await SubmissionRepository(session).named_verdicts(_submission(place))
    return [verdict.score or 0.0 for verdict in verdicts.values()]


async def _correction(service: Service, place: str) -> Correction:
    """The corrected score, of which a hidden split releases one flag."""
    async with service.admin.session() as session:
        submission = await GradingRepository(session).lock(_submission(place))
        assert submission
        found = await judged_correction(session, submission, service.settings.calibration_width)
    assert found
    return found


def _submission(place: str) -> UUID:
    found = parse_id("sub", place.rsplit("/", 1)[1])
    assert found
    return found


async def people_alone(service: Service, found: list[proofs.Proof]) -> dict[str, Any]:
    """Without a judge."""
    await service.publish(proofs.pack(found))
    place = await proofs.submit(service, found, "by people")
    votes = await proofs.review(service, await proofs.reviewers(service), found, SLIP)
    scores = await _scores(service, place)
    pairs = [(proofs.slip(proof, "one", SLIP), proofs.slip(proof, "two", SLIP)) for proof in found]
    first = [_scored(proof, a) for proof, (a, _) in zip(found, pairs, strict=True)]
    second = [_scored(proof, b) for proof, (_, b) in zip(found, pairs, strict=True)]
    agree = [abs(a - b) <= 0.05 for a, b in zip(first, second, strict=True)]
    scale = sorted({*first, *second})
    return {
        "items": len(found),
        "votes": votes,
        "third": votes - 2 * len(found),
        "agreement": sum(agree) / len(found),
        "kappa": cohen_kappa(first, second, scale, "linear"),
        "score": sum(scores) / len(scores),
        "truth": true_score(found),
        "differ": len(found) - sum(agree),
    }


async def with_judge(service: Service, found: list[proofs.Proof]) -> dict[str, Any]:
    """With a judge that slips, and people who look at a sample."""
    await service.publish(proofs.pack(found))
    place = await proofs.submit(service, found, "by a judge")
    votes = await proofs.review(service, await proofs.reviewers(service), found, SLIP)
    address = f"/v1/benchmarks/{proofs.SLUG}"
    correction = await _correction(service, place)
    interval = correction.corrected.interval
    owner = await service.reader("o@example.org", "owners", scopes=[Scope.BENCHMARKS_WRITE], role=MemberRole.OWNER)
    told = (await owner.get(f"{address}/calibration")).json()
    judge = told["judges"][0]
    yes = [(_scored(p, p.met) >= 0.5, _scored(p, proofs.slip(p, "judge", JUDGE_SLIP)) >= 0.5) for p in found]
    return {
        "items": len(found),
        "reviewed": judge["n"],
        "votes": votes,
        "sensitivity": judge["sensitivity"],
        "specificity": judge["specificity"],
        "script": {
            "sensitivity": sum(a and b for a, b in yes) / max(1, sum(a for a, _ in yes)),
            "specificity": sum(not a and not b for a, b in yes) / max(1, sum(not a for a, _ in yes)),
        },
        "criteria": len(judge["criteria"]),
        "kappas": [item["kappa"] for item in judge["criteria"]],
        "alphas": [item["alpha_people"] for item in judge["criteria"]],
        "raw": {"score": correction.raw.score, "low": correction.raw.low, "high": correction.raw.high},
        "corrected": correction.corrected.score,
        "interval": {"low": interval.low, "high": interval.high},
        "method": correction.method,
        "weak": correction.weak,
        "truth": true_score(found),
    }


async def _run(found: list[proofs.Proof]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="hld", dir="/tmp", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        told = {}
        for name, play in (("people", people_alone), ("judge", with_judge)):
            settings = Settings(data_dir=Path(folder, name), rate_limits_enabled=False, port=0)
            migrate.prepare(settings)
            server = local_server(settings)
            assert server is not None
            try:
                with judge_server(proofs.judge_script(found, JUDGE_SLIP)) as judge:
                    more = {"judge_url": judge.url, "judge_model": "scripted-1"} if name == "judge" else {}
                    async with Service.running(settings.model_copy(update=more)) as service:
                        told[name] = await play(service, found)
            finally:
                server.stop()
        return told


def main() -> None:
    """Print both runs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--limit", type=int, help="so many of each source")
    chosen = parser.parse_args()
    folder = chosen.data / "math" / "problems"
    if not (folder / "imo_proofbench_v2.jsonl").exists():
        print(f"skipped: there are no published proofs at {folder} (say --data FOLDER)")
        return
    logging.configure("error")
    told = asyncio.run(_run(proofs.published(folder, chosen.limit)))
    people, judge = told["people"], told["judge"]
    print(
        f"people alone: {people['items']} proofs, {people['votes']} votes, {people['third']} by a third reviewer; "
        f"two agree on {people['agreement']:.1%} (kappa {people['kappa']:.2f}); score {people['score']}, "
        f"script's truth {people['truth']:.3f}"
    )
    print(
        f"with a judge: {judge['reviewed']} of {judge['items']} looked at; sensitivity {judge['sensitivity']:.3f}, "
        f"specificity {judge['specificity']:.3f} (the script's: {judge['script']['sensitivity']:.3f}, "
        f"{judge['script']['specificity']:.3f}); raw {judge['raw']['score']}, corrected {judge['corrected']} "
        f"[{judge['interval']['low']}, {judge['interval']['high']}] by {judge['method']}"
    )
    print(json.dumps(told))


if __name__ == "__main__":
    main()
