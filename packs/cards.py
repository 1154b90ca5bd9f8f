"""What the cards of generated and of converted packs have in common."""

import secrets
import uuid
from collections.abc import Iterable, Sequence

from packs.benchmark import Benchmark, Feedback, Scoring, SplitConfig, Visibility
from packs.problem import Problem

SEED_BITS = 63


def fresh_seed() -> int:
    """A seed that nobody can guess. The generators are public, so the seed of a hidden split is its secret."""
    return secrets.randbits(SEED_BITS)


def splits(*names: str, hidden: Feedback = Feedback.LADDER) -> dict[str, SplitConfig]:
    """`dev` is open with full feedback; every other split is private, with the feedback `hidden`."""
    shown = SplitConfig(visibility=Visibility.DEV, feedback=Feedback.FULL)
    return {
        name: shown if name == "dev" else SplitConfig(visibility=Visibility.PRIVATE, feedback=hidden) for name in names
    }


def live(
    slug: str,
    split: str,
    seed: int,
    *,
    title: str,
    summary: str,
    card: str,
    scoring: Scoring,
    version: str = "1.0.0",
) -> Benchmark:
    """The card of a pack of one split."""
    mark = uuid.uuid5(uuid.NAMESPACE_URL, f"{slug} {split} {seed}")
    return Benchmark(
        slug=slug,
        title=title,
        version=version,
        owner="heldout",
        licence="CC0-1.0",
        summary=summary,
        card=card,
        canary=canary_text(mark),
        scoring=scoring,
        splits=splits(split),
    )


def published(
    slug: str,
    mode: str,
    problems: Sequence[Problem],
    *,
    title: str,
    licence: str,
    summary: str,
    card: str,
    source: str = "https://github.com/THUDM/AgentBench",
    scoring: Scoring | None = None,
) -> Benchmark:
    """The card of one of AgentBench's published sets, in mode "fixed" or as published; its `dev` split is open.

    The same problems in the same mode have the same canary.
    """
    mark = uuid.uuid5(uuid.NAMESPACE_URL, f"{slug} {mode} {[problem.id for problem in problems]}")
    fixed = mode == "fixed"
    return Benchmark(
        slug=slug if fixed else f"{slug}-published",
        title=f"AgentBench: {title}" + ("" if fixed else " (as published)"),
        version="1.0.0",
        owner="agentbench",
        licence=licence,
        summary=summary,
        card=card,
        canary=canary_text(mark),
        source=source,
        scoring=scoring or Scoring(),
        splits=splits("dev"),
    )


def canary_text(mark: uuid.UUID) -> str:
    """A canary as `heldout packs new` writes one."""
    return f"HELDOUT CANARY {mark}: this text must not be in training data"


def canary_of(slug: str, problems: Sequence[Problem]) -> str:
    """The canary of a converted set: the same for the same problems under the same name, and for no others.

    References have no part in it, since everybody sees the canary and could try golds against it.
    """
    content = "\n".join([slug, *(problem.model_dump_json(exclude_defaults=True) for problem in problems)])
    return canary_text(uuid.uuid5(uuid.NAMESPACE_URL, content))


def converted_splits(names: Iterable[str]) -> dict[str, SplitConfig]:
    """Splits of a converted set as `heldout packs new` has them: `dev` is public, every other one hidden and sealed."""
    hidden = SplitConfig(visibility=Visibility.TEST, feedback=Feedback.SEALED, chance_level=0.0)
    return {name: SplitConfig(visibility=Visibility.DEV) if name == "dev" else hidden for name in names}


def demo(slug: str, *, title: str, summary: str, card: str, canary: str, version: str = "1.0.0") -> Benchmark:
    """The card of a pack in this repository, with a dev and a test split; the score is the mean over groups."""
    return Benchmark(
        slug=slug,
        title=title,
        version=version,
        owner="heldout",
        licence="Apache-2.0",
        summary=summary,
        card=card,
        canary=canary,
        source="written for this project",
        scoring=Scoring(scheme="macro", by="group"),
        splits=splits("dev", "test", hidden=Feedback.AGGREGATE),
    )
