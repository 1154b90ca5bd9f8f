"""WebArena's listed defects: the published result, what each switch mends by itself, and the right result.

Those that no evaluator can show (D9, D11, D13 to D16) are tested where they live; docs/webarena.md names the tests.
"""

from typing import Any

import pytest

from grading import Answer, Evidence, Outcome, Tools, Verdict, grade
from grading.tools import JudgeReply, JudgeRequest
from grading.webarena.defects import ALL, DEFECTS

CORRECT, INCORRECT, UNSCORED = Outcome.CORRECT, Outcome.INCORRECT, Outcome.UNSCORED
ADDRESS = "http://s.test/f/history"


class Saying:
    """A judge with one reply."""

    def __init__(self, verdict: str) -> None:
        self.verdict = verdict

    def ask(self, request: JudgeRequest) -> JudgeReply:
        del request
        return JudgeReply(data={"verdict": self.verdict}, model="scripted-1", digest="d" * 64)


def answers(given: str, says: str = "", **wanted: Any) -> dict[str, Any]:
    return {"text": given, "says": says, "block": {"eval_types": ["string_match"], "reference_answers": wanted}}


def ended(url: str, wanted: str) -> dict[str, Any]:
    return {"page": {"url": url}, "block": {"eval_types": ["url_match"], "reference_url": wanted}}


def held(content: str, text: str, *wanted: str) -> dict[str, Any]:
    entry = {"url": "last", "locator": "", "required_contents": {"must_include": list(wanted)}}
    return {
        "target_0": {"content": content, "text": text},
        "block": {"eval_types": ["program_html"], "program_html": [entry]},
    }


# Defect, what was answered or left, and the outcomes: as published, with this defect alone mended, strictly.
CASES: list[tuple[str, dict[str, Any], Outcome, Outcome, Outcome]] = [
    ("D1", answers("1170", must_include=["170"]), CORRECT, INCORRECT, INCORRECT),
    ("D1", held("<p>1170</p>", "1170", "170"), CORRECT, INCORRECT, INCORRECT),
    ("D2", answers("$0.00", must_include=["0"]), INCORRECT, CORRECT, CORRECT),
    ("D3", answers("65", must_include=["65 |OR| 3"]), INCORRECT, CORRECT, CORRECT),
    ("D4", ended(f"{ADDRESS}memes", ADDRESS), CORRECT, INCORRECT, INCORRECT),
    ("D4", ended("http://s.test/a?x=1", "http://s.test/a?x=1 |OR| http://s.test/b?y=2"), INCORRECT, CORRECT, CORRECT),
    ("D5", answers("Oct 21st", exact_match="October 21"), INCORRECT, CORRECT, CORRECT),
    ("D6", answers("wide", "not incorrect: correct", fuzzy_match=["roomy"]), INCORRECT, UNSCORED, UNSCORED),
    ("D6", answers("wide", "surely correct", fuzzy_match=["roomy"]), CORRECT, UNSCORED, UNSCORED),
    ("D7", answers("gone", "same", must_include=["5"], fuzzy_match="N/A", note="gone"), CORRECT, INCORRECT, INCORRECT),
    ("D10", held("<script>'Guest'</script><p>Nobody</p>", "Nobody", "Guest"), CORRECT, INCORRECT, INCORRECT),
]


def judged(case: dict[str, Any], mode: str, *fixed: str) -> Outcome:
    seen = tuple(Evidence(name=name, value=case[name]) for name in ("page", "target_0") if name in case)
    judge = Saying(case["says"]) if case.get("says") else None
    reference = {"kind": "webarena", "mode": mode, "fixed": list(fixed), **case["block"]}
    return grade(Answer(text=case.get("text"), evidence=seen), reference, Tools(judge=judge)).outcome


@pytest.mark.parametrize(("defect", "case", "as_published", "mended", "strict"), CASES)
def test_each_switch_mends_its_own_defect(
    defect: str, case: dict[str, Any], as_published: Outcome, mended: Outcome, strict: Outcome
) -> None:
    assert judged(case, "classic") is as_published
    assert judged(case, "classic", defect) is mended
    assert judged(case, "classic", *ALL) is mended
    assert judged(case, "strict") is strict


@pytest.mark.parametrize(("defect", "case", "as_published", "mended", "strict"), CASES)
def test_no_other_switch_touches_it(
    defect: str, case: dict[str, Any], as_published: Outcome, mended: Outcome, strict: Outcome
) -> None:
    del mended, strict
    others = ALL - {defect}
    assert {judged(case, "classic", other) for other in others} == {as_published}
    assert judged(case, "classic", *others) is as_published


def test_every_switch_has_a_case() -> None:
    assert {case[0] for case in CASES} == set(DEFECTS)


def test_a_list_of_all_candidates_passes_only_as_published() -> None:
    """D1: the golds of sibling tasks are forbidden in the strict mode."""
    case = answers("Lamp, Vase, Chair", must_include=["Lamp"], forbidden=["Vase", "Chair"])
    assert (judged(case, "classic"), judged(case, "strict")) == (CORRECT, INCORRECT)


def test_not_available_passes_where_the_task_is_unachievable_and_nowhere_else() -> None:
    """D7: 36 tasks are passed by "N/A", in both modes."""
    for mode in ("classic", "strict"):
        assert judged(answers("N/A", fuzzy_match="N/A"), mode) is CORRECT
        assert judged(answers("N/A", must_include=["5"]), mode) is INCORRECT


def test_an_address_is_text_however_it_is_written() -> None:
    """D8: what the published code splices into Python source stays one argument, and nothing runs."""
    hostile = "http://s.test/f/a/1/'); __import__('os').abort(); ('"
    case = ended(hostile, "http://s.test/f/a/1")
    assert (judged(case, "classic"), judged(case, "strict")) == (CORRECT, INCORRECT)


def test_a_crash_is_no_verdict_and_stays_in_the_count() -> None:
    """D12: the published harness drops the task; here it is told as unscored, and what failed for sure still fails."""
    block = held("", "", "x")["block"]
    block |= {"eval_types": ["string_match", "program_html"], "reference_answers": {"exact_match": "yes"}}
    crashed = Evidence(name="target_0", fault=True, error="the browser died")
    for mode in ("classic", "strict"):
        reference = {"kind": "webarena", "mode": mode, **block}
        assert grade(Answer(text="yes", evidence=(crashed,)), reference).outcome is UNSCORED
        assert grade(Answer(text="no", evidence=(crashed,)), reference).outcome is INCORRECT


def changed(*rows: dict[str, Any]) -> Verdict:
    state = Evidence(name="state", value={"tables": {"post": {"key": ["id"], "before": [], "after": list(rows)}}})
    page = Evidence(name="page", value={"url": "http://s.test/f/books/1"})
    parts: list[dict[str, Any]] = [
        {"reference": {"kind": "url_match", "mode": "classic", "url": "http://s.test/f/books"}},
        {
            "reference": {
                "kind": "state_change",
                "expected": [{"table": "post", "change": "insert", "values": {"f": 1}}],
            }
        },
    ]
    alone = grade(Answer(evidence=(page, state)), parts[0]["reference"])
    assert alone.outcome is CORRECT, "as published, having been there is enough"
    return grade(Answer(evidence=(page, state)), {"kind": "composite", "rule": "all", "parts": parts})


def test_a_visit_without_the_deed_and_a_deed_too_many_fail_by_the_state() -> None:
    """D17: as published the address alone passes, and further posts cost nothing."""
    wanted, besides = {"id": 1, "f": 1}, {"id": 2, "f": 7}
    assert changed(wanted).outcome is CORRECT
    assert changed().outcome is INCORRECT
    assert changed(wanted, besides).outcome is INCORRECT
