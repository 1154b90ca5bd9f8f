"""What a participant is asked and how its replies are read: flat JSON objects in a text, or calls of two tools.

Facts: THUDM/AgentBench v0.2 (objects, fields, tries); the wording here is ours.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from envs.base import Action, Tool
from envs.card_game.fish import KINDS, Skill, describe
from envs.card_game.match import Phase, Side, target_side
from envs.card_game.rules import Move, Record
from envs.card_game.spec import CardGameSpec

NO_OBJECT = 'no JSON object was found in the reply; write one such as {{"{0}": ..., "target_position": ...}}'
T = TypeVar("T")
# As published: of all tries the least counts, so one object that says something impossible outweighs rubbish.
INVALID, UNREADABLE = 1, 2


class ReplyError(ValueError):
    """A reply that cannot be taken. `status` is INVALID for an object that says something impossible, else
    UNREADABLE."""

    def __init__(self, status: int, problem: str) -> None:
        super().__init__(problem)
        self.status = status


def guess_of(action: Action, match: Side) -> tuple[int, str]:
    """The position and the kind that a reply guesses: of its objects the first that can be taken. Raises ReplyError."""
    return _first(action, "guess", "guess_type", lambda given: _guess(given, match))


def move_of(action: Action, match: Side) -> Move:
    """The action that a reply takes: of its objects the first that can be taken. Raises ReplyError."""
    return _first(action, "move", "pick_fish", lambda given: _move(given, match))


def _first(action: Action, tool: str, field: str, read: Callable[[dict[str, Any]], T]) -> T:
    refused = ReplyError(UNREADABLE, NO_OBJECT.format(field))
    for given in _objects(action, tool):
        try:
            return read(given)
        except (ValueError, KeyError, TypeError) as error:
            reason = f"'{error.args[0]}' is missing" if isinstance(error, KeyError) else str(error)
            refused = ReplyError(INVALID, reason)
    raise refused


def _objects(action: Action, tool: str) -> Iterator[dict[str, Any]]:
    if action.tool is not None:
        if action.tool.name == tool:
            yield dict(action.tool.arguments)
        return
    for text in flat_objects(action.text or ""):
        try:
            found = json.loads(text.replace("'", '"'))
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict):
            yield found


def flat_objects(text: str) -> Iterator[str]:
    """From each `{` to the next `}`, as published, in time that grows with the text alone."""
    start = text.find("{")
    while start >= 0 and (end := text.find("}", start)) >= 0:
        yield text[start : end + 1]
        start = text.find("{", end)


def _position(given: dict[str, Any], living: Sequence[int], whose: str) -> int:
    position = int(str(given["target_position"]))
    if position not in living:
        raise ValueError(f"there is no living fish of {whose} team at position {position}")
    return position


def _guess(given: dict[str, Any], match: Side) -> tuple[int, str]:
    enemies = match.board.teams[1 - match.side]
    name, kinds = given["guess_type"], sorted(fish.name for fish in enemies)
    if name not in kinds:
        raise ValueError(f"'guess_type' is one of {', '.join(kinds)}")
    return _position(given, match.board.living(1 - match.side), "the enemy's"), str(name)


def _move(given: dict[str, Any], match: Side) -> Move:
    board, side = match.board, match.side
    picked, act = given["pick_fish"], given["action"]
    position = int(str(given["target_position"]))
    if act not in ("normal", "active"):
        raise ValueError("'action' is normal or active")
    own = {fish.name: index for index, fish in enumerate(board.teams[side]) if fish.alive}
    if picked not in own:
        raise ValueError(f"'pick_fish' is a living fish of yours: {', '.join(own)}")
    move = Move(own[picked], act == "active", position)
    skill = KINDS[picked].active
    if move.active and skill is Skill.AOE:
        return Move(move.fish, True)
    if move not in board.moves(side):
        whose = "your own" if move.active and target_side(skill) == "own" else "the enemy's"
        raise ValueError(f"position {position} is no target of that action; it takes a living fish of {whose} team")
    return move


def rules(match: Side, spec: CardGameSpec) -> str:
    """The first words: the rules, both teams' kinds, and how to reply."""
    own = "\n".join(f"- {name}: {describe(name)}" for name in spec.team)
    enemy = "\n".join(f"- {name}: {describe(name)}" for name in sorted(spec.enemy))
    return _RULES.replace("{own}", own).replace("{enemy}", enemy).replace("{phases}", str(match.board.limit))


def prompt(match: Side, spec: CardGameSpec, guessed: Sequence[int]) -> str:
    """What is asked now. `guessed`: the positions guessed at so far, which the published list leaves out."""
    if match.phase == "move":
        state = json.dumps(_state(match))
        return _MOVE.format(state=state, own=_action(match.own), enemy=_action(match.enemy))
    enemies = match.board.teams[1 - match.side]
    out = set(guessed) if spec.protocol == "published" else {i for i, fish in enumerate(enemies) if fish.exposed}
    living = [str(position) for position in match.board.living(1 - match.side) if position not in out]
    passives = {
        f"Position: {position}": str(passive)
        for record in (match.own, match.enemy)
        for side, position, passive in (record.passives if record else ())
        if side != match.side
    }
    return _GUESS.format(
        last={None: "none", True: "right", False: "wrong"}[match.last_guess],
        living=json.dumps(living),
        enemy=_action(match.enemy, skill=True),
        passives=json.dumps(passives),
    )


def _action(record: Record | None, *, skill: bool = False) -> str:
    fields = ["ACTION_FISH", "ATK", "TARGET"] + (["SKILL_TYPE"] if skill else [])
    if record is None:
        return json.dumps(dict.fromkeys(fields, "None"))
    values = [str(record.fish), str(record.damage), str(list(record.targets)), str(record.skill)]
    return json.dumps(dict(zip(fields, values, strict=False)))


def _state(match: Side) -> dict[str, list[dict[str, str]]]:
    own = [
        {"POSITION": str(index), "ID": fish.name, "HP": str(fish.health), "ATK": str(fish.attack)}
        for index, fish in enumerate(match.board.teams[match.side])
    ]
    enemy = [
        {
            "POSITION": str(index),
            "ID": fish.name if fish.exposed else "unknown",
            "HP": str(fish.health),
            "ATK": "unknown",
        }
        for index, fish in enumerate(match.board.teams[1 - match.side])
    ]
    return {"You": own, "Enemy": enemy}


def tools(spec: CardGameSpec) -> tuple[Tool, ...]:
    """The two tools of a match."""
    position = {"type": "integer", "minimum": 0, "maximum": 3}
    guess: dict[str, Any] = {"guess_type": {"type": "string", "enum": sorted(spec.enemy)}, "target_position": position}
    move: dict[str, Any] = {
        "pick_fish": {"type": "string", "enum": list(spec.team)},
        "action": {"type": "string", "enum": ["normal", "active"]},
        "target_position": position,
    }
    return (
        _tool("guess", "Say which kind the enemy's fish at a position is; when a guess is asked for.", guess),
        _tool("move", "Let one of your living fish act; when an action is asked for.", move),
    )


def _tool(name: Phase, description: str, properties: dict[str, Any]) -> Tool:
    schema = {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
    return Tool(name=name, description=description, parameters=schema)


_RULES = """\
You command four fish in a game against another player, who has four fish as well. Every fish begins with 400 health. \
In your turn you first guess what one of the enemy's fish is, then one of your living fish acts; then it is the \
enemy's turn. Positions are 0 to 3. Nobody is told which kind stands where in the other team, only which kinds there \
are.

A right guess exposes that fish, and every fish of its team loses 50 health. A wrong one costs nothing.
A normal attack takes half of the acting fish's attack points from one living enemy. The active skill is used instead \
of it; passive skills work by themselves. Whose fish are all dead loses. After {phases} guesses and actions of both \
sides more living fish win, then more health.

Your fish, from position 0 on:
{own}

The enemy's fish, in no order:
{enemy}

Think aloud if you like, and put one JSON object into each reply. A guess is
{"guess_type": <kind>, "target_position": <position of a living enemy>}
and an action is
{"pick_fish": <kind of your living fish>, "action": <normal or active>, "target_position": <position of the target>}
Infight and Subtle take a position of your own team as target, AOE any. A reply that cannot be taken may be given \
again four times; then a guess is passed over, and an action that is missing loses the match.

"""

_GUESS = """\
A guess is asked for.
Your last guess: {last}
Living enemies not exposed: {living}
The enemy's last action: {enemy}
Passive skills that its fish showed: {passives}
"""

_MOVE = """\
An action is asked for.
The state of the game: {state}
Your last action: {own}
The enemy's last action: {enemy}
"""
