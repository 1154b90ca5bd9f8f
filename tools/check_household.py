"""The household simulator against TextWorld, step by step: lists of commands, texts and the flag of a won game.

`python -m tools.check_household PYTHON DATA [--steps 30] [--games N] [--seed 1] [--grammar move|put]`, where PYTHON is
an interpreter with `textworld[pddl]` (two minutes to install into a folder of its own) and DATA holds the published
games. Both sides play the same walk: random commands, then the published solution. Exit status 1 at any difference.
"""

import argparse
import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from envs.household.goal import Goal
from envs.household.importers.pddl import GameFile, parse_game
from envs.household.spec import HouseholdSpec
from envs.household.world import NOTHING_HAPPENS, World

SIDE = Path(__file__).parent / "household_textworld.py"
GREETING = "-= Welcome to TextWorld, ALFRED! =-\n\n"


def games(data: Path, grammar: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every game under `data`; with grammar "put" in the older form, from the domain and grammar that lie there."""
    for path in sorted(data.rglob("game.tw-pddl")):
        game = json.loads(path.read_text("utf-8"))
        if grammar == "put":
            (old,) = data.rglob("alfred.twl2")
            task = parse_game(GameFile.model_validate(game)).task.removesuffix(".")
            game["grammar"] = old.read_text("utf-8").replace("UNKNOWN GOAL", task)
            game["pddl_domain"] = old.with_name("alfred.pddl").read_text("utf-8")
            game["walkthrough"] = [
                re.sub(r"^move (.*) to (.*)$", r"put \1 in/on \2", one) for one in game["walkthrough"]
            ]
        yield "/".join(path.parts[-3:-1]), game


def differences(game: dict[str, Any], theirs: dict[str, Any]) -> tuple[int, list[str]]:
    """How many steps were compared, and where the two differ."""
    ours = parse_game(GameFile.model_validate(game))
    fields = {"facts": ours.facts, "goal": ours.goal, "distinct": ours.distinct, "task": ours.task}
    spec = HouseholdSpec.model_validate(fields)
    world, goal = World(spec.facts, ours.grammar), Goal(spec.goal, spec.distinct)
    state = world.start()
    found = []
    intro = f"{GREETING}{world.intro(state)}\n\nYour task is to: {ours.task}"
    if intro != theirs["intro"]:
        found.append(f"opening: {theirs['intro']!r}, ours {intro!r}")
    if list(world.commands(state)) != theirs["commands"]:
        found.append("the commands at the opening")
    for number, (command, text, commands, won) in enumerate(theirs["steps"]):
        act, told = world.commands(state).get(command), NOTHING_HAPPENS
        if act is not None:
            state = world.after(state, act)
            told = world.feedback(state, act)
        if told != text:
            found.append(f"step {number} {command!r}: {text!r}, ours {told!r}")
        if list(world.commands(state)) != commands:
            other = set(commands) ^ set(world.commands(state))
            found.append(f"step {number} {command!r}: commands differ in {sorted(other)[:6]}")
        if goal.holds(world.facts(state)) != won:
            found.append(f"step {number} {command!r}: won is {won} there")
    return len(theirs["steps"]), found


def _asked(server: "subprocess.Popen[str]", request: dict[str, Any]) -> dict[str, Any]:
    into, out = server.stdin, server.stdout
    if into is None or out is None:
        raise RuntimeError("the other interpreter has no pipes")
    _send(into, request)
    answer = out.readline()
    if not answer:
        raise RuntimeError("TextWorld's side ended; its own message stands above")
    found: dict[str, Any] = json.loads(answer)
    return found


def _send(into: IO[str], request: dict[str, Any]) -> None:
    into.write(json.dumps(request) + "\n")
    into.flush()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("python")
    parser.add_argument("data", type=Path)
    parser.add_argument("--steps", type=int, default=30)
    parser.add_argument("--games", type=int, default=None)
    parser.add_argument("--skip", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--grammar", choices=("move", "put"), default="move")
    return parser.parse_args()


def main() -> int:
    """Compare; a line a game."""
    arguments = _arguments()
    listed = list(games(arguments.data, arguments.grammar))[arguments.skip :][: arguments.games]
    if not listed:
        sys.stderr.write(f"no game.tw-pddl under {arguments.data}\n")
        return 2
    steps = wrong = won = 0
    command = [arguments.python, str(SIDE)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        for number, (name, game) in enumerate(listed):
            begun = time.monotonic()
            theirs = _asked(server, {"game": game, "seed": arguments.seed + number, "steps": arguments.steps})
            count, found = differences(game, theirs)
            steps, wrong, won = steps + count, wrong + bool(found), won + theirs["steps"][-1][3]
            sys.stdout.write(f"{name}: {count} steps, {len(found)} differences ({time.monotonic() - begun:.0f} s)\n")
            sys.stdout.writelines(f"  {line[:300]}\n" for line in found[:5])
            sys.stdout.flush()
    sys.stdout.write(f"{len(listed)} games, {steps} steps, {won} won there, {wrong} games with differences\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
