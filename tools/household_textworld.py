"""TextWorld's side of `make check-household`: games played by TextWorld itself, told as JSON lines.

Runs under another interpreter, one with `textworld[pddl]` in it, and imports nothing of ours. Standard input: one JSON
object a line, `{"game": {...}, "seed": int, "steps": int}`. Standard output: one line for each, with the opening text,
the list of commands, and the steps of a walk: the published solution with random commands before it.
"""

import functools
import json
import random
import sys
from typing import Any


def _environment() -> Any:
    import fast_downward  # type: ignore[import-not-found, unused-ignore]
    from textworld.core import EnvInfos  # type: ignore[import-not-found, unused-ignore]
    from textworld.envs.pddl import PddlEnv, textgen  # type: ignore[import-not-found, unused-ignore]

    # Pure functions that TextWorld calls over and over with the same texts; the second translation is for plans alone.
    translate = functools.lru_cache(maxsize=2)(fast_downward.pddl2sas)
    fast_downward.pddl2sas = lambda domain, problem, verbose=False, optimize=False: translate(domain, problem)
    textgen._parse_and_convert = _fresh_copies(textgen._parse_and_convert)
    return PddlEnv(EnvInfos(admissible_commands=True, won=True))


def _fresh_copies(parse: Any) -> Any:
    from copy import deepcopy

    kept: dict[str, Any] = {}

    def parsed(text: str, **options: Any) -> Any:
        if text not in kept:
            kept[text] = parse(text, **options)
        return deepcopy(kept[text])

    return parsed


def _named(environment: Any) -> None:
    """Names as ALFWorld gives them: for one type the ids in order get falling numbers."""
    ids = sorted(info.id for info in environment._entity_infos.values() if "_bar_" in info.id)
    kinds: dict[str, list[str]] = {}
    for id_ in ids:
        kinds.setdefault(id_.split("_bar_", 1)[0] + ("basin" if "basin" in id_ else ""), []).append(id_)
    for kind, members in kinds.items():
        for number, id_ in enumerate(reversed(members), 1):
            environment._entity_infos[id_].name = f"{kind} {number}"


def play(environment: Any, game: dict[str, Any], seed: int, steps: int) -> dict[str, Any]:
    """One walk: `steps` random commands, of which now and then one is rubbish, then the published solution."""
    environment.load(game)
    _named(environment)
    state = environment.reset()
    told: dict[str, Any] = {"intro": state.feedback, "commands": list(state.admissible_commands), "steps": []}
    draw = random.Random(seed)
    walk = [None] * steps + list(game.get("walkthrough") or ())
    for wanted in walk:
        command = wanted or _drawn(draw, state.admissible_commands)
        state, _, _ = environment.step(command)
        told["steps"].append([command, state.feedback, list(state.admissible_commands), bool(state.won)])
    return told


def _drawn(draw: random.Random, commands: list[str]) -> str:
    """A command, each verb as likely as the others, so that things get taken, heated and put somewhere."""
    if draw.random() < 0.03:
        return "open the window"
    verb = draw.choice(sorted({command.split()[0] for command in commands}))
    return draw.choice([command for command in commands if command.split()[0] == verb])


def main() -> None:
    """Play what comes in until it ends."""
    environment = _environment()
    for line in sys.stdin:
        asked = json.loads(line)
        print(json.dumps(play(environment, asked["game"], asked["seed"], asked["steps"])), flush=True)


if __name__ == "__main__":
    main()
