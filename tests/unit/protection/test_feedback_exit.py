"""The single exit: what it tells is counted, comes in any order to the same board, and depends on nothing of others."""

import hashlib
import itertools
import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from protection.feedback.board import BoardEntry, band_interval, board, hypergeometric_tail, overfit_p
from protection.feedback.exit import (
    Intake,
    answers_digest,
    improvement_p,
    intake,
    on_regrade,
    on_schedule,
    on_submission,
    owner_groups,
)
from protection.feedback.ledger import wear
from protection.feedback.policy import FeedbackPolicy, Mode, PartPolicy, policy_for
from protection.feedback.release import FeedbackRelease, OrganisationState, Part, PartState, Verdicts

GOLDS = 12


def _plain(values: object) -> Verdicts:
    return Verdicts.plain(np.asarray(values, dtype=np.float64))


def _first(items: int, right: int) -> Verdicts:
    return _plain([1.0] * right + [0.0] * (items - right))


def _tiny(salt: int, floor: bool, mode: Mode) -> FeedbackPolicy:
    """4 items of feedback, 8 of ranking, bands of single items, so that every rule can be met by enumeration."""
    policy = policy_for("sealed", GOLDS, chance_level=0.0, share=0.3, decisions=5, rankings=2, mode=mode)
    ranking = 0.125 if salt % 2 else 0.25
    return replace(
        policy,
        feedback=PartPolicy(4, 0.25, 0.25, 2 if floor else 0),
        ranking=PartPolicy(8, 0.177, ranking, math.ceil(0.5 / ranking) if floor else 0),
        models=salt % 4 == 3,
    )


@cache
def _decided(
    state: OrganisationState, right: tuple[float, ...], policy: FeedbackPolicy, ranking: bool
) -> tuple[OrganisationState, FeedbackRelease]:
    return (on_schedule if ranking else on_submission)(state, _plain(right), policy)


def _play(gold: tuple[int, ...], policy: FeedbackPolicy, holders: int, salt: int) -> tuple[object, float]:
    """A deterministic adaptive strategy of several organisations that share what they were told."""
    states = [OrganisationState() for _ in range(holders)]
    script: tuple[FeedbackRelease, ...] = ()
    for turn in range(4):
        for holder in range(holders):
            digest = hashlib.sha256(repr((salt, turn, holder, script)).encode()).digest()
            right = tuple(float(digest[i // 8] >> (i % 8) & 1 == gold[i]) for i in range(GOLDS))
            ranking = (turn + holder) % 3 == 2
            states[holder], release = _decided(states[holder], right[4:] if ranking else right[:4], policy, ranking)
            script += (release,)
    return script, sum(state.bits for state in states)


@pytest.mark.parametrize("salt", range(6))
@pytest.mark.parametrize("floor", [True, False])
def test_transcripts_satisfy_krafts_inequality(salt: int, floor: bool) -> None:
    policy = _tiny(salt, floor, Mode.SCORE if salt % 3 == 1 else Mode.TEST)
    seen: dict[object, float] = {}
    for gold in itertools.product((0, 1), repeat=GOLDS):
        script, bits = _play(gold, policy, 1 + salt % 3, salt)
        assert seen.setdefault(script, bits) == bits
    assert len(seen) <= 2 ** max(seen.values())
    assert sum(2**-bits for bits in seen.values()) <= 1 + 1e-9


def test_the_parts_do_not_tell_of_each_other() -> None:
    rng = np.random.default_rng(0)
    policy = policy_for("sealed", 500, chance_level=0.25, rankings=2)
    for _ in range(50):
        feedback, ranking = rng.random(150) < 0.6, rng.random(350) < 0.6
        alone = on_schedule(OrganisationState(), _plain(ranking), policy)[1]
        state, told = on_submission(OrganisationState(), _plain(feedback), policy)
        assert on_schedule(state, _plain(ranking), policy)[1] == alone
        after = on_schedule(OrganisationState(), _plain(ranking), policy)[0]
        assert on_submission(after, _plain(feedback), policy)[1] == told


def test_every_refusal_is_the_same_word() -> None:
    policy = policy_for("sealed", 500, chance_level=0.25, rankings=2)
    state, first = on_submission(OrganisationState(), _first(150, 90), policy)
    assert (first.new, first.band, first.left) == (True, 12, 29)
    by_floor = on_submission(OrganisationState(), _first(150, 20), policy)[1]
    assert (by_floor.new, by_floor.band, by_floor.left) == (False, None, 29)
    by_band = on_submission(state, _first(150, 91), policy)[1]
    noise = np.r_[np.zeros(60), np.ones(90)]
    noise[:8] = 1.0
    noise[60:61] = 0.0
    by_test = on_submission(state, _plain(noise[::-1].copy()), policy)[1]
    assert by_band == by_test == FeedbackRelease(Part.FEEDBACK, False, 12, 28)


def test_a_new_best_is_in_a_higher_band_and_stands_the_sign_test() -> None:
    policy = policy_for("sealed", 500, chance_level=0.25)
    state, _ = on_submission(OrganisationState(), _first(150, 89), policy)
    assert on_submission(state, _first(150, 93), policy)[1].new is False  # four wins, p = 1/16
    assert on_submission(state, _first(150, 94), policy)[1].new is True  # five wins, p = 1/32, and a higher band
    assert (
        on_submission(replace(state, feedback=replace(state.feedback, band=12)), _first(150, 97), policy)[1].new
        is False
    )


def test_blanks_are_ties_and_never_help() -> None:
    best = (1.0,) * 10 + (0.0,) * 10
    scores = np.r_[np.zeros(10), np.ones(10)]
    answered = np.r_[np.zeros(10, dtype=bool), np.ones(10, dtype=bool)]
    assert improvement_p(Verdicts.plain(scores, answered), best) == 2**-10
    assert improvement_p(Verdicts.plain(scores), best) > 0.5


def test_partial_credit_is_tested_by_flips_of_a_seed() -> None:
    rng = np.random.default_rng(3)
    best = rng.random(100) * 0.5
    better = Verdicts.plain(np.clip(best + rng.random(100) * 0.4, 0, 1), seed=5)
    same = Verdicts.plain(np.clip(best + rng.normal(0, 0.2, 100), 0, 1), seed=5)
    assert improvement_p(better, tuple(best)) < 0.001
    assert improvement_p(same, tuple(best)) > 0.05
    assert improvement_p(same, tuple(best)) == improvement_p(same, tuple(best))


def test_what_is_used_up_is_not_looked_at() -> None:
    policy = policy_for("sealed", 500, chance_level=0.25, decisions=1, rankings=1)
    state, _ = on_submission(OrganisationState(), _first(150, 60), policy)
    for right in (0, 150):
        assert on_submission(state, _first(150, right), policy) == (state, FeedbackRelease(Part.FEEDBACK, False, 8, 0))
    assert state.next_year().feedback == replace(state.feedback, used=0)


def test_scores_tell_the_band_of_every_decision() -> None:
    policy = policy_for("scores", 200)
    state, told = on_submission(OrganisationState(), _first(200, 3), policy)
    assert (told.new, told.band, policy.ranking) == (True, 0, None)
    state, told = on_submission(state, _first(200, 100), policy)
    state, told = on_submission(state, _first(200, 90), policy)
    assert (told.new, told.band, told.left) == (False, 11, 27)
    assert on_submission(state, _first(200, 100), policy)[1].new is False  # as high as the best before, not the last
    assert on_submission(state, _first(200, 110), policy)[1].new is True
    assert state.bits == pytest.approx(3 * math.log2(26))


def test_with_models_every_entry_stands_for_itself() -> None:
    policy = policy_for("sealed", 500, chance_level=0.25, rankings=3, models=True)
    state, first = on_schedule(OrganisationState(), _first(350, 300), policy)
    state, second = on_schedule(state, _first(350, 200), policy)
    assert (first.band, second.band) == (28, 19)
    assert first.new
    assert second.new
    assert on_schedule(replace(state, ranking=replace(state.ranking, used=3)), _first(350, 350), policy)[1].left == 0


def test_intake_asks_the_parser_alone() -> None:
    policy = policy_for("sealed", 500, chance_level=0.25)
    told = FeedbackRelease(Part.FEEDBACK, False, 9, 12)
    ask = {"digest": "a", "decided": {"b": told}, "verified": True, "used": 3, "policy": policy}
    assert intake(parsed=474, **ask).outcome is Intake.INCOMPLETE  # type: ignore[arg-type]
    assert intake(parsed=475, **ask).outcome is Intake.QUEUED  # type: ignore[arg-type]
    stored = intake(parsed=500, **(ask | {"digest": "b"}))  # type: ignore[arg-type]
    assert (stored.outcome, stored.release, stored.left) == (Intake.STORED, told, 27)
    assert intake(parsed=500, **(ask | {"verified": False})).outcome is Intake.SILENT  # type: ignore[arg-type]
    assert intake(parsed=500, **(ask | {"used": 30})).outcome is Intake.SPENT  # type: ignore[arg-type]
    assert answers_digest({"p": "1", "q": "2"}) == answers_digest({"q": "2", "p": "1"}) != answers_digest({"p": "1"})


def test_a_regrade_tells_the_band_again_and_uses_no_decision() -> None:
    policy = policy_for("sealed", 500, chance_level=0.25)
    state, told = on_schedule(OrganisationState(), _first(350, 200), policy)
    fixed, again = on_regrade(state, Part.RANKING, _first(350, 190), policy)
    assert (told.band, again.band) == (19, 18)
    assert again.left == told.left == 0
    assert fixed.ranking.bits - state.ranking.bits == pytest.approx(math.log2(34))
    assert on_regrade(state, Part.RANKING, _first(350, 10), policy)[1].band is None


def test_entries_in_any_order_give_the_same_board_and_newcomers_are_on_it() -> None:
    rng = np.random.default_rng(1)
    policy = policy_for("sealed", 500, chance_level=0.25)
    entries = []
    for index in range(20):
        state = OrganisationState()
        for _ in range(30):
            state, _ = on_submission(state, _plain(rng.random(150) < 0.5), policy)
        _, told = on_schedule(state, _plain(rng.random(350) < rng.uniform(0.3, 0.9)), policy)
        entries.append(BoardEntry(f"team {index}", told, attempts=30))
    _, told = on_schedule(OrganisationState(), _first(350, 340), policy)
    rows = board([*entries, BoardEntry("newcomer", told)], policy)
    assert rows == board([BoardEntry("newcomer", told), *reversed(entries)], policy)
    assert (rows[0].entry, rows[0].place) == ("newcomer", 1)
    assert rows[0].score == pytest.approx(0.975)
    assert rows[0].low == pytest.approx(band_interval(policy.ranking, 32)[0])  # type: ignore[arg-type]


def test_equal_bands_share_a_place_and_the_last_class_is_listed() -> None:
    policy = policy_for("sealed", 500, chance_level=0.25)
    told = [on_schedule(OrganisationState(), _first(350, right), policy)[1] for right in (200, 201, 300, 20, 100)]
    rows = board([BoardEntry(name, one) for name, one in zip("abcde", told, strict=True)], policy)
    assert [(row.entry, row.place) for row in rows] == [("c", 1), ("a", 2), ("b", 2), ("d", 4), ("e", 4)]
    assert (rows[-1].score, rows[-1].low, rows[-1].adjusted) == (None, None, None)
    assert rows[0].adjusted == rows[0].score


def test_the_interval_is_clopper_and_pearsons() -> None:
    part = PartPolicy(100, 0.05, 0.05, 8)
    low, high = band_interval(part, 10)  # counts 50 to 54
    assert low == pytest.approx(0.3983, abs=1e-4)
    assert high == pytest.approx(0.6403, abs=1e-3)
    assert band_interval(part, 20)[1] == 1.0
    assert band_interval(part, 0)[0] == 0.0


def test_the_flag_is_an_exact_hypergeometric_test() -> None:
    from scipy.stats import hypergeom

    assert hypergeometric_tail(40, 60, 140, 100) == pytest.approx(float(hypergeom.sf(39, 200, 100, 60)))
    policy = policy_for("sealed", 500, chance_level=0.25)
    _, standing = on_schedule(OrganisationState(), _first(350, 200), policy)
    _, ahead = on_submission(OrganisationState(), _first(150, 140), policy)
    _, alike = on_submission(OrganisationState(), _first(150, 86), policy)
    assert overfit_p(BoardEntry("a", standing, ahead, 30), policy) < 0.01
    assert overfit_p(BoardEntry("a", standing, alike, 30), policy) == 1.0
    assert board([BoardEntry("a", standing, ahead, 30)], policy)[0].overfit


def test_wear_is_the_share_of_what_the_golds_hold() -> None:
    assert wear(150.0, 150, 4).share == 0.5
    assert not wear(299.9, 150, 4).presumed_public
    assert wear(300.0, 150, 4).presumed_public
    assert wear(60.0, 60, 0).presumed_public


def test_a_best_of_another_part_is_not_compared() -> None:
    policy = policy_for("sealed", 500, chance_level=0.25, rankings=2)
    state = OrganisationState(ranking=PartState(1, 3, (1.0,) * 340, 4.0))
    with pytest.raises(ValueError, match="regrade it"):
        on_schedule(state, _first(350, 300), policy)


def test_owners_see_bands_of_large_groups_alone_and_none_of_guessers() -> None:
    policy = policy_for("sealed", 500, chance_level=0.25, choices=4)
    groups = ["large"] * 100 + ["least"] * 50 + ["small"] * 49
    verdicts = _plain([1.0] * 80 + [0.0] * 20 + [1.0] * 20 + [0.0] * 30 + [1.0] * 49)
    large, least = owner_groups(verdicts, groups, policy)
    assert (large.group, large.items, large.from_score) == ("large", 100, 0.8)
    assert large.to_score == pytest.approx(0.85)
    assert (least.group, least.items, least.from_score, least.to_score) == ("least", 50, None, None)
    moved = owner_groups(_plain([1.0] * 83 + [0.0] * 17 + [0.0] * 99), groups, policy)[0]
    assert moved == large, "no finer than a standard error of the group"
    with pytest.raises(ValueError, match="have 199 groups"):
        owner_groups(verdicts, groups[:-1], policy)
