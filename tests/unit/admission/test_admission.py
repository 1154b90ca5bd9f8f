"""The admission check: a sound pack passes, and each hole is named."""

import dataclasses
import hashlib
import math
from pathlib import Path
from typing import Any

import pytest
import typer

from api.admission.check import check_pack, check_pack_questions, has_hidden_problems
from api.admission.examination import examine_pack
from api.admission.report import AdmissionReport, refusals, summary
from api.cli.admission import admitted
from envs import registry
from packs.benchmark import SplitConfig
from packs.leaks import Leak, prompt_of, search, telling
from packs.pack import Pack
from packs.participants import GUESSING, LEVEL, luck
from packs.problem import Choice, ReferenceLine, Variation
from packs.read import read_pack
from tests.support.service import choice_pack

SHIPPED = Path(__file__).resolve().parents[3] / "benchmarks"


def _pack(chance: float = 0.25, **head: Any) -> Pack:
    pack = choice_pack(count=8)
    splits = dict(pack.benchmark.splits)
    splits["test"] = SplitConfig.model_validate(splits["test"].model_dump() | {"chance_level": chance})
    return dataclasses.replace(pack, benchmark=pack.benchmark.model_copy(update={"splits": splits} | head))


def _failed(report: AdmissionReport) -> set[str]:
    return {one.name for split in report.splits for one in split.participants if not one.passed}


def test_a_balanced_pack_passes() -> None:
    report = check_pack_questions(_pack())
    assert report.passed
    assert [split.split for split in report.splits] == ["test"]
    scores = {one.name: one.score for one in report.splits[0].participants}
    assert scores["gold"] == 1.0
    assert scores["constant"] == 0.25
    assert {scores[name] for name in ("null", "empty", "braces", "judge-injection", "answer-everything")} == {0.0}


def test_guessing_above_the_declared_chance_fails_and_says_what_to_declare() -> None:
    report = check_pack_questions(_pack(chance=0.0))
    assert _failed(report) == {"constant", "random", "longest-choice"}
    constant = next(one for one in report.splits[0].participants if one.name == "constant")
    assert "chance_level = 0.25" in constant.remedy


def test_long_right_choices_are_found_even_where_orders_vary() -> None:
    pack = _pack()
    problems = []
    for problem, line in zip(pack.problems, pack.references, strict=True):
        choices = tuple(
            Choice(label=c.label, text=c.text + " and much more" * (c.label == line.gold)) for c in problem.choices
        )
        problems.append(problem.model_copy(update={"choices": choices}))
    references = tuple(line.model_copy(update={"variation": Variation(choices=True)}) for line in pack.references)
    report = check_pack_questions(dataclasses.replace(pack, problems=tuple(problems), references=references))
    assert _failed(report) == {"longest-choice"}


def test_gold_that_its_reference_refuses_is_named() -> None:
    pack = _pack()
    wrong = tuple(line.model_copy(update={"gold": "A"}) if line.id == "test-1" else line for line in pack.references)
    report = check_pack_questions(dataclasses.replace(pack, references=wrong))
    assert _failed(report) == {"gold"}
    assert [finding.problem for finding in report.splits[0].findings] == ["test-1"]


def test_gold_in_the_open_is_found_and_not_published() -> None:
    pack = _pack(card="The answer is Ouagadougou.")
    problem = pack.problems[-1].model_copy(update={"choices": ()})
    line = ReferenceLine(id=problem.id, reference={"kind": "exact", "value": "Ouagadougou"}, gold="Ouagadougou")
    leaking = dataclasses.replace(
        pack, problems=(*pack.problems[:-1], problem), references=(*pack.references[:-1], line)
    )
    report = check_pack_questions(leaking)
    assert not report.passed
    assert [(f.problem, f.place) for f in report.splits[0].findings] == [(problem.id, "card")]
    assert "Ouagadougou" not in str(summary(report))
    assert problem.id not in str(summary(report))


def test_what_is_public_of_a_check_does_not_hang_on_single_golds() -> None:
    pack = _pack()
    lines = tuple(
        line.model_copy(update={"gold": "B", "reference": line.reference | {"value": "B"}})
        if line.reference["value"] == "A"
        else line
        for line in pack.references
    )
    one, other = (check_pack_questions(each) for each in (pack, dataclasses.replace(pack, references=lines)))
    constant = [next(p.score for p in each.splits[0].participants if p.name == "constant") for each in (one, other)]
    assert constant[0] != constant[1], "golds are changed"
    assert (one.passed, other.passed) == (True, True)
    assert summary(one) == summary(other)


def test_every_shipped_question_pack_is_admitted() -> None:
    packs = [read_pack(folder, registry, grade_gold=False) for folder in sorted(SHIPPED.iterdir()) if folder.is_dir()]
    judged = {pack.benchmark.slug: check_pack_questions(pack) for pack in packs if has_hidden_problems(pack)}
    assert set(judged) >= {"demo-arb", "smoke"}
    assert {slug: refusals(report) for slug, report in judged.items() if not report.passed} == {}


async def test_a_failing_pack_is_refused_with_every_reason(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit):
        admitted(await examine_pack(_pack(chance=0.0), None), anyway=False)
    told = " ".join(capsys.readouterr().err.split())
    for words in ("nothing was imported", "test: constant scored 0.250", "chance_level = 0.25", "--publish-anyway"):
        assert words in told


async def test_what_is_published_anyway_says_that_it_failed() -> None:
    failed = admitted(await examine_pack(_pack(chance=0.0), None), anyway=True)
    assert failed is not None
    assert failed["passed"] is False
    passed = admitted(await examine_pack(_pack(), None), anyway=False)
    assert passed is not None
    assert passed["passed"] is True


async def test_a_pack_without_hidden_problems_has_no_badge() -> None:
    pack = _pack()
    public = {"dev": pack.benchmark.splits["dev"]}
    rows = tuple(problem for problem in pack.problems if problem.split == "dev")
    head = pack.benchmark.model_copy(update={"splits": public})
    found = await examine_pack(dataclasses.replace(pack, benchmark=head, problems=rows), None)
    assert admitted(found, anyway=False) is None


def test_luck_is_the_exact_binomial_bound() -> None:
    allowed = luck(0.25, 100)
    count = round(allowed * 100)
    chances = [math.comb(100, k) * 0.25**k * 0.75 ** (100 - k) for k in range(101)]
    assert sum(chances[count + 1 :]) <= LEVEL < sum(chances[count:])
    assert luck(0.0, 100) == 0.0


def test_only_guessing_gets_the_benefit_of_luck() -> None:
    participants = {one.name: one for one in check_pack_questions(_pack(chance=0.25)).splits[0].participants}
    assert {name for name, one in participants.items() if one.allowed > 0.25} == {*GUESSING, "gold"}


def test_all_golds_are_searched_in_one_pass() -> None:
    lines = [
        ReferenceLine(id=f"q-{i}", reference={"kind": "exact", "value": f"Straße number {i:04}"}) for i in range(2000)
    ]
    texts = {prompt_of(f"q-{i}"): f"prompt {i} " * 50 for i in range(2000)}
    digests = [hashlib.sha256(f"Straße number {i:04}".encode()).hexdigest().upper() for i in range(2)]
    texts |= {
        "card": f"see STRASSE NUMBER 1999, {digests[0]}",
        prompt_of("q-7"): "Straße number 0007, Straße number 0008",
    }
    assert set(search(lines, texts)) == {
        Leak("gold in the open", "q-1999", "card"),
        Leak("sha256 of gold in the open", "q-0", "card"),
        Leak("gold in the open", "q-8", prompt_of("q-7")),
    }


@pytest.mark.parametrize(
    ("gold", "expected"),
    [(r"\frac{1}{2}", False), (r"\frac{\sqrt{5}}{12}", False), ("Ouagadougou", True), ("123,456", True)],
)
def test_common_expressions_are_not_telling(gold: str, expected: bool) -> None:
    assert telling(gold) is expected


def _varying(**variation: Any) -> Pack:
    pack = _pack()
    marked = Variation.model_validate(variation)
    references = tuple(line.model_copy(update={"variation": marked}) for line in pack.references)
    return dataclasses.replace(pack, references=references)


async def test_finding_12_marks_that_sorting_takes_away_are_warned_of() -> None:
    (warning,) = (await check_pack(_varying(choices=True), 0)).warnings
    assert warning.startswith("test: 8 of 8 problems carry a mark")
    assert "constants" in warning
    assert "randomised_exposure" in warning
    assert (await check_pack(_pack(), 0)).warnings == [], "a pack without marks promises none"
    one = _varying(choices=True)
    slots = Variation.model_validate({"choices": True, "slots": {"w": ("Which", "What")}})
    last = one.references[-1].model_copy(update={"variation": slots})
    mixed = dataclasses.replace(one, references=(*one.references[:-1], last))
    problem = one.problems[-1].model_copy(update={"statement": "{{w}} option is right?"})
    mixed = dataclasses.replace(mixed, problems=(*one.problems[:-1], problem))
    assert (await check_pack(mixed, 0)).warnings == []
