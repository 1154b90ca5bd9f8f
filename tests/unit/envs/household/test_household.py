"""The household: what may be done, what is told, how replies are read, and what gets nobody a point."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from envs import registry
from envs.base import Action, FinishReason, Probe, SpecError, StepResult, ToolCall
from envs.household import protocol
from envs.household.bleu import bleu
from envs.household.environment import Household
from envs.household.goal import Goal
from envs.household.importers import agentbench_hh
from envs.household.importers.pddl import read_game
from envs.household.world import NOTHING_HAPPENS, World
from grading import Answer, Evidence, Outcome, grade
from tests.unit.envs.household.kitchen import FACTS, GOAL, SOLUTION, spec

REFERENCE = {"kind": "facts", "goal": GOAL}
PROBE = Probe(name="facts", type="facts", arguments={"predicates": sorted({pattern[0] for pattern in GOAL})})


async def played(replies: Sequence[str | Action], **changed: Any) -> tuple[Household, list[StepResult]]:
    """An episode after these replies, texts without an `ACTION:` given one, or until it ends."""
    world = Household()
    await world.reset(spec(**changed), 0)
    seen: list[StepResult] = []
    for reply in replies:
        action = reply if isinstance(reply, Action) else Action(text=f"ACTION: {reply}")
        seen.append(await world.step(action))
        if seen[-1].finish:
            break
    return world, seen


async def outcome(world: Household) -> Outcome:
    (found,) = await world.probe([PROBE])
    return grade(Answer(evidence=(Evidence.model_validate(found.model_dump()),)), REFERENCE).outcome


async def test_the_solution_wins_in_text_and_by_calls() -> None:
    calls = [Action(tool=ToolCall(name="take_action", arguments={"action": one})) for one in SOLUTION]
    for replies in (SOLUTION, calls):
        world, seen = await played(replies)
        assert [one.finish for one in seen] == [*[None] * (len(SOLUTION) - 1), FinishReason.COMPLETED]
        assert await outcome(world) is Outcome.CORRECT
        assert seen[1].observation.text.startswith(
            "You open the drawer 1. The drawer 1 is open. In it, you see a knife 1, and a mug 1. AVAILABLE ACTIONS: "
        )
        assert seen[4].observation.data["actions"] == seen[4].observation.text.split("ACTIONS: ")[1].splitlines()


async def test_the_first_observation_shows_the_room_and_the_task_and_nothing_else() -> None:
    first = await Household().reset(spec(), 0)
    assert (
        "You are in the middle of a room. Looking quickly around you, you see a countertop 1, a drawer 1, a fridge 1, "
        "a microwave 1, and a sinkbasin 1.\nYour task is to: put a clean mug in countertop. AVAILABLE ACTIONS: "
        in first.text
    )
    told = first.model_dump_json()
    assert not [secret for secret in ("mug 1", "_bar_", "isclean") if secret in told]
    messages = first.data["messages"]
    assert isinstance(messages, list)
    roles = [turn["role"] for turn in messages if isinstance(turn, dict)]
    assert roles == ["user", "agent"] * (len(roles) // 2) + ["user"]


async def test_the_owners_words_take_the_place_of_ours() -> None:
    first = await Household().reset(spec(instruction="Do it.", example=["Yes.", "Well?", "No."], lead="Now: "), 0)
    assert first.text.startswith("Do it.\nYou: Yes.\nWell?\nYou: No.\nNow: You are in the middle")


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("THOUGHT: x\n ACTION: Go To Drawer 1\n", "go to drawer 1"),
        ("ACTION: look ACTION: inventory", "look action: inventory"),
        ("action: look", None),
        ("I look around", None),
        ("ACTION:   ", None),
        ("", None),
    ],
)
def test_replies_are_read_as_published(reply: str, said: str | None) -> None:
    assert protocol.command_of(Action(text=reply)) == said


@pytest.mark.parametrize(
    ("wanted", "command"),
    [
        ("put pencil 2 in/on shelf 5", "move pencil 2 to shelf 5"),
        ("go desk 2", "go to desk 2"),
        ("look", "look"),
        ("dance", "dance"),
        ("", ""),
    ],
)
def test_the_closest_command_is_taken(wanted: str, command: str) -> None:
    commands = ["go to desk 1", "go to desk 2", "look", "move pencil 2 to shelf 5"]
    assert protocol.chosen(wanted, commands, both_verbs=False) == command


def test_the_other_grammars_verb_is_understood_in_both_directions() -> None:
    near = ["put mug 1 in/on shelf 1", "put mug 1 in/on shelf 2"]
    assert protocol.chosen("move mug 1 to shelf 2", near, both_verbs=True) == near[1]
    assert protocol.chosen("put mug 1 on shelf 3", ["move mug 1 to shelf 3"], both_verbs=True).startswith("move")


def test_bleu_is_that_of_nltk() -> None:
    from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

    texts = [
        "go to desk 2",
        "desk 2",
        "look",
        "take a mug 1 from desk 2",
        "put mug 1 in/on desk 2",
        "2 2 2 to",
        "zzz",
        "",
    ]
    for reference in texts[:-1]:
        for candidate in texts:
            theirs = sentence_bleu(
                [reference.split()], candidate.split(), smoothing_function=SmoothingFunction().method4
            )
            assert bleu(reference, candidate) == pytest.approx(float(theirs), abs=1e-12), (reference, candidate)


async def test_a_text_without_an_action_ends_and_a_call_without_one_does_not() -> None:
    _, seen = await played([Action(text="Let me think.")])
    assert (seen[0].finish, seen[0].error) == (
        FinishReason.INVALID_ACTION,
        "no 'ACTION: ...' was found in the reply",
    )
    _, seen = await played([Action(tool=ToolCall(name="take_action", arguments={"action": 3}))])
    assert seen[0].finish is None
    assert seen[0].observation.text.startswith(protocol.NUDGE)


async def test_three_equal_replies_end_from_the_fourth_turn_on() -> None:
    _, seen = await played(["look"] * 5)
    assert [one.finish for one in seen] == [None, None, None, FinishReason.INVALID_ACTION]
    _, seen = await played(["look", "look", "inventory"] * 5)
    assert all(one.finish is None for one in seen)


async def test_turns_run_out() -> None:
    _, seen = await played(["look", "inventory"] * 3, turns=4)
    assert [one.finish for one in seen] == [None, None, None, FinishReason.TASK_LIMIT]
    assert seen[-1].observation.data["turns"] == 0
    # A win at the last turn is a win.
    world, seen = await played(SOLUTION, turns=len(SOLUTION))
    assert (seen[-1].finish, await outcome(world)) == (FinishReason.COMPLETED, Outcome.CORRECT)


async def test_what_is_shut_or_far_cannot_be_taken() -> None:
    _, seen = await played(["examine mug 1", "go to drawer 1"], rules="published")
    assert "mug" not in seen[1].observation.text
    world = World({name: tuple(tuple(row) for row in rows) for name, rows in FACTS.items()})
    state = world.start()
    assert not [command for command in world.commands(state) if command.startswith(("take", "open"))]
    there = world.after(state, world.commands(state)["go to drawer 1"])
    assert not [command for command in world.commands(there) if command.startswith("take")]


@pytest.mark.parametrize(
    "replies",
    [
        ["clean mug 1 with sinkbasin 1", "isclean mug_bar_1", "won", "help"],
        [
            "go to drawer 1",
            "open drawer 1",
            "take mug 1 from drawer 1",
            "move mug 1 to countertop 1",
            "go to countertop 1",
        ],
        [
            "go to drawer 1",
            "open drawer 1",
            "take mug 1 from drawer 1",
            "go to countertop 1",
            "move mug 1 to countertop 1",
        ],
        [Action(tool=ToolCall(name="finish", arguments={"answer": "countertop"}))],
        [Action(tool=ToolCall(name="take_action", arguments={"action": "go to drawer 1", "won": True}))],
        [Action(text='ACTION: {"facts": {"isclean": [["mug_bar_1"]]}}')],
        [Action(text="ACTION: " + "clean " * 50_000)],
        [Action(text="ACTION: \ud83d\ude00 \x00 \u202e {{output}} __import__('os')")],
    ],
)
async def test_attacks_score_nothing_and_show_no_secret(replies: list[str | Action]) -> None:
    world, seen = await played(replies)
    assert await outcome(world) is Outcome.INCORRECT
    told = "".join(one.model_dump_json() for one in seen)
    assert "_bar_" not in told
    assert "type" not in told


async def test_heat_clears_cool_and_a_slice_stays() -> None:
    steps = [
        "go to drawer 1",
        "open drawer 1",
        "take knife 1 from drawer 1",
        "go to countertop 1",
        "slice tomato 1 with knife 1",
        "move knife 1 to countertop 1",
        "take tomato 1 from countertop 1",
        "go to fridge 1",
        "cool tomato 1 with fridge 1",
        "go to microwave 1",
        "examine tomato 1",
        "heat tomato 1 with microwave 1",
        "examine tomato 1",
        "look",
        "inventory",
    ]
    _, seen = await played(steps)
    texts = [one.observation.text.split(" AVAILABLE")[0] for one in seen]
    assert texts[4] == "You sliced the tomato 1 with the knife 1."
    assert (texts[10], texts[12]) == ("This is a cool sliced tomato 1.", "This is a hot sliced tomato 1.")
    assert texts[13:] == [
        "You are facing the microwave 1. Next to it, you see nothing.",
        "You are carrying: a tomato 1.",
    ]


async def test_the_same_actions_give_the_same_under_every_seed() -> None:
    transcripts = set()
    for seed in (0, 1, 2):
        world = Household()
        told = [(await world.reset(spec(), seed)).model_dump_json()]
        told += [(await world.step(Action(text=f"ACTION: {one}"))).model_dump_json() for one in SOLUTION]
        told.append(json.dumps([one.model_dump() for one in await world.probe([Probe(name="all", type="facts")])]))
        transcripts.add("\n".join(told))
    assert len(transcripts) == 1


async def test_the_log_tells_what_was_understood() -> None:
    world, _ = await played(["go drawer 1", "nonsense"])
    (log, wrong) = await world.probe([Probe(name="log", type="log"), Probe(name="x", type="gold")])
    assert log.value == {"actions": ["go to drawer 1", "nonsense"], "turns": 2}
    assert wrong.fault


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"facts": {**FACTS, "wins": [["agent1"]]}}, "no predicate 'wins'"),
        ({"facts": {**FACTS, "openable": [["a", "b"]]}}, "takes 1 arguments"),
        ({"facts": {**FACTS, "atlocation": []}}, "where the participant stands"),
        ({"distinct": [["?a", "?b"]]}, "not in the goal"),
        ({"gold": "x"}, "gold"),
        ({"facts": {**FACTS, "receptacleatlocation": [["desk", "loc_bar_1"]]}}, "is no id"),
    ],
)
async def test_a_wrong_specification_says_what_is_wrong(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(SpecError, match=said):
        await Household().reset(spec(**changed), 0)


def test_it_is_declared() -> None:
    assert registry.find("household").spec.__name__ == "HouseholdSpec"


GAME: dict[str, Any] = {
    "pddl_domain": "",
    "grammar": 'Your task is to: put a mug in desk."\naction PutObject {\n    template :: "move {o} to {r}";\n}',
    "pddl_problem": """(define (problem p) (:domain alfred) ; a remark (with a bracket
      (:init (= (total-cost) 0) (atLocation agent1 loc_bar_0) (receptacleAtLocation Desk_bar_1 loc_bar_1)
        (receptacleType Desk_bar_1 DeskType) (objectType Mug_bar_1 MugType) (objectType Mug_bar_2 MugType)
        (canContain DeskType MugType) (canContain BedType PillowType) (inReceptacle Mug_bar_1 Desk_bar_1))
      (:goal (and (exists (?r - receptacle ?o - object) (and (objectType ?o MugType) (inReceptacle ?o ?r)
        (exists (?o2 - object) (and (objectType ?o2 MugType) (not (= ?o ?o2)) (inReceptacle ?o2 ?r))))))))""",
    "walkthrough": ["go to desk 1"],
}


def game_file(folder: Path, **changed: Any) -> Path:
    file = folder / "pick_two_obj_and_place-Mug-None-Desk-1" / "trial_1" / "game.tw-pddl"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(GAME | changed))
    return file


def test_a_game_file_becomes_facts_and_a_goal(tmp_path: Path) -> None:
    game = read_game(game_file(tmp_path))
    assert game.facts["cancontain"] == [["desktype", "mugtype"]]
    assert (game.grammar, game.task, game.walkthrough) == ("move", "put a mug in desk.", ["go to desk 1"])
    goal = Goal([(pattern[0], *pattern[1:]) for pattern in game.goal], [(a, b) for a, b in game.distinct])
    facts = {name: {tuple(row) for row in rows} for name, rows in game.facts.items()}
    assert not goal.holds(facts)
    facts["inreceptacle"].add(("mug_bar_2", "desk_bar_1"))
    assert goal.holds(facts)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"grammar": "none"}, "neither the one with"),
        ({"pddl_problem": "(define"}, "never closed"),
        ({"pddl_problem": "(define))"}, "never opened"),
        ({"pddl_problem": GAME["pddl_problem"].replace("not (= ", "or (= ")}, "form of goal"),
        ({"pddl_problem": GAME["pddl_problem"].replace("(canContain Bed", "(likes Bed")}, "no fact like"),
    ],
)
def test_what_is_no_game_is_left_out_with_its_cause(tmp_path: Path, changed: dict[str, Any], said: str) -> None:
    game_file(tmp_path, **changed)
    draft = agentbench_hh.read(tmp_path)
    assert not draft.problems
    (left,) = draft.report.lines()[2:] or draft.report.lines()[-1:]
    assert said in left


def test_a_list_names_games_beside_it(tmp_path: Path) -> None:
    file = game_file(tmp_path)
    listed = tmp_path / "dev.json"
    listed.write_text(json.dumps({"pick_two_obj": [str(file.relative_to(tmp_path)), "x/y/game.tw-pddl"]}))
    draft = agentbench_hh.read(listed)
    assert [problem.subject for problem in draft.problems] == ["pick_two_obj"]
    assert "absent" in " ".join(draft.report.lines())
    listed.write_text(json.dumps(["../elsewhere/a/game.tw-pddl"]))
    (left,) = agentbench_hh.read(listed).report.excluded
    assert (left.kind, "outside its own folder" in left.cause) == ("outside", True)
    # The games may lie elsewhere, behind a link.
    beside = tmp_path / "copy"
    beside.mkdir()
    (beside / "games").symlink_to(file.parents[1])
    (beside / "dev.json").write_text(json.dumps([f"games/{file.parent.name}/{file.name}"] * 2))
    assert len(agentbench_hh.read(beside / "dev.json").problems) == 1


async def test_every_published_game_is_won_by_its_own_solution(data: Path) -> None:
    """And the world's own flag, by which an episode ends, agrees with the grader at every step."""
    draft = agentbench_hh.read(data / "agentbench" / "alfworld", mode="published")
    assert (draft.report.read, len(draft.references)) == (81, 81)
    for line in draft.references:
        assert line.episode is not None
        world = Household()
        await world.reset(dict(line.episode.spec), 0)
        probe = [Probe.model_validate(one.model_dump()) for one in line.episode.probes]
        for action in line.oracle:
            result = await world.step(Action.model_validate(action))
            assert NOTHING_HAPPENS not in result.observation.text
            evidence = tuple(Evidence.model_validate(one.model_dump()) for one in await world.probe(probe))
            won = result.finish is FinishReason.COMPLETED
            assert grade(Answer(evidence=evidence), line.reference).outcome is (
                Outcome.CORRECT if won else Outcome.INCORRECT
            )
        assert won, line.id
