"""The policy of a split: what its owner chose, with the defaults of its size."""

from collections.abc import Sequence

from packs.benchmark import SplitConfig
from protection.feedback.policy import FeedbackPolicy, policy_for


def policy_of(config: SplitConfig, items: int, choices: int) -> FeedbackPolicy:
    """The policy of a split of `items` items; `choices`: what a guesser chooses from, 0 for free form.

    Its parts have their expected sizes. Raises PolicyError.
    """
    return policy_for(**config.policy_arguments(), items=max(1, items), choices=choices)


def fewest_choices(counts: Sequence[int]) -> int:
    """What the split's problems let guess from: the fewest choices of those that have some, 0 where none has."""
    return min((count for count in counts if count), default=0)
