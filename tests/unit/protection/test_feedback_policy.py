"""Presets, their defaults by size, the grid, and the secret cut."""

import math
from collections import Counter

import pytest

from packs.benchmark import SplitConfig
from protection.feedback.partition import PartitionItem, cut, flip_seed
from protection.feedback.policy import (
    STEPS,
    Mode,
    PolicyError,
    even_weights,
    policy_for,
    standard_error,
    step_for,
)

KEY = b"k" * 32


@pytest.mark.parametrize(
    ("items", "share", "decisions", "rankings", "monthly"),
    [
        (99, 0.0, 0, 1, False),
        (100, 0.0, 0, 1, True),
        (300, 0.3, 30, 1, True),
        (800, 0.3, 30, 3, True),
        (2000, 0.3, 30, 4, True),
    ],
)
def test_the_table_of_defaults(items: int, share: float, decisions: int, rankings: int, monthly: bool) -> None:
    policy = policy_for("sealed", items, chance_level=0.5)
    assert (policy.share, policy.decisions, policy.rankings, policy.monthly) == (share, decisions, rankings, monthly)
    assert policy.unverified == "none"
    assert policy.mode is Mode.TEST
    assert (policy.feedback is None) == (share == 0.0)


def test_no_band_is_finer_than_the_noise() -> None:
    for items in (10, 60, 100, 140, 200, 350, 500, 1400, 3500, 10_000):
        policy = policy_for("sealed", items, chance_level=0.25, share=0.0)
        part = policy.ranking
        assert part is not None
        assert part.step in STEPS
        assert part.step >= 0.5 / math.sqrt(items) - 1e-9
        assert part.floor_band * part.step >= 0.25 + 3 * part.error - 1e-9 > (part.floor_band - 1) * part.step
    assert step_for(0.0267) == 0.03
    assert standard_error(even_weights(400)) == pytest.approx(0.025)


def test_weights_widen_the_bands() -> None:
    weights = [0.9 / 50] * 50 + [0.1 / 300] * 300
    uneven = policy_for("sealed", 500, chance_level=0.25).with_parts(even_weights(150), weights)
    assert uneven.ranking is not None
    assert uneven.ranking.error == pytest.approx(0.5 * math.sqrt(0.81 / 50 + 0.01 / 300))
    assert uneven.ranking.step == 0.08
    with pytest.raises(PolicyError, match="sum to 1"):
        standard_error([0.5, 0.4])


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"rankings": 5}, "more than 4"),
        ({"grid": 0.5}, "finer than 1"),
        ({"breakdown": True}, "size of its groups"),
        ({"decisions": 31}, "more than 30"),
        ({"share": 0.5}, "more than 30%"),
    ],
)
def test_what_tells_more_has_to_be_accepted(asked: dict[str, float], said: str) -> None:
    with pytest.raises(PolicyError, match=said):
        policy_for("sealed", 500, chance_level=0.25, **asked)  # type: ignore[arg-type]
    accepted = policy_for("sealed", 500, chance_level=0.25, accept_leak=True, **asked)  # type: ignore[arg-type]
    assert said in accepted.accepted_leaks[0]


def test_telling_less_needs_no_leave() -> None:
    policy = policy_for("sealed", 500, chance_level=0.25, rankings=0, decisions=3, grid=2.0, share=0.1)
    assert policy.accepted_leaks == ()
    assert policy.ranking is not None
    assert policy.ranking.step == 0.05
    assert policy_for("sealed", 500, chance_level=0.25, decisions=0).feedback is None


def test_sealed_says_its_chance_level() -> None:
    with pytest.raises(PolicyError, match="chance_level"):
        policy_for("sealed", 500)
    assert policy_for("scores", 500).feedback is not None
    assert policy_for("open", 500).feedback is policy_for("open", 500).ranking is None


def _items(count: int) -> list[PartitionItem]:
    kinds = ("choice", "number")
    return [PartitionItem(str(i), f"s{i % 7}", kinds[i % 2], None if i % 5 else f"g{i // 20}") for i in range(count)]


def test_the_cut_is_even_over_strata_and_keeps_siblings_together() -> None:
    items = _items(1000)
    parts = cut(items, 0.3, KEY, "bench/test")
    assert abs(len(parts.feedback) - 300) <= 15
    assert sorted([*parts.feedback, *parts.ranking], key=int) == [item.item for item in items]
    first = set(parts.feedback)
    for group in {item.group for item in items if item.group}:
        assert len({item.item in first for item in items if item.group == group}) == 1
    shares = Counter((item.subject, item.type) for item in items if item.group is None and item.item in first)
    whole = Counter((item.subject, item.type) for item in items if item.group is None)
    assert all(abs(shares[stratum] / count - 0.3) < 0.06 for stratum, count in whole.items())


def test_many_small_strata_add_up_to_the_share() -> None:
    items = [PartitionItem(str(i), f"s{i}", "choice") for i in range(200)]
    assert len(cut(items, 0.3, KEY, "l").feedback) == 60


def test_the_cut_depends_on_the_key_and_the_lineage_alone() -> None:
    items = _items(200)
    parts = cut(items, 0.3, KEY, "l")
    assert cut(list(reversed(items)), 0.3, KEY, "l").feedback == tuple(reversed(parts.feedback))
    assert cut(items, 0.3, KEY, "m") != parts
    assert cut(items, 0.3, b"x" * 32, "l") != parts
    assert flip_seed(KEY, "l", "d") == flip_seed(KEY, "l", "d") != flip_seed(KEY, "l", "e")


def test_what_was_in_the_feedback_part_never_comes_back() -> None:
    items = _items(300)
    old = cut(items, 0.3, KEY, "l")
    kept = [item for item in items if int(item.item) % 3] + [
        PartitionItem(str(i), "s1", "choice") for i in range(300, 400)
    ]
    new = cut(kept, 0.3, KEY, "l", carried=old.feedback)
    assert not set(new.ranking) & set(old.feedback)
    retired = [item for item in items if item.item not in set(old.feedback)]
    rotated = cut(retired, 0.3, KEY, "l", carried=old.feedback)
    assert not set(rotated.feedback) & set(old.feedback)
    assert len(rotated.feedback) == pytest.approx(0.3 * len(retired), abs=8)


def test_the_policy_of_a_pack() -> None:
    config = SplitConfig.model_validate(
        {
            "visibility": "test",
            "feedback": "sealed",
            "chance_level": 0.25,
            "rankings_per_year": 2,
            "decisions_per_year": 9,
        }
    )
    policy = policy_for(**config.policy_arguments(), items=500, choices=4)
    assert (policy.rankings, policy.decisions, policy.choices, policy.chance_level) == (2, 9, 4, 0.25)
    silent = policy_for(
        **SplitConfig.model_validate({"visibility": "test", "feedback": "none"}).policy_arguments(), items=500
    )
    assert (silent.rankings, silent.decisions, silent.feedback) == (0, 0, None)
    late = policy_for(
        **SplitConfig.model_validate({"visibility": "test", "feedback": "delayed"}).policy_arguments(), items=500
    )
    assert (late.rankings, late.feedback) == (1, None)
    finer = config.model_copy(update={"band_width": 0.5})
    with pytest.raises(PolicyError, match="accept_leak"):
        policy_for(**finer.policy_arguments(), items=500)
    accepted = finer.model_copy(update={"accept_leak": True})
    assert policy_for(**accepted.policy_arguments(), items=500).accepted_leaks
