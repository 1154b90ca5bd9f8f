"""AgentBench's household samples: ALFWorld's games for TextWorld (`game.tw-pddl`) as a pack.

Mode "published" reads replies exactly as published; mode "fixed" also understands the verb of the other grammar ("put O
in/on R" where the game says "move O to R"). Both end an episode at a reply without an action and at the third equal
reply, as published. The score is the share of games won.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from os.path import normpath
from pathlib import Path
from typing import Any

from envs.household.importers.pddl import Game, read_game
from envs.household.importers.upstream import KEYS, Words, read_words
from envs.household.spec import HouseholdSpec
from packs import cards
from packs.benchmark import Benchmark
from packs.draft import DraftPack, Mode, Soundness, known_mode
from packs.problem import Episode, Probe, Problem, ReferenceLine
from packs.report import Report

TURNS = 35
SECONDS = 1800
GAME = "game.tw-pddl"


def read(
    source: Path,
    *,
    mode: Mode = "fixed",
    seed: int = 0,
    limit: int | None = None,
    turns: int = TURNS,
    upstream: str = "",
) -> DraftPack:
    """The games of `source`: a folder that holds them, or a published list of games (`dev.json`, `standard.json`) that
    lies beside them. `limit` takes the first alone. `turns` is the published 35; the function-calling variant has 20.
    `upstream` is a checkout of AgentBench v0.2, whose instruction and examples are then shown in place of ours.

    Raises FileNotFoundError, and ValueError for another mode, a list that is none and a checkout without the words.
    """
    known_mode(mode)
    words = read_words(Path(upstream)) if upstream else None
    report = Report(source.name)
    problems: list[Problem] = []
    references: list[ReferenceLine] = []
    for path in _listed(source)[:limit]:
        report.read += 1
        id_ = _id(path)
        # By its words: a folder of games may be a link to elsewhere.
        if not Path(normpath(path)).is_relative_to(normpath(source if source.is_dir() else source.parent)):
            report.exclude(id_, "outside", f"the list names a game outside its own folder: {path}")
            continue
        try:
            game = read_game(path)
            spec = _spec(game, mode, turns, words, _subject(path))
        except FileNotFoundError:
            report.exclude(id_, "absent", f"the game is not beside the list: {path}")
            continue
        except (ValueError, RecursionError) as error:
            report.exclude(id_, "format", str(error)[:300])
            continue
        problems.append(_problem(id_, _subject(path), spec))
        references.append(_line(id_, spec, game.walkthrough))
    return DraftPack(
        report,
        problems,
        references,
        card=partial(benchmark, mode),
        soundness=Soundness(exclude=mode == "fixed", seed=seed, times=1),
        notes=_by_type,
    )


def _by_type(kept: Sequence[Problem]) -> list[str]:
    counts = sorted(Counter(problem.subject for problem in kept).items())
    return ["kept by type: " + ", ".join(f"{name} {count}" for name, count in counts)]


def _listed(source: Path) -> list[Path]:
    """The games of a folder, or those that a list names. Raises FileNotFoundError and ValueError."""
    if source.is_dir():
        found = sorted(source.rglob(GAME))
        if not found:
            raise FileNotFoundError(f"no {GAME} under {source}")
        return found
    if source.name == GAME:
        return [source]
    return [source.parent / name for name in dict.fromkeys(_names(json.loads(source.read_text("utf-8"))))]


def _names(listed: Any) -> Iterator[str]:
    groups = list(listed.values()) if isinstance(listed, dict) else [listed]
    for group in groups:
        if not isinstance(group, list) or not all(isinstance(name, str) for name in group):
            raise ValueError("a list of games is an object with lists of paths, or a list of paths")
        yield from group


def _id(path: Path) -> str:
    """The names of the two folders a game lies in."""
    parts = [part for part in path.parts[-3:-1] if part not in ("..", "/")]
    return "".join(c if c.isalnum() or c in "-._" else "-" for c in "--".join(parts) or path.stem)[:128]


def _subject(path: Path) -> str:
    """The type of task, from the name of the folder."""
    folder = path.parts[-3] if len(path.parts) > 2 else ""
    return next((name for name in KEYS if folder.startswith(name)), "other")


def _spec(game: Game, mode: Mode, turns: int, words: Words | None, subject: str) -> HouseholdSpec:
    told: dict[str, Any] = {}
    if words is not None and subject in KEYS:
        told = {"instruction": words.instruction, "example": words.turns(subject), "lead": words.lead}
    fields = {"facts": game.facts, "goal": game.goal, "distinct": game.distinct, "grammar": game.grammar}
    return HouseholdSpec.model_validate({**fields, "task": game.task, "rules": mode, "turns": turns, **told})


def _problem(id_: str, subject: str, spec: HouseholdSpec) -> Problem:
    statement = f"In a household told in words: {spec.task}"
    return Problem(id=id_, split="dev", type=f"household_{subject}", subject=subject, statement=statement, episode=True)


def _line(id_: str, spec: HouseholdSpec, walkthrough: Sequence[str]) -> ReferenceLine:
    goal = [list(pattern) for pattern in spec.goal]
    distinct = [list(pair) for pair in spec.distinct]
    seen = Probe(name="facts", kind="facts", arguments={"predicates": sorted({pattern[0] for pattern in goal})})
    return ReferenceLine(
        id=id_,
        reference={"kind": "facts", "goal": goal, "distinct": distinct},
        episode=Episode(
            environment="household",
            spec=spec.model_dump(mode="json", exclude_defaults=True),
            probes=(seen,),
            steps=spec.turns,
            seconds=SECONDS,
        ),
        oracle=tuple({"text": f"ACTION: {command}"} for command in walkthrough),
    )


def benchmark(mode: Mode, problems: Sequence[Problem]) -> Benchmark:
    """The card of the pack; the score is the share of games won, as published."""
    return cards.published(
        "agentbench-hh",
        mode,
        problems,
        title="household",
        licence="MIT",
        summary="Tasks in rooms that are told in words.",
        card=_CARD.format(mode=mode, count=len(problems)),
    )


_CARD = """\
{count} of ALFWorld's games (Shridhar et al., ICLR 2021, arXiv:2010.03768), as AgentBench's household track plays them
(Liu et al., ICLR 2024, arXiv:2308.03688), mode "{mode}".

The rooms are played by a simulator whose commands and texts are equal to TextWorld's. A game is won when its goal
holds; the score is the share of games won. The games have been public since 2020: good for practice and for comparing
with published results, not as a hidden test.
"""
