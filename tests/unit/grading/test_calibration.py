"""From rubric over judge and reviewers to a corrected score, with proofs and schemes that are published."""

import json
import random
import re
from typing import Any

import pytest

from grading import Answer, Outcome, Tools, grade
from grading.judging.calibration import Reviewed, consensus, report, report_criterion
from grading.judging.rubrics import Rubric, tally
from grading.tools import JudgeReply, JudgeRequest
from tests.support.json_values import CREDITS

from .data import published


def schemes() -> list[dict[str, Any]]:
    """References with the human marking schemes of USAMO 2025 (7 points each)."""
    lines = published("math", "problems", "usamo2025_schemes.jsonl").read_text().splitlines()
    references = []
    for entry in map(json.loads, lines):
        criteria = [
            {
                "id": f"c{place}",
                "text": f"{part['title']}: {part['desc']}",
                "points": part["points"],
                "half": "incomplete",
            }
            for place, part in enumerate(entry["scheme"], 1)
        ]
        rubric = {"total": entry["points"], "criteria": criteria}
        references.append(
            {"kind": "rubric", "rubric": rubric, "question": entry["problem"], "solution": entry["reference_solution"]}
        )
    return references


def proofs() -> list[str]:
    lines = published("math", "problems", "imo_proofbench_candidate_proofs.jsonl").read_text().splitlines()
    return [json.loads(line)["proof"] for line in lines]


class LenientJudge:
    """Sees what people see, but gives full credit where they give half in three cases of five."""

    def __init__(self, truth: dict[str, dict[str, float]]) -> None:
        self.truth = truth

    def ask(self, request: JudgeRequest) -> JudgeReply:
        answer = re.findall(r"\[begin answer \w+\]\n(.*)\n\[end answer", request.user, re.DOTALL)[0]
        lines = []
        for name, credit in self.truth[answer].items():
            lenient = credit == 0.5 and random.Random(answer + name).random() < 0.6
            given = 1.0 if lenient else credit
            lines.append({"id": name, "credit": given, "quotation": answer[:40] if given else "", "reason": "r"})
        return JudgeReply(data={"criteria": lines}, model="lenient-1", digest="0" * 64)


@pytest.mark.slow
def test_proofs_go_from_the_rubric_to_a_corrected_score() -> None:
    reference = schemes()[0]
    rubric = Rubric.model_validate(reference["rubric"])
    names = [criterion.id for criterion in rubric.criteria]
    rng = random.Random(3)
    answers = [f"Proof {place}. {proof}" for place, proof in enumerate(proofs() * 2) if len(proof) < 50_000]
    truth = {answer: {name: rng.choice([0.0, 0.5, 1.0]) for name in names} for answer in answers}
    judge = LenientJudge(truth)
    verdicts = {answer: grade(Answer(text=answer), reference, Tools(judge=judge)) for answer in answers}
    scored = [answer for answer in answers if verdicts[answer].score is not None]
    waiting = [answer for answer in answers if verdicts[answer].outcome is Outcome.UNSCORED]
    assert len(scored) > 90
    assert all("speaks to its judge" in verdicts[answer].reason for answer in waiting)
    assert len(waiting) < len(answers) / 50

    def people(answer: str) -> list[dict[str, float]]:
        second = {name: credit if rng.random() < 0.95 else 0.0 for name, credit in truth[answer].items()}
        return [truth[answer], second]

    reviewed = [
        Reviewed(CREDITS.validate_python(verdicts[answer].detail["credits"]), people(answer))
        for answer in rng.sample(scored, 60)
    ]
    found = report(rubric, reviewed)
    assert [entry.n for entry in found.criteria] == [60] * len(names)
    assert all(entry.confusion[1][2] > 0 and entry.confusion[2][0] == 0 for entry in found.criteria)
    assert all(entry.kappa and 0.5 < entry.kappa < 1 for entry in found.criteria)
    assert all(entry.alpha_people and entry.alpha_people > 0.7 for entry in found.criteria)
    real = sum(tally(rubric, truth[answer]).score for answer in scored) / len(scored)
    judged = [score for answer in scored if (score := verdicts[answer].score) is not None]
    corrected = found.correct({"all": judged})
    assert sum(judged) / len(judged) > real + 0.05
    assert real in corrected.interval
    assert abs(corrected.score - real) < abs(sum(judged) / len(judged) - real)


RUBRIC = Rubric.model_validate({"total": 1, "criteria": [{"id": "a", "text": "does a", "points": 1}]})


def one(judge: float, *people: float) -> Reviewed:
    return Reviewed({"a": judge}, [{"a": vote} for vote in people])


def test_a_judge_that_gets_worse_raises_the_alarm() -> None:
    good = [one(1, 1, 1), one(0, 0, 0)] * 40
    assert report_criterion("a", good).drift_after is None
    bad = [one(1, 0, 0), one(0, 0, 0)] * 40
    alarm = report_criterion("a", good + bad).drift_after
    assert alarm is not None
    assert 80 < alarm < 130


def test_a_weak_judge_is_greyed() -> None:
    coin = [one(0, 1), one(1, 1), one(0, 0), one(1, 0)] * 10
    weak = report(RUBRIC, coin)
    assert weak.weak
    assert weak.correct({"all": [1.0] * 100}).weak
    good = report(RUBRIC, [one(1, 1), one(0, 0)] * 30)
    assert not good.weak


def test_consensus_and_ends() -> None:
    assert [consensus(votes) for votes in ([1.0], [0.0, 1.0], [0.0, 1.0, 1.0], [0.5, 1.0, 0.0])] == [1, 0, 1, 0.5]
    assert report_criterion("a", [one(1, 1)]).kappa is None
    with pytest.raises(ValueError, match="at least one"):
        report_criterion("a", [])
