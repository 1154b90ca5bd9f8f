"""The kinds at their edges: exact scores, and the sentence that every verdict gives."""

from typing import Any

import pytest

from grading import Answer, Evidence, Tools, grade, parse_reference
from grading.kinds.code_tests import MAX_CODE, program
from grading.tools import JudgeReply, JudgeRequest, JudgeUnavailableError, RunResult


def shown(answer: Answer, reference: dict[str, Any], tools: Tools | None = None) -> tuple[float | None, str]:
    verdict = grade(answer, reference, tools)
    return verdict.score, verdict.reason


RUBRIC = {"kind": "rubric", "rubric": {"total": 1, "criteria": [{"id": "a", "text": "does a", "points": 1}]}}
BLEU = {"kind": "bleu", "references": ["the cat sat on the mat"]}


def part(wanted: str, **more: Any) -> dict[str, Any]:
    return {"reference": {"kind": "includes", "values": [wanted]}, **more}


PLAIN, WIDE = {"boundaries": False}, {"compare": "numbers"}
RED, BLUE, OPEN = part("red"), part("blue"), {"reference": RUBRIC}
F1 = {"reference": {"kind": "token_f1", "golds": ["red blue"]}}
F1_SHORT = {"reference": {"kind": "token_f1", "golds": ["red blue green brown"]}}


# "red" has F1 2·1/(1+2) = 2/3 with "red blue" and 2·1/(1+4) = 0.4 with the four colours.
@pytest.mark.parametrize(
    ("rule", "parts", "text", "score", "reason"),
    [
        ("all", [RED, RED], "red", 1, "2 of 2 parts right"),
        ("all", [RED, BLUE], "red", 0, "1 of 2 parts right"),
        ("all", [F1, F1_SHORT], "red", 2 / 3 * 0.4, "0 of 2 parts right"),
        ("any", [F1_SHORT, F1, BLUE], "red", 2 / 3, "0 of 3 parts right"),
        ("any", [BLUE, BLUE], "red", 0, "0 of 2 parts right"),
        ("weighted", [part("red", weight=3), part("blue", weight=2)], "red", 0.6, "1 of 2 parts right"),
        ("weighted", [part("red", weight=0.5), F1_SHORT], "red", (0.5 + 0.4) / 1.5, "1 of 2 parts right"),
        ("weighted", [RED, OPEN, OPEN], "red", None, "2 of 3 parts undecided: waits for a person"),
        ("all", [RED, OPEN], "red", None, "1 of 2 parts undecided: waits for a person"),
        ("all", [F1, OPEN], "blue red", None, "1 of 2 parts undecided: waits for a person"),
        ("all", [BLUE, OPEN], "red", 0, "0 of 2 parts right"),
        ("any", [RED, OPEN], "red", 1, "1 of 2 parts right"),
        ("any", [BLUE, OPEN], "red", None, "1 of 2 parts undecided: waits for a person"),
        ("weighted", [BLUE, OPEN], "red", None, "1 of 2 parts undecided: waits for a person"),
        ("all", [RED, BLUE], " ", 0, "there is no text to look in"),
    ],
)
def test_composites(rule: str, parts: list[Any], text: str, score: float | None, reason: str) -> None:
    found = shown(Answer(text=text), {"kind": "composite", "rule": rule, "parts": parts})
    assert found == (score if score is None else pytest.approx(score), reason)


def test_parts_are_named_and_given_their_field() -> None:
    parts = [part("red", name="hue", field="colour"), part("blue", field="colour"), part("5"), part("x", field="gone")]
    answer = Answer(text="5", data={"colour": "red"})
    detail: Any = grade(answer, {"kind": "composite", "rule": "weighted", "parts": parts}).detail
    assert [(one["name"], one["score"], one["outcome"], one["reason"]) for one in detail["parts"]] == [
        ("hue", 1.0, "correct", "holds all required texts"),
        ("colour", 0.0, "incorrect", "1 of 1 required texts are missing"),
        ("3", 1.0, "correct", "holds all required texts"),
        ("gone", 0.0, "unparseable", "the answer has no field 'gone'"),
    ]
    whole = {
        "kind": "composite",
        "rule": "all",
        "parts": [{"reference": {"kind": "set_f1", "values": ["7"]}, "field": "n"}],
    }
    assert grade(Answer(text="8", data={"n": [7]}), whole).score == 1
    words = {"kind": "composite", "rule": "all", "parts": [{**F1, "field": "c"}]}
    assert grade(Answer(data={"c": "blue red"}), words).score == 1
    assert grade(Answer(text="7", data={"n": 7}), whole).score == 0


def test_nesting_is_counted_where_it_is_deepest() -> None:
    def nested(depth: int) -> dict[str, Any]:
        inner = part("red") if depth == 1 else {"reference": nested(depth - 1)}
        return {"kind": "composite", "rule": "all", "parts": [RED, inner, RED]}

    assert parse_reference(nested(9)).kind == "composite"
    with pytest.raises(ValueError, match="references are nested more than 9 deep"):
        parse_reference(nested(10))
    with pytest.raises(ValueError, match="at least 1 item"):
        parse_reference(
            {"kind": "composite", "rule": "all", "parts": [{"reference": {"kind": "composite", "parts": []}}]}
        )


@pytest.mark.parametrize(
    ("answer", "reference", "score", "reason"),
    [
        (Answer(text="a  b"), {"value": "a b"}, 1, "the same text as the reference"),
        (Answer(text="a  b"), {"value": "a b", "collapse_space": False}, 0, "not the text asked for"),
        (Answer(text="A"), {"value": "a"}, 0, "not the text asked for"),
        (Answer(text="STRASSE"), {"value": "straße", "case_sensitive": False}, 1, "the same text as the reference"),
        (Answer(text="e\u0301"), {"value": "é"}, 1, "the same text as the reference"),
        (Answer(text="x\nANSWER: b"), {"value": "a", "alternatives": ["b"]}, 1, "the same text as the reference"),
        (Answer(text="x\nANSWER: b"), {"value": "b", "whole": True}, 0, "not the text asked for"),
        (Answer(text="x\nANSWER: b"), {"value": "x ANSWER: b", "whole": True}, 1, "the same text as the reference"),
        (Answer(), {"value": "b", "whole": True}, 0, "not the text asked for"),
    ],
)
def test_exact(answer: Answer, reference: dict[str, Any], score: float, reason: str) -> None:
    assert shown(answer, {"kind": "exact", **reference}) == (score, reason)


@pytest.mark.parametrize("kind", ["exact", "math"])
@pytest.mark.parametrize("text", ["red, blue", "London, Paris, blue", "red; blue", "red and blue", "blue, red"])
def test_one_of_a_list_says_no_text(kind: str, text: str) -> None:
    assert shown(Answer(text=text), {"kind": kind, "value": "blue"})[0] != 1


@pytest.mark.parametrize(
    ("text", "reference", "score", "reason"),
    [
        ("a b", {"values": ["a", ["x", "b"]]}, 1, "holds all required texts"),
        ("a b", {"values": ["c", ["x", "y"], "a"]}, 0, "2 of 3 required texts are missing"),
        ("a b c", {"values": ["a"], "forbidden": ["b", "c", "d"]}, 0, "holds 2 text(s) that must not occur"),
        ("smile :-)", {"values": [":-)"]}, 1, "holds all required texts"),
        ("smile", {"values": [":-)"]}, 0, "1 of 1 required texts are missing"),
        ("xaby", {"values": ["AB"], "boundaries": False}, 1, "holds all required texts"),
        ("xABy", {**PLAIN, "values": ["ab"], "case_sensitive": True}, 0, "1 of 1 required texts are missing"),
        ("xABy", {"values": ["AB"], "boundaries": False, "case_sensitive": True}, 1, "holds all required texts"),
        ("xstrassey", {"values": ["STRAßE"], "boundaries": False}, 1, "holds all required texts"),
    ],
)
def test_includes(text: str, reference: dict[str, Any], score: float, reason: str) -> None:
    assert shown(Answer(text=text), {"kind": "includes", **reference}) == (score, reason)
    assert shown(Answer(data=text), {"kind": "includes", **reference}) == (score, reason)


@pytest.mark.parametrize(
    ("answer", "values", "score", "reason"),
    [
        (Answer(data=["A", "b"]), ["a", "c"], 0.5, "1 of 2 values, 1 others"),
        (Answer(data=[1, 2.5, True]), ["1", "2.5", "true"], 1, "3 of 3 values, 0 others"),
        (Answer(data=["a", "a"]), ["a"], 1, "1 of 1 values, 0 others"),
        (Answer(text='["a", "b"]'), ["a"], 2 / 3, "1 of 1 values, 1 others"),
        (Answer(text=" a \n\n b "), ["a", "b"], 1, "2 of 2 values, 0 others"),
        (Answer(text="5"), ["5"], 1, "1 of 1 values, 0 others"),
        (Answer(text='{"a": 1}'), ['{"a": 1}'], 1, "1 of 1 values, 0 others"),
        (Answer(text="[" * 100_000), ["a"], 0, "0 of 1 values, 1 others"),
        (Answer(text=""), [], 1, "0 of 0 values, 0 others"),
        (Answer(data=[["a"]]), ["a"], 0, "the answer is no list of values"),
        (Answer(data=[{"a": 1}]), ["a"], 0, "the answer is no list of values"),
        (Answer(data="a", text="a"), ["a"], 0, "the answer is no list of values"),
        (Answer(), ["a"], 0, "the answer is no list of values"),
    ],
)
def test_sets(answer: Answer, values: list[str], score: float, reason: str) -> None:
    found_score, found_reason = shown(answer, {"kind": "set_f1", "values": values})
    assert found_score == pytest.approx(score)
    assert found_reason == reason


@pytest.mark.parametrize(
    ("seen", "score", "reason"),
    [
        ({"value": {"values": ["a"]}}, 1, "1 of 1 values, 0 others"),
        ({"value": {"other": ["a"]}}, 0, "the answer is no list of values"),
        ({"error": "no variable"}, 0, "0 of 1 values, 0 others"),
        ({"fault": True}, None, "the probe 'v' failed by a fault of the service: no reason given"),
    ],
)
def test_sets_as_evidence(seen: dict[str, Any], score: float | None, reason: str) -> None:
    answer = Answer(text="a", data=["a"], evidence=(Evidence(name="v", **seen),))
    assert shown(answer, {"kind": "set_f1", "values": ["a"], "evidence": "v"}) == (score, reason)


class Runner:
    """Gives its results one after the other and remembers what it was asked to run."""

    def __init__(self, *results: RunResult) -> None:
        self.results, self.asked = list(results), list[Any]()

    def run(self, files: dict[str, str], argv: list[str], stdin: str, seconds: float) -> RunResult:
        self.asked.append((files, argv, stdin, seconds))
        return self.results.pop(0)


def ran(stdout: str = "", exit_code: int = 0, *, timed_out: bool = False) -> RunResult:
    return RunResult(exit_code=exit_code, stdout=stdout, stderr="", timed_out=timed_out)


def test_a_program_gets_its_files_arguments_and_input() -> None:
    runner = Runner(ran("1"), ran("2"))
    cases = [{"stdout": "1", "stdin": "in", "arguments": ["-x"]}, {"stdout": "2"}]
    reference = {"kind": "code_tests", "argv": ["sh", "run.sh"], "file": "m.py", "files": {"d": "5"}, "cases": cases}
    answer = Answer(text="a\n```py\nfirst\n```\n```\nlast\n```")
    assert shown(answer, {**reference, "seconds": 2}, Tools(runner=runner)) == (1, "2 of 2 cases passed")
    files = {"d": "5", "m.py": "last\n"}
    assert runner.asked == [(files, ["sh", "run.sh", "-x"], "in", 2), (files, ["sh", "run.sh"], "", 2)]


@pytest.mark.parametrize(
    ("results", "more", "score", "reason"),
    [
        ([ran("1"), ran("2")], {}, 1, "2 of 2 cases passed"),
        ([ran("1"), ran("3")], {}, 0, "1 of 2 cases passed; case 2: other output"),
        ([ran("9"), ran("2")], {"score": "share"}, 0.5, "1 of 2 cases passed; case 1: other output"),
        ([ran("1", 3), ran("2", -9)], {}, 0, "0 of 2 cases passed; case 1: ended with exit code 3"),
        ([ran("1", timed_out=True), ran("2")], {}, 0, "1 of 2 cases passed; case 1: did not end in time"),
        ([ran("1 \n\n"), ran("2\t")], {}, 1, "2 of 2 cases passed"),
        ([ran("\n1"), ran("2")], {}, 0, "1 of 2 cases passed; case 1: other output"),
        ([ran(" 1"), ran("2")], {}, 0, "1 of 2 cases passed; case 1: other output"),
        ([ran("1.5"), ran("2")], {"compare": "numbers", "tolerance": 0.5}, 1, "2 of 2 cases passed"),
        ([ran("1.6"), ran("2")], {**WIDE, "tolerance": 0.5}, 0, "1 of 2 cases passed; case 1: other output"),
        ([ran("1 1"), ran("2")], {"compare": "numbers"}, 0, "1 of 2 cases passed; case 1: other output"),
        ([ran(" 1\n"), ran("2.0")], {"compare": "numbers"}, 1, "2 of 2 cases passed"),
    ],
)
def test_cases(results: list[RunResult], more: dict[str, Any], score: float, reason: str) -> None:
    reference = {"kind": "code_tests", "cases": [{"stdout": "1"}, {"stdout": "2\n"}], **more}
    assert shown(Answer(text="x"), reference, Tools(runner=Runner(*results))) == (score, reason)


def test_lines_and_tokens_of_outputs() -> None:
    for stdout, compare, score in (
        ("a \nb", "lines", 1),
        ("a\n\nb", "lines", 0),
        ("a b", "lines", 0),
        ("a b", "numbers", 1),
        ("a c", "numbers", 0),
    ):
        reference = {"kind": "code_tests", "cases": [{"stdout": "a\nb \n"}], "compare": compare}
        assert grade(Answer(text="x"), reference, Tools(runner=Runner(ran(stdout)))).score == score
    reference = {"kind": "code_tests", "cases": [{"stdout": "1"}]}
    assert grade(Answer(text="x" * MAX_CODE), reference, Tools(runner=Runner(ran("1")))).score == 1
    assert grade(Answer(text="x" * (MAX_CODE + 1)), reference, Tools(runner=Runner(ran("1")))).score == 0
    assert program("```\na\n```\n```js\nb\n```\nend") == "b\n"


class Says:
    """A judge that always gives the same verdict."""

    def __init__(self, verdict: str | None) -> None:
        self.verdict, self.asked = verdict, list[JudgeRequest]()

    def ask(self, request: JudgeRequest) -> JudgeReply:
        self.asked.append(request)
        if self.verdict is None:
            raise JudgeUnavailableError("rate limited")
        return JudgeReply(data={"verdict": self.verdict, "reason": "r"}, model="m", digest="0" * 64)


EXACT = {"kind": "exact", "value": "Paris"}
UNSEEN = {"kind": "url_match", "url": "http://s.test/"}


@pytest.mark.parametrize(
    ("text", "more", "score", "reason"),
    [
        ("1h 3min", {"relation": "meaning", "gold": "63 min"}, 1, "the same value as the reference"),
        ("1h 4min", {"relation": "meaning", "gold": "63 min"}, None, None),
        ("63 min", {"relation": "symbolic", "gold": "63 min"}, None, None),
        ("Paris", {"relation": "meaning", "gold": "Paris", "first": EXACT}, 1, "the same text as the reference"),
        ("Rome", {"relation": "meaning", "gold": "Paris", "first": EXACT}, 0, "not the text asked for"),
        ("Rome", {"relation": "meaning", "gold": "Paris", "first": EXACT, "after": "not_correct"}, None, None),
        ("Paris", {"relation": "meaning", "gold": "x", "first": EXACT, "after": "not_correct"}, 1, None),
        ("Paris", {"relation": "meaning", "gold": "Paris", "first": UNSEEN}, None, None),
        (" ", {"relation": "meaning", "gold": "x"}, 0, "the answer is empty"),
    ],
)
def test_a_judge_is_asked_only_where_nothing_else_decides(
    text: str, more: dict[str, Any], score: float | None, reason: str | None
) -> None:
    judge = Says(None)
    found = shown(Answer(text=text), {"kind": "judged", **more}, Tools(judge=judge))
    assert found[0] == score
    assert reason in (None, found[1])
    assert bool(judge.asked) is (score is None)
    as_data = shown(Answer(data=text), {"kind": "judged", **more}, Tools(judge=Says(None)))
    assert as_data == found


FORM = [{"name": "a", "type": "radio", "gold": ["x"]}, {"name": "b", "type": "text", "gold": ["some long text"]}]


@pytest.mark.parametrize(
    ("state", "scoring", "score", "reason"),
    [
        ({"submitted": {"a": "x"}}, "published", 0.5, "2 fields, published scoring"),
        ({"submitted": {"a": "x"}}, "corrected", 0.5, "2 fields, corrected scoring"),
        ({"submitted": None, "seen": {"a": "x"}}, "published", 0.5, "2 fields, published scoring"),
        ({"submitted": {"a": "x"}, "seen": {}}, "published", 0, "2 fields, published scoring"),
        ({"submitted": {"a": "x"}, "visible": ["a"]}, "published", 1, "1 fields, published scoring"),
        ({"submitted": {"a": "x"}, "visible": ["b"]}, "published", 0, "1 fields, published scoring"),
        ({"submitted": {"a": "x"}, "visible": []}, "published", 0, "0 fields, published scoring"),
        ({}, "published", 0, "2 fields, published scoring"),
        ({"submitted": {"a": ["x"]}}, "corrected", 0.5, "2 fields, corrected scoring"),
    ],
)
def test_forms(state: dict[str, Any], scoring: str, score: float, reason: str) -> None:
    evidence = (Evidence(name="form", value=state),)
    reference = {"kind": "form", "fields": FORM, "scoring": scoring}
    assert shown(Answer(evidence=evidence), reference) == (score, reason)
    evidence = (Evidence(name="page", value=state),)
    assert shown(Answer(evidence=evidence, data={}), {**reference, "evidence": "page"}) == (score, reason)


def test_forms_without_evidence() -> None:
    reference = {"kind": "form", "fields": FORM}
    assert shown(Answer(data={"a": "x", "b": "some long text"}), reference) == (1, "2 fields, corrected scoring")
    told = "a form's values are texts or lists of texts by field name"
    assert shown(Answer(data={"a": 5}), reference) == (0, told)
    assert shown(Answer(data=["x"]), reference) == (None, "no evidence called 'form' was taken")
    done = [{"name": "a", "type": "radio", "gold": ["x"], "default": "x"}]
    for state, detail in (({"submitted": None}, (0.0, 1.0)), ({"submitted": {"a": "x"}}, (1.0, 1.0))):
        evidence = (Evidence(name="form", value=state),)
        verdict = grade(Answer(evidence=evidence), {"kind": "form", "fields": done})
        assert (verdict.score, verdict.detail["do_nothing"]) == detail
        assert verdict.detail["corrected_fields"] == {"a": 1.0}
    odd = [{"name": "d", "type": "date", "gold": ["x"]}]
    verdict = grade(Answer(data={"d": "x"}), {"kind": "form", "fields": odd, "scoring": "published"})
    assert verdict.reason == "the published scoring has no rule for one of the fields"
    assert (verdict.detail["published"], verdict.detail["published_fields"]) == (None, {})


def page(required: dict[str, Any], *seen: Evidence, mode: str = "strict", targets: int = 1) -> tuple[float | None, str]:
    asked = [{"evidence": f"t{place}", "required": required} for place in range(targets)]
    return shown(Answer(evidence=seen), {"kind": "page_content", "mode": mode, "targets": asked})


def test_pages_with_their_reasons() -> None:
    good, bad = ({"content": text, "text": text} for text in ("Saved", "Lost"))
    required = {"must_include": ["Saved"]}
    assert page(required, Evidence(name="t0", value=good)) == (1, "all 1 pages hold what they should")
    two = [Evidence(name="t0", value=good), Evidence(name="t1", value=bad)]
    score, reason = page(required, *two, targets=2)
    assert score == 0
    assert reason.startswith("page 2 of 2: ")
    assert page(required, *two[::-1], targets=2) == (score, reason)
    gone = Evidence(name="t1", error="no such element")
    assert page(required, two[0], gone, targets=2)[0] == 0
    assert page(required, two[0], targets=2) == (None, "no evidence called 't1' was taken")
    odd = Evidence(name="t0", value={"content": 5})
    assert page(required, odd)[0] is None
