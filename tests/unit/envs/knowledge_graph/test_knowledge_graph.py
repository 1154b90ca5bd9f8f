"""The knowledge graph: what the tools answer, how replies are read, and what gets nobody a point."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from envs import registry
from envs.base import Action, FinishReason, Probe, SpecError, StepResult, ToolCall
from envs.knowledge_graph import protocol
from envs.knowledge_graph.environment import KnowledgeGraph
from envs.knowledge_graph.protocol import PARAMETERS
from envs.knowledge_graph.query import Both, Entity, Extreme, Neighbors, Query, Size, both, members
from grading import Answer, Evidence, Outcome, Verdict, grade
from tests.unit.envs.knowledge_graph.school import (
    CALLS,
    ENTITIES,
    FINAL,
    GOLD,
    OBSERVED,
    QUESTION,
    SOLUTION,
    spec,
    text,
)

REFERENCE = {"kind": "set_f1", "values": GOLD, "evidence": "answer"}
PROBE = Probe(name="answer", type="answer")


async def played(
    replies: Sequence[str | Action], seed: int = 0, **changed: Any
) -> tuple[KnowledgeGraph, list[StepResult]]:
    """An episode after these replies, or until it ends."""
    world = KnowledgeGraph()
    await world.reset(spec(**changed), seed)
    seen: list[StepResult] = []
    for reply in replies:
        seen.append(await world.step(reply if isinstance(reply, Action) else Action(text=reply)))
        if seen[-1].finish:
            break
    return world, seen


async def said(*replies: str | Action, **changed: Any) -> list[str]:
    """What is said after each reply."""
    _, seen = await played(replies, **changed)
    return [one.observation.text for one in seen]


async def values(*replies: str, **changed: Any) -> list[Any]:
    """What is in the variable that the last reply made."""
    texts = await said(*replies, **changed)
    number = texts[-1].split("#")[1].split(",")[0]
    world, seen = await played([*replies, f"Final Answer: #{number}"], **changed)
    assert seen[-1].finish is FinishReason.COMPLETED
    (found,) = await world.probe([PROBE])
    assert isinstance(found.value, dict)
    listed = found.value["values"]
    assert isinstance(listed, list)
    return listed


async def verdict(world: KnowledgeGraph) -> Verdict:
    (found,) = await world.probe([PROBE])
    return grade(Answer(evidence=(Evidence.model_validate(found.model_dump()),)), REFERENCE)


def call(name: str, *arguments: str) -> Action:
    """A call of a function by name."""
    return Action(tool=ToolCall(name=name, arguments=dict(zip(PARAMETERS[name], arguments, strict=False))))


async def test_the_solution_answers_in_text_and_by_functions() -> None:
    functions = [*(call(*one) for one in CALLS), Action(text=FINAL)]
    for replies in (SOLUTION, functions):
        world, seen = await played(replies)
        assert [one.observation.text for one in seen[:-1]] == list(OBSERVED)
        assert [one.finish for one in seen] == [*[None] * len(CALLS), FinishReason.COMPLETED]
        assert seen[-1].answer == "#4"
        judged = await verdict(world)
        assert judged.outcome is Outcome.CORRECT
        assert judged.detail == {"f1": 1.0, "exact": 1.0, "executable": 1.0}


async def test_part_of_the_answer_is_part_of_the_score() -> None:
    replies = [text(("get_relations", "Linden School")), text(CALLS[1]), text(("get_relations", "#0"))]
    world, _ = await played([*replies, text(("get_neighbors", "#0", "art.painter.taught_by")), "Final Answer: #1"])
    judged = await verdict(world)  # four teachers, two of them right
    assert judged.detail == {"f1": pytest.approx(2 / 3), "exact": 0.0, "executable": 1.0}
    assert judged.score == pytest.approx(2 / 3)


async def test_the_first_observation_shows_question_and_names_and_nothing_else() -> None:
    first = await KnowledgeGraph().reset(spec(), 0)
    assert first.text.endswith(f"A new question: {QUESTION}\nEntities: [Linden School, fresco (wet, dry)]")
    assert [tool.name for tool in first.tools] == list(PARAMETERS)
    assert not [secret for secret in ("m.", "pupils]", "hidden", "born") if f" {secret}" in first.model_dump_json()]
    messages = first.data["messages"]
    assert isinstance(messages, list)
    roles = [turn["role"] for turn in messages if isinstance(turn, dict)]
    assert roles == ["user", "agent"] * (len(roles) // 2) + ["user"]


async def test_the_owners_words_take_the_place_of_ours() -> None:
    first = await KnowledgeGraph().reset(spec(instruction="Ask.", example=["Yes.", "Well?", "No."], lead="Now: "), 0)
    assert first.text.startswith(f"Ask.\nYou: Yes.\nWell?\nYou: No.\nNow: {QUESTION}")


FAILED = " cannot be executed. You may make a mistake and need to fix it."
TYPES = (
    " cannot be executed. The two variables are not of the same type. You may further explore them by call "
    "get_relations"
)
SYNTAX = " (e.g., unmatched parenthesis). I need to fix it and reuse the tool"


@pytest.mark.parametrize(
    ("reply", "published"),
    [
        ("I think so.", protocol.NO_ACTION),
        ("", protocol.NO_ACTION),
        ("action: get_relations(Linden School)", protocol.NO_ACTION),
        ("Action: look around", protocol.NO_FUNCTION),
        ("Final Answer: #0", protocol.NO_VARIABLE),
        ("Find Answer: #12345678901234567890", protocol.NO_VARIABLE),
        ("Final Answer: 0", protocol.NO_ACTION),
        ("Action: get_relations(Nobody)", "get_relations(Nobody)" + FAILED),
        ("Action: get_relations(#0)", "get_relations(#0)" + FAILED),
        ("Action: get_relations(#-1)", "get_relations(#-1)" + FAILED),
        ("Action: get_relations(a , b)", "get_relations(a, b)" + FAILED),
        (
            "Action: get_neighbors(Linden School, art.school.pupils)",
            "get_neighbors(Linden School, art.school.pupils)" + FAILED,
        ),
        ("Action: intersection(a, b)", "intersection(a, b)" + TYPES),
        ("Action: count(Linden School)", "count(Linden School)" + FAILED),
        ("Action: argmax(#0, art.painter.born)", "argmax(#0, art.painter.born)" + FAILED),
        ("Action: dance(Linden School)", "I may make a syntax error when calling dance" + SYNTAX),
        ("Action: get_relations(Linden School", "I may make a syntax error when calling get_relations" + SYNTAX),
        ("Action: get_relations()", "I may make a syntax error when calling get_relations" + SYNTAX),
        ("Action: get_relations(fresco (wet, dry))", "get_relations(fresco (wet, dry)" + FAILED),
        ("Action: final_execute(#0)", "I may make a syntax error when calling final_execute" + SYNTAX),
    ],
)
async def test_what_cannot_be_executed_gets_the_published_words(reply: str, published: str) -> None:
    assert await said(reply, rules="published") == [published]


LISTED = "Observation: [art.school.head, art.school.pupils]"


@pytest.mark.parametrize(
    "reply",
    [
        "Action: get_relations(Linden School)",
        "Thought: x.\nAction: get\\_relations(Linden School)\nObservation: [made.up]\nFinal Answer: #0",
        "Action 1: first get_relations(Linden School) and then get_relations(m.fresco)",
        "Action: dance(x), get_relations(Linden School)",
        "Action: get_relations(variable Linden School)",
        "Action: get_relations(m.school)",
        "Action: get_relations(Linden School)\nAction: get_relations(m.fresco)",
    ],
)
async def test_the_first_call_that_can_be_executed_is(reply: str) -> None:
    for rules in ("published", "fixed"):
        (text,) = await said(reply, rules=rules)
        assert sorted(text) == sorted(LISTED), rules


async def test_published_unreadable_calls_are_shown_with_the_arguments_of_the_call_before() -> None:
    replies = ("Action: get_relations(Nobody)", "Action: dance()")
    assert (await said(*replies, rules="published"))[1] == "dance(Nobody)" + FAILED
    assert (await said(*replies))[1] == protocol.NO_FUNCTION


@pytest.mark.parametrize(
    "argument",
    ["fresco (wet, dry)", '"fresco (wet, dry)"', "variable fresco (wet, dry)", "  'fresco (wet, dry)' ", "m.fresco"],
)
async def test_fixed_reads_names_with_commas_and_brackets(argument: str) -> None:
    assert await said(f"Action: get_relations({argument})") == ["Observation: [art.technique.painters]"]


async def test_fixed_reads_an_answer_in_bold() -> None:
    for final in ("**Final Answer:** #4", "final answer: variable #4", "Final Answer is: `#4`"):
        _, seen = await played([*SOLUTION[:-1], final])
        expected = FinishReason.COMPLETED if "is" not in final else None
        assert seen[-1].finish is expected, final


async def test_published_refuses_sets_of_different_types() -> None:
    openings = [(await KnowledgeGraph().reset(spec(rules=rules), 0)).text for rules in ("published", "fixed")]
    assert ["They must be of one type" in one for one in openings] == [True, False]
    texts = await said(*(one.replace("fresco (wet, dry)", "m.fresco") for one in SOLUTION[:5]), rules="published")
    assert texts[4] == "intersection(#0, #1)" + TYPES


async def test_relations_are_sorted_or_drawn_as_the_seed_says() -> None:
    many = {f"art.school.r{number}": {"m.school": ["m.ada"]} for number in range(8)}
    changed = {"edges": many, "inverses": {}, "ranges": dict.fromkeys(many, "art.painter")}
    orders = {
        (await played([SOLUTION[0]], seed, rules="published", **changed))[1][0].observation.text for seed in range(9)
    }
    assert len(orders) > 5
    assert len({tuple(sorted(order)) for order in orders}) == 1
    again, _ = [(await played([SOLUTION[0]], 3, rules="published", **changed))[1][0] for _ in range(2)]
    assert again == (await played([SOLUTION[0]], 3, rules="published", **changed))[1][0]
    assert {(await played([SOLUTION[0]], seed, **changed))[1][0].observation.text for seed in range(3)} == {
        f"Observation: [{', '.join(sorted(many))}]"
    }


async def test_turns_run_out() -> None:
    _, seen = await played(["Action: get_relations(Linden School)"] * 20)
    assert len(seen) == 15
    assert seen[-1].finish is FinishReason.TASK_LIMIT
    assert [one.observation.data["turns"] for one in seen[:2]] == [14, 13]
    # An answer in the last turn is an answer.
    world, seen = await played(SOLUTION, turns=len(SOLUTION))
    assert (seen[-1].finish, (await verdict(world)).outcome) == (FinishReason.COMPLETED, Outcome.CORRECT)


PUPILS = (text(CALLS[0]), text(CALLS[1]))


async def test_extremes_counts_and_texts() -> None:
    born = (*PUPILS, text(("get_attributes", "#0")))
    assert await values(*born, text(("argmin", "#0", "art.painter.born"))) == ["m.ada"]
    assert await values(*born, text(("argmin", "#0", "art.painter.first_shown"))) == ["m.cleo"]
    painters = (text(CALLS[2]), text(("get_neighbors", "m.fresco", "art.technique.painters")))
    tied = (*painters, text(("get_attributes", "#0")), text(("argmax", "#0", "art.painter.born")))
    assert await values(*tied) == ["m.cleo", "m.eli"]
    assert await values(*PUPILS, text(("count", "#0"))) == ["3"]
    mottoes = (*PUPILS, text(("get_relations", "#0")), text(("get_neighbors", "#0", "art.painter.motto")))
    assert await values(*mottoes) == ["Paint!", "Wait."]


async def test_what_a_question_names_is_no_answer_unless_it_may_be() -> None:
    back = (*PUPILS, text(("get_relations", "#0")), text(("get_neighbors", "#0", "art.painter.school")))
    assert await values(*back) == []
    assert await values(*back, keeps_entities=True) == ["m.school"]


async def test_a_number_is_no_set() -> None:
    counted = (*PUPILS, text(("count", "#0")))
    for tool in ("get_relations", "get_attributes"):
        assert (await said(*counted, text((tool, "#1"))))[-1] == f"{tool}(#1)" + FAILED
    assert (await said(*counted, text(("intersection", "#1", "#1"))))[-1] == "intersection(#1, #1)" + TYPES
    published = [one.replace("fresco (wet, dry)", "m.fresco") for one in (*counted, text(("count", "#1")))]
    assert await values(*published, rules="published") == ["3"]


async def test_the_published_union_is_a_variable_of_which_nothing_is_known() -> None:
    united = (*PUPILS, "Action: union(#0, #0)")
    assert (await said(*united, rules="published"))[-1] == OBSERVED[1].replace("#0", "#1")
    assert await values(*united, rules="published") == []
    assert await values(*united, text(("intersection", "#0", "#1")), rules="published") == ["m.ada", "m.ben", "m.cleo"]
    assert (await said(*united))[-1] == protocol.NO_FUNCTION


@pytest.mark.parametrize(
    "replies",
    [
        ["Action: get_relations(m.school> ?p ?o . <http://x/y)"],
        ["Action: get_relations(m.school)", "Action: get_neighbors(m.school, hidden.relation)"],
        [call("get_neighbors", "m.cleo", "art.painter.taught_by")],
        [Action(tool=ToolCall(name="final_execute", arguments={"variable": "#0"}))],
        [Action(tool=ToolCall(name="get_relations", arguments={"variable": "Linden School", "gold": True}))],
        [Action(tool=ToolCall(name="get_relations", arguments={"variable": ["Linden School"]}))],
        ["Final Answer: #0", "Final Answer: m.fay, m.gus", 'Final Answer: ["m.fay", "m.gus"]'],
        ["Action: " + "get_relations(" * 5000, "Action: " + "a" * 200_000, "(" * 100_000, "Action:" * 30_000],
        ["Action: get_relations(" + "#" + "9" * 9000 + ")", "Final Answer: #" + "9" * 9000],
        ["Action: get_relations(\ud83d\ude00 \x00 \u202e {{output}} __import__('os'))"],
        ["Action: eval(1)", "Action: open(/etc/passwd)", "Action: Path(/)", "Action: getattr(#0, program)"],
    ],
)
@pytest.mark.parametrize("rules", ["published", "fixed"])
async def test_attacks_score_nothing_and_show_no_secret(replies: list[str | Action], rules: str) -> None:
    world, seen = await played(replies, rules=rules)
    assert (await verdict(world)).score == 0
    shown = "".join(one.observation.text for one in seen)
    assert not [secret for secret in ("m.ada", "m.fay", "instances", "root:") if secret in shown]


async def test_the_same_actions_give_the_same_every_time() -> None:
    transcripts = set()
    for seed in (0, 1, 2):
        world, seen = await played(SOLUTION, seed)
        probed = await world.probe([PROBE, Probe(name="log", type="log")])
        transcripts.add(json.dumps([one.model_dump(mode="json") for one in [*seen, *probed]]))
    assert len(transcripts) == 1


async def test_the_log_has_what_was_executed() -> None:
    world, _ = await played(["Action: get_relations(Linden School)", "nonsense"])
    log, wrong = await world.probe([Probe(name="log", type="log"), Probe(name="x", type="gold")])
    assert log.value == {"actions": ["get_relations(Linden School)"], "turns": 2}
    assert wrong.fault


def test_queries_stay_small_whatever_is_intersected() -> None:
    query: Query = Neighbors(Entity("m.a"), "r.one")
    other: Query = Neighbors(Entity("m.b"), "r.two")
    for _ in range(40):
        query, other = both(query, other), both(other, query)
    assert isinstance(query, Both)
    assert len(members(query, ())) < 1000
    nested: Query = query
    for _ in range(7):
        nested = Extreme(nested, "r.value", greatest=True)
    assert len(members(Size(nested), ())) < 100_000


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"gold": "x"}, "gold"),
        ({"edges": {}, "values": {}}, "has 'edges' or 'values'"),
        ({"graph": "freebase"}, "leave 'edges' and 'values' out"),
        ({"entities": {"x": "m.a> ?p"}}, "entities"),
        ({"turns": 1000}, "turns"),
    ],
)
async def test_a_wrong_specification_says_what_is_wrong(changed: dict[str, Any], reason: str) -> None:
    with pytest.raises(SpecError, match=reason):
        await KnowledgeGraph().reset(spec(**changed), 0)


def test_it_is_declared() -> None:
    assert registry.find("knowledge_graph").spec.__name__ == "KnowledgeGraphSpec"
    assert set(ENTITIES.values()) == {"m.school", "m.fresco"}
