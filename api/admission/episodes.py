"""The admission check of episodes: whoever does nothing, or what another task asks, must not score; the oracle must.

Environments are played here, without the service. What cannot be played on this machine is reported, and fails nothing.
"""

import random
from collections.abc import Callable, Mapping, Sequence

from api.admission import policies, simulation
from api.admission.player import Policy
from api.admission.questions import VARIANT_KEY
from api.admission.report import EpisodesReport, ParticipantReport
from api.admission.simulation import Simulation
from packs.benchmark import SplitConfig, Visibility
from packs.participants import NAIVE, luck
from packs.problem import Problem, ReferenceLine
from packs.variation.variants import variants_of

AT_ONCE = 2
ANOTHERS = "another's-oracle"
_REMEDIES = {
    "gold": "fix the oracle, the specification or the checks",
    ANOTHERS: "the checks pass for what another task asks: check what this one asks, and nothing else",
    "echo": "the checks pass for whoever repeats what is shown",
}
_WITHOUT_ACTING = "it passes without acting, in a world that nobody has touched: check what the task changes"


async def check_episodes(
    splits: Mapping[str, SplitConfig],
    problems: Sequence[Problem],
    lines: Mapping[str, ReferenceLine],
    sample: int | None,
    seed: int = 0,
) -> list[EpisodesReport]:
    """Play every hidden split's episodes, or a seeded sample of each."""
    reports = []
    # An episode that varies is played in the first of its variants.
    first = [variants_of(problem, lines[problem.id], VARIANT_KEY)[0] for problem in problems if problem.episode]
    secret = {line.id: line for _, line in first}
    for name, config in splits.items():
        mine = {problem.id: problem for problem, _ in first if problem.split == name}
        if config.visibility is Visibility.DEV or not mine:
            continue
        chosen = list(mine)
        if sample is not None and sample < len(mine):
            chosen = random.Random(f"{seed} {name}").sample(chosen, sample)
        everyone = [secret[identifier] for identifier in mine]
        reports.append(await _split(name, config.chance_level, everyone, {one: mine[one] for one in chosen}))
    return reports


class _Marks:
    """Scores by participant, and what could not be played."""

    def __init__(self) -> None:
        self.scores: dict[str, list[float]] = {}
        self.unplayed: dict[str, str] = {}

    def note(self, participant: str, played: Simulation) -> None:
        if played.error:
            self.unplayed.setdefault(played.id, played.error)
        elif played.verdict.score is not None:
            self.scores.setdefault(participant, []).append(played.verdict.score)


async def _split(
    name: str, chance: float, everyone: Sequence[ReferenceLine], chosen: Mapping[str, Problem]
) -> EpisodesReport:
    marks = _Marks()
    lines = [line for line in everyone if line.id in chosen]

    async def claim(line: ReferenceLine) -> None:
        answers = {who: answer(chosen[line.id], random.Random(line.id)) for who, answer in NAIVE.items()}
        scored = await simulation.score_answers(line, list(answers.values()), problem=chosen[line.id])
        for who, result in zip(answers, scored, strict=False):
            marks.note(who, result)

    await simulation.for_each(lines, claim, at_once=AT_ONCE)
    playable = [line for line in lines if line.id not in marks.unplayed]
    crossed = {line.id: other for line in playable if (other := _another(line, everyone))}
    runs: dict[str, tuple[list[ReferenceLine], Callable[[ReferenceLine], Policy]]] = {
        "echo": (playable, lambda _: policies.echo),
        ANOTHERS: ([line for line in playable if line.id in crossed], lambda line: policies.gold(crossed[line.id])),
        "gold": ([line for line in playable if line.oracle], policies.gold),
    }
    for who, (whom, policy) in runs.items():
        for result in await simulation.simulate_episodes(whom, policy, problems=chosen, at_once=AT_ONCE):
            marks.note(who, result)
    participants = [_report(who, scores, chance) for who, scores in marks.scores.items()]
    return EpisodesReport(
        split=name,
        episodes=len(everyone),
        played=len(playable),
        chance_level=chance,
        participants=participants,
        unplayed=marks.unplayed,
        without_oracle=sum(not line.oracle for line in playable),
        passed=all(participant.passed for participant in participants),
    )


def _another(line: ReferenceLine, everyone: Sequence[ReferenceLine]) -> ReferenceLine | None:
    """The next task of the same environment that is solved by other actions."""
    at = next(number for number, other in enumerate(everyone) if other.id == line.id)
    for other in [*everyone[at + 1 :], *everyone[:at]]:
        same = other.episode and line.episode and other.episode.environment == line.episode.environment
        if same and other.oracle and other.oracle != line.oracle:
            return other
    return None


def _report(name: str, marks: Sequence[float], chance: float) -> ParticipantReport:
    score = sum(marks) / len(marks)
    if name == "gold":
        passed, allowed = score >= 1.0, 1.0
    else:
        # Another task's actions are a guess, and guessing has luck.
        allowed = luck(chance, len(marks)) if name == ANOTHERS else chance
        passed = score <= allowed + 1e-9
    remedy = "" if passed else _REMEDIES.get(name, _WITHOUT_ACTING)
    return ParticipantReport(
        name=name, score=round(score, 6), allowed=round(allowed, 6), unscored=0, passed=passed, remedy=remedy
    )
