"""A kind of reference says everything about itself in one place, in whichever distribution it is."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest

from grading import Answer, NestedReference, Outcome, Reference, Tools, Verdict, grade, grader, parse_reference
from grading.reference import golds, walk
from grading.registry import (
    PluginError,
    RegistrationError,
    is_inline,
    kinds,
    needs_of,
    own_kinds,
    takes_tools,
)
from grading.tools import JudgeReply, JudgeRequest, RunResult, UndeclaredNeedError
from packs.schema import outputs
from tests.support.installing import EXAMPLE, install_metadata, install_project
from tests.support.kinds import kinds_of


class Judge:
    """Finds every two words alike."""

    def ask(self, request: JudgeRequest) -> JudgeReply:
        return JudgeReply(data={"same": True}, model="agreeable", digest=request.purpose)


class Runner:
    def run(self, files: dict[str, str], argv: list[str], stdin: str, seconds: float) -> RunResult:
        raise AssertionError((files, argv, stdin, seconds))


@pytest.fixture
def example(tmp_path: Path) -> Iterator[None]:
    install_project(EXAMPLE, tmp_path)
    with kinds_of(tmp_path):
        yield


@pytest.mark.usefixtures("example")
def test_a_kind_of_another_distribution_grades_and_asks_the_judge() -> None:
    reference = {"kind": "synonym", "word": "glad"}
    assert needs_of(parse_reference(reference)) == {"judge"}
    assert grade(Answer(text="Glad"), reference).score == 1
    verdict = grade(Answer(text="happy"), reference, Tools(judge=Judge()))
    assert (verdict.score, verdict.grader, verdict.reason) == (1.0, "synonym", "the judge: the same")
    assert grade(Answer(text="happy"), reference).outcome is Outcome.UNSCORED


@pytest.mark.usefixtures("example")
def test_needs_and_golds_of_nested_references_are_found_by_themselves() -> None:
    synonym, number = {"kind": "synonym", "word": "glad"}, {"kind": "numeric", "value": "12"}
    either = {"kind": "either", "options": {"word": synonym, "number": number}}
    whole = parse_reference({"kind": "composite", "rule": "all", "parts": [{"reference": either}]})
    assert [inner.kind for inner in walk(whole)] == ["composite", "either", "synonym", "numeric"]
    assert list(parse_reference(either).parts()) == ["options.word", "options.number"]
    assert list(whole.parts()) == ["parts[0].reference"]
    assert golds(whole) == ["glad", "12"]
    assert takes_tools(whole)
    assert not takes_tools(parse_reference({"kind": "either", "options": {"number": number}}))
    assert grade(Answer(text="happy"), whole, Tools(judge=Judge())).score == 1
    assert grade(Answer(text="12"), whole, Tools(judge=Judge())).score == 1
    with pytest.raises(ValueError, match=r"options\.number\n.*unknown reference kind 'nmeric'"):
        parse_reference(either | {"options": {"number": {"kind": "nmeric"}}})


@pytest.mark.usefixtures("example")
def test_the_documents_describe_our_own_kinds_only() -> None:
    assert {"synonym", "either"} <= set(kinds())
    assert set(kinds()) - set(own_kinds()) == {"synonym", "either"}
    assert not [name for name, text in outputs().items() if "ynonym" in text]


TAKEN = """
from typing import Literal
from grading import Reference, grader

class TakenReference(Reference):
    kind: Literal["exact"] = "exact"

@grader(TakenReference, version="1")
def sums(answer, reference, tools): ...
"""
BROKEN = {
    "absent": ("", "cannot be loaded: ModuleNotFoundError: No module named 'other_kinds'"),
    "faulty": ("import grading; grading.nothing", "cannot be loaded: AttributeError: .*nothing"),
    "silent": ("def sums(): ...", "is not there: put @grader on a function of other_kinds"),
    "taken": (TAKEN, "'exact' is registered by grading.kinds.exact.exact already, now by other_kinds.sums"),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_plug_in_that_cannot_be_had_is_named(fault: str, tmp_path: Path) -> None:
    source, message = BROKEN[fault]
    if source:
        (tmp_path / "other_kinds.py").write_text(source)
    install_metadata(tmp_path, "other-kinds", "2.1", {"heldout.graders": {"sums": "other_kinds:sums"}})
    words = rf"^the reference kind 'sums' of other-kinds 2\.1 \(other_kinds:sums\) .*{message}"
    with kinds_of(tmp_path), pytest.raises(PluginError, match=words):
        parse_reference({"kind": "exact", "value": "x"})
    assert parse_reference({"kind": "exact", "value": "x"}).gold_text() == "x", "the next process has its kinds"


def test_a_tool_that_a_kind_does_not_name_is_never_given(tmp_path: Path) -> None:
    class CarelessReference(Reference):
        kind: Literal["careless"] = "careless"
        tool: str

    request = JudgeRequest(purpose="p", system="s", user="u", reply_schema={})

    with kinds_of(tmp_path):

        @grader(CarelessReference, version="1")
        def careless(_answer: Answer, reference: CarelessReference, tools: Tools) -> Verdict:
            assert tools.judge
            assert tools.runner
            if reference.tool == "judge":
                return Verdict.correct(tools.judge.ask(request).model)
            return Verdict.correct(tools.runner.run({}, [], "", 1).stdout)

        for tool in ("judge", "runner"):
            for tools in (Tools(judge=Judge(), runner=Runner()), Tools()):
                with pytest.raises(
                    UndeclaredNeedError, match=rf"'careless' uses a {tool}: name it .* needs={{'{tool}'}}"
                ):
                    grade(Answer(text="x"), {"kind": "careless", "tool": tool}, tools)


def _register(fields: dict[str, Any], **options: Any) -> None:
    kind = type("R", (Reference,), {"__module__": __name__, **fields})
    grader(kind, **{"version": "1"} | options)(lambda answer, reference, tools: Verdict.correct(""))


ODD: dict[str, Any] = {"__annotations__": {"kind": Literal["odd"]}, "kind": "odd"}


@pytest.mark.parametrize(
    ("fields", "options", "message"),
    [
        ({}, {}, "gives its 'kind' no default"),
        (ODD, {"needs": {"oracle"}}, "needs 'oracle'; known needs: judge, runner, people"),
        (ODD, {"needs": {"judge"}, "inline": True}, "inline and has needs"),
        (
            {"__annotations__": {"kind": Literal["odd"], "parts": NestedReference}, "kind": "odd"},
            {},
            "has a field 'parts', a method of Reference: give it an alias",
        ),
    ],
)
@pytest.mark.filterwarnings("ignore:Field name .* shadows")
def test_a_declaration_that_contradicts_itself_is_refused(
    fields: dict[str, Any], options: dict[str, Any], message: str, tmp_path: Path
) -> None:
    with kinds_of(tmp_path), pytest.raises(RegistrationError, match=message):
        _register(fields, **options)


# For each kind whose gold can be written down, one reference, the gold, and what grading by it may take.
WHOLE = {"total": 1, "criteria": [{"id": "a", "text": "t", "points": 1}]}
GOLDS: dict[str, tuple[dict[str, Any], str, set[str]]] = {
    "bleu": ({"references": ["the cat sat on the mat", "a cat"]}, "the cat sat on the mat", set()),
    "exact": ({"value": "Rome"}, "Rome", set()),
    "fuzzy": ({"answers": {"exact_match": "12 |OR| twelve"}}, "12", set()),
    "interval": ({"value": "[0, 1)"}, "[0, 1)", set()),
    "judged": ({"relation": "meaning", "gold": "red"}, "red", {"judge"}),
    "math": ({"value": "x^2"}, "x^2", set()),
    "multiple_choice": ({"value": "B"}, "B", set()),
    "numeric": ({"value": "3 m"}, "3 m", set()),
    "rubric": ({"rubric": WHOLE, "first": {"kind": "numeric", "value": "3 m"}}, "3 m", {"judge", "people"}),
    "set": ({"value": "{1, 2}"}, "{1, 2}", set()),
    "set_f1": ({"values": ["a", "b"]}, '["a", "b"]', set()),
    "symbolic": ({"value": "x + y"}, "x + y", set()),
    "token_f1": ({"golds": ["the red house", "red"]}, "the red house", set()),
}


@pytest.mark.parametrize("kind", GOLDS)
def test_the_gold_of_a_kind_is_right_by_its_own_grader(kind: str) -> None:
    fields, gold, needs = GOLDS[kind]
    reference = parse_reference({"kind": kind, **fields})
    assert reference.gold_text() == gold
    assert needs_of(reference) == needs
    assert grade(Answer(text=gold), reference).score == 1


def test_every_kind_with_a_gold_is_in_that_table() -> None:
    assert {kind for kind, entry in own_kinds().items() if entry.model.gold_text is not Reference.gold_text} | {
        kind for kind, entry in own_kinds().items() if entry.model.gold_field
    } == set(GOLDS)


def test_what_our_kinds_need() -> None:
    rubric = {"kind": "rubric", "rubric": {"total": 1, "criteria": [{"id": "a", "text": "t", "points": 1}]}}
    program = {"kind": "code_tests", "cases": [{"stdout": "4"}]}
    meaning = {"kind": "fuzzy", "answers": {"fuzzy_match": ["red"]}}
    nothing = {"kind": "fuzzy", "answers": {"fuzzy_match": "N/A"}}
    task = {"kind": "webarena", "eval_types": ["string_match"], "reference_answers": meaning["answers"]}
    wanted: list[tuple[dict[str, Any], set[str]]] = [
        (rubric, {"judge", "people"}),
        (program, {"runner"}),
        (meaning, {"judge"}),
        (nothing, set()),
        (nothing | {"mode": "classic"}, {"judge"}),
        (task, {"judge"}),
        (task | {"reference_answers": {"exact_match": "red"}}, set()),
        ({"kind": "judged", "relation": "meaning", "gold": "x", "first": program}, {"judge", "runner"}),
    ]
    for data, needs in wanted:
        assert needs_of(parse_reference(data)) == needs, data
    plain = {"multiple_choice": "A", "exact": "x"}
    assert all(is_inline(parse_reference({"kind": kind, "value": value})) for kind, value in plain.items())
    assert {kind for kind, entry in kinds().items() if entry.inline} == set(plain)
