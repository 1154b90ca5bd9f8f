"""Forms: TurkingBench's rules as published, the corrected ones, and the published data."""

import csv
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

from grading import Answer, Evidence, Outcome, Verdict, grade
from grading.forms import corrected, published
from grading.forms.fields import FormField, plain_number
from grading.matching.overlap import rouge_l

from .data import published as published_data


def field(kind: str, *gold: str, **more: Any) -> FormField:
    return FormField.model_validate({"name": "f", "type": kind, "gold": gold, **more})


@pytest.mark.parametrize(
    ("kind", "gold", "given", "as_published", "as_corrected"),
    [
        ("radio", ["yes", "no", "yes"], "Yes", 1, 1),
        ("radio", ["2"], "-2", 1, 0),
        ("radio", ["1.5"], "15", 1, 0),
        ("radio", ["yes", "no"], "yes", 1, 1),
        ("radio", ["yes", "no"], "no", 0, 1),
        ("radio", ["", "yes", ""], "", 1, 0),
        ("select", ["3.0"], "3", 1, 1),
        ("checkbox", ["a|b", "a", "a"], ("b", "a"), 1, 0.5),
        ("checkbox", ["a|b", "a", "a"], "a", 1, 1),
        ("checkbox", ["a|b", "a|c", "a|b"], "a", 0, 0.5),
        ("checkbox", [""], (), 1, 1),
        ("text", ["running dogs"], "run dog", 1, 0),
        ("text", ["the quick brown fox"], "the quick red fox", 0.75, 0.75),
        ("text", ["a &amp; b long text"], "a & b long text", 1, 1),
        ("text", ["nan", "{}"], "", 1, 1),
        ("text", ["nan", "{}"], "words", 0, 0),
        ("text", ["Paris"], "paris.", 1, 1),
        ("textarea", ["five", "six cats"], "six cats", 1, 1),
        ("range", ["40", "60"], "50", 1 - 10 / 60, 1),
        ("range", ["40", "60"], "40", 1 - 10 / 60, 0.5),
        ("range", ["0"], "0", 1, 1),
        ("range", ["0"], "", 0, 0),
    ],
)
def test_rules(kind: str, gold: list[str], given: Any, as_published: float, as_corrected: float) -> None:
    assert published.score_field(field(kind, *gold), given) == pytest.approx(as_published)
    assert corrected.score_field(field(kind, *gold), given) == pytest.approx(as_corrected)


def test_ranges_use_the_bounds_of_the_page() -> None:
    assert corrected.score_field(field("range", "50", low=0, high=100), "60") == pytest.approx(0.9)
    with pytest.raises(ValueError, match="low < high"):
        field("range", "1", low=5, high=5)


def test_rouge_agrees_with_the_package() -> None:
    from rouge_score import rouge_scorer

    scorer = rouge_scorer.RougeScorer(["rougeL"], use_stemmer=True)
    rng = np.random.default_rng(0)
    words = ["running", "runs", "the", "cats", "Cat", "9", "naïve", "-", "o'clock", "jumped"]
    for _ in range(200):
        left, right = (" ".join(rng.choice(words, rng.integers(1, 12))) for _ in range(2))
        assert rouge_l(left, right) == pytest.approx(scorer.score(right, left)["rougeL"].fmeasure)


def test_plain_numbers() -> None:
    assert [plain_number(text) for text in ("5.0", "5.5", " 7 ", "1e3", "nan", "inf", "5a", "")] == [
        "5",
        "5.5",
        "7",
        "1000",
        "nan",
        "inf",
        "5a",
        "",
    ]


FIELDS = [
    {"name": "label", "type": "radio", "gold": ["yes", "yes", "no"]},
    {"name": "why", "type": "textarea", "gold": ["because it rains a lot"], "default": ""},
    {"name": "score", "type": "range", "gold": ["80"], "default": "50", "low": 0, "high": 100},
    {"name": "later", "type": "text", "gold": ["hidden until clicked"], "visible": False},
]


def judged(scoring: str, **state: Any) -> Verdict:
    evidence = (Evidence(name="form", value=state),)
    return grade(Answer(evidence=evidence), {"kind": "form", "fields": FIELDS, "scoring": scoring})


def test_both_scorings_side_by_side() -> None:
    full = {"label": "yes", "why": "because it rains a lot", "score": "80"}
    verdict = judged("published", submitted=full)
    assert verdict.score == 1.0
    assert verdict.detail["corrected"] == pytest.approx((3 / 4 - 0.7 / 4) / (1 - 0.7 / 4))
    assert judged("corrected", submitted={**full, "later": "hidden until clicked"}).score == pytest.approx(1)


def test_the_published_score_counts_ranges_as_right_and_looks_at_the_page() -> None:
    verdict = judged("published", submitted={}, seen={"label": "yes", "score": "0"})
    assert verdict.score == pytest.approx(2 / 3)
    assert verdict.detail["published_fields"] == {"label": 1.0, "why": 0.0, "score": 0.0}
    assert judged("published", submitted={}, visible=["later"]).score == 0.0


def test_doing_nothing_is_worth_nothing_when_corrected() -> None:
    assert judged("corrected", submitted=None).score == 0.0
    assert judged("corrected", submitted={"score": "50"}).score == 0.0
    assert judged("corrected", submitted={"score": "20"}).score == 0.0
    assert (judged("corrected", submitted={"score": "80"}).score or 0.0) > 0.0


def test_where_nothing_is_right_it_must_at_least_be_submitted() -> None:
    reference = {"kind": "form", "fields": [{"name": "a", "type": "radio", "gold": ["x"], "default": "x"}]}
    for submitted, score in ((None, 0.0), ({"a": "x"}, 1.0), ({"a": "y"}, 0.0)):
        evidence = (Evidence(name="form", value={"submitted": submitted}),)
        assert grade(Answer(evidence=evidence), reference).score == score


def test_unsupported_fields_leave_the_published_score_open() -> None:
    fields = [{"name": "when", "type": "date", "gold": ["2024-05-01"]}]
    answer = Answer(data={"when": "2024-05-01"})
    assert grade(answer, {"kind": "form", "fields": fields, "scoring": "published"}).outcome is Outcome.UNSCORED
    assert grade(answer, {"kind": "form", "fields": fields}).outcome is Outcome.CORRECT


def test_faults_and_shapes() -> None:
    reference = {"kind": "form", "fields": FIELDS}
    assert grade(Answer(), reference).outcome is Outcome.UNSCORED
    crashed = Evidence(name="form", fault=True, error="browser gone")
    assert grade(Answer(evidence=(crashed,)), reference).outcome is Outcome.UNSCORED
    assert grade(Answer(data={"label": 3}), reference).outcome is Outcome.UNPARSEABLE
    assert grade(Answer(data={"label": "yes"}), reference).outcome is Outcome.PARTIAL


class _Types(HTMLParser):
    """Type of the first element of each name."""

    def __init__(self) -> None:
        super().__init__()
        self.types: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag in ("input", "select", "textarea") and given.get("name"):
            kind = (given.get("type") or "text").lower() if tag == "input" else tag
            self.types.setdefault(str(given["name"]), kind)


def _forms() -> list[tuple[FormField, ...]]:
    """The first instance of every published task whose template holds its fields."""
    known = {"text", "textarea", "radio", "select", "checkbox", "range"}
    forms = []
    for folder in sorted(published_data("web", "turkingbench", "tasks").iterdir()):
        if not (folder / "batch.csv").exists():
            continue
        parser = _Types()
        parser.feed((folder / "template.html").read_text(encoding="utf-8", errors="replace"))
        with (folder / "batch.csv").open(encoding="utf-8-sig", newline="") as stream:
            rows = list(csv.DictReader(stream))
        inputs = [name for name in rows[0] if not name.startswith("Answer.")]
        same = [row for row in rows if all(row[name] == rows[0][name] for name in inputs)]
        answers = [name.removeprefix("Answer.") for name in rows[0] if name.startswith("Answer.")]
        fields = tuple(
            field(parser.types[name], *(row["Answer." + name] or "" for row in same), name=name)
            for name in answers
            if parser.types.get(name) in known
        )
        if any(published.counts(one) for one in fields):
            forms.append(fields)
    return forms


def _oracle(one: FormField) -> Any:
    if one.type == "range":
        values = [float(value) for value in one.filled()] or [0.0]
        return str(sum(values) / len(values))
    if one.free_text:
        return next(iter(one.filled()), "")
    return max(one.golds(), key=one.golds().count)


@pytest.mark.slow
def test_the_oracle_wins_every_published_task_under_both_scorings() -> None:
    forms = _forms()
    assert len(forms) > 120
    for fields in forms:
        score, _ = published.score_form(fields, {one.name: _oracle(one) for one in fields})
        assert score > 0.99, fields
        ideal = {one.name: corrected.consensus(one) for one in fields}
        assert corrected.score_form(fields, ideal)[0] > 0.99 or not any(map(corrected.required, fields)), fields
        nothing, _ = published.score_form(fields, {})
        assert nothing <= score


def test_agreement_of_annotators() -> None:
    assert corrected.agreement(field("radio", "a", "a", "b")) == pytest.approx(2 / 3)
    assert corrected.agreement(field("checkbox", "a|b", "a|b")) == 1
    assert corrected.agreement(field("text", "alone")) is None
