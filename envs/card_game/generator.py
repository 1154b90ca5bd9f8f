"""Fresh matches: other line-ups, in an order that nobody is told, against opponents of rising strength."""

import random
from collections.abc import Sequence

from envs.card_game.draft import drafted
from envs.card_game.fish import PUBLISHED, UNUSED
from envs.card_game.opponents import LADDER
from envs.card_game.oracle import solve
from envs.card_game.spec import CardGameSpec, OpponentName, Team
from packs import cards
from packs.benchmark import Benchmark, Scoring
from packs.draft import DraftPack, Soundness
from packs.report import Report

STEPS_OF_LADDER: tuple[OpponentName, ...] = ("random", "baseline1", "baseline2", "greedy", "search")
DRAWS = 20
WIDTHS = (1, 3)


def generate(*, seed: int, count: int = 20, split: str = "test", slug: str = "live-card-game") -> DraftPack:
    """A pack of `count` fresh matches; the same for the same seed. Every split but "dev" is private.

    Each was won completely by the gold participant's search; a draw that it does not win is drawn again.
    """
    report = Report(f"card game, seed {seed}", read=count)
    problems, references = [], []
    for number in range(count):
        id_ = f"{slug}-{number:04d}"
        opponent = STEPS_OF_LADDER[number % len(STEPS_OF_LADDER)]
        rng = random.Random(f"card game {seed} {number}")
        for _ in range(DRAWS):
            spec = _drawn(rng, opponent, first=number // len(STEPS_OF_LADDER) % 2 == 0)
            script = solve(spec, WIDTHS)
            if script is not None:
                problem, line = drafted(id_, split, opponent, spec, script)
                problems.append(problem)
                references.append(line)
                break
        else:
            report.exclude(id_, "not won", f"of {DRAWS} draws the gold participant's search won none")

    def card(kept: Sequence[object]) -> Benchmark:
        return cards.live(
            slug,
            split,
            seed,
            title="Live: card game",
            summary="Four fish against four, with guesses of who is who, against opponents from chance to a search.",
            card=_CARD.format(count=len(kept), ladder=", ".join(LADDER)),
            scoring=Scoring(scheme="macro", by="subject"),
        )

    return DraftPack(report, problems, references, card=card, soundness=Soundness(seed=seed))


def _drawn(rng: random.Random, opponent: OpponentName, *, first: bool) -> CardGameSpec:
    """Both sides get as many of the strong kinds, so that neither is favoured by more than the draw of its skills."""
    strong = rng.randint(0, 2)
    return CardGameSpec(
        opponent=opponent,
        team=_team(rng, strong),
        enemy=_team(rng, strong),
        first=first,
        seed=rng.getrandbits(63),
    )


def _team(rng: random.Random, strong: int) -> Team:
    names = rng.sample(PUBLISHED, strong) + rng.sample(UNUSED, 4 - strong)
    rng.shuffle(names)
    return (names[0], names[1], names[2], names[3])


_CARD = """\
{count} matches, against opponents of rising strength ({ladder}), as many each. A match scores 0.7 for a win and 0.3
times the share of the enemy's health that was taken; the score is the mean over opponents.

Line-ups, their order and the dice are drawn from a seed: another seed gives matches that nobody has seen.
"""
