"""Contamination test, canaries, best-of-N and scraping patterns."""

import itertools
import math
import random

import numpy as np
import pytest

from protection import best_of, canaries, exposure, scraping
from protection.exposure import Group, permutation_test
from protection.scraping import Serve


def test_exact_p_is_the_sign_test_for_pairs() -> None:
    groups = [Group((1.0,), (0.0,))] * 8 + [Group((0.0,), (1.0,))] * 2 + [Group((1.0,), (1.0,))] * 5
    result = permutation_test(groups)
    assert result is not None
    assert result.exact
    assert result.p == pytest.approx(sum(math.comb(10, k) for k in (8, 9, 10)) / 1024)
    assert result.gap == pytest.approx(6 / 15)
    assert result.low < result.gap < result.high


def test_exact_p_is_full_enumeration_for_larger_groups() -> None:
    groups = [Group((1.0, 0.0), (0.0, 0.0, 1.0)), Group((1.0,), (0.0, 1.0))]
    result = permutation_test(groups)
    gaps = []
    for group in groups:
        scores, k = group.exposed + group.held_back, len(group.exposed)
        picks = itertools.combinations(range(len(scores)), k)
        gaps.append(
            [np.mean([scores[i] for i in p]) - np.mean([s for i, s in enumerate(scores) if i not in p]) for p in picks]
        )
    sums = [a + b for a, b in itertools.product(*gaps)]
    observed = sum(group.gap for group in groups)
    assert result is not None
    assert result.p == pytest.approx(np.mean([value >= observed - 1e-9 for value in sums]))


def test_partial_credit_off_any_lattice_is_sampled() -> None:
    rng = random.Random(0)
    groups = [Group((rng.random() * 0.5 + 0.5,), (rng.random() * 0.5,)) for _ in range(30)]
    result = permutation_test(groups)
    assert result is not None
    assert not result.exact
    assert result.p < 0.001
    assert permutation_test(groups) == result


def test_nothing_held_back_is_no_test() -> None:
    assert permutation_test([Group((1.0,), ())]) is None
    assert permutation_test([]) is None


def test_exposure_is_drawn_evenly_and_stays() -> None:
    siblings = ["a", "b", "c"]
    drawn = [exposure.draw(b"k", f"org-{n}", "g", siblings)[0] for n in range(3000)]
    assert drawn == [exposure.draw(b"k", f"org-{n}", "g", siblings)[0] for n in range(3000)]
    assert all(900 < drawn.count(name) < 1100 for name in siblings)
    with pytest.raises(ValueError, match="can be shown"):
        exposure.draw(b"k", "o", "g", siblings, 4)


def test_canary_ranks() -> None:
    canary = canaries.draw(b"k", "demo", "1.0.0", "data")
    assert canary == canaries.draw(b"k", "demo", "1.0.0", "data")
    assert len(set(canary.siblings)) == canaries.SIBLINGS
    assert canary.text != canaries.draw(b"k", "demo", "1.0.0", "page").text
    scores = [0.0] * 100
    assert canaries.rank_p(scores, canary.used) == 1.0
    scores[canary.used] = 5.0
    assert canaries.rank_p(scores, canary.used) == 0.01
    used = [canaries.draw(bytes([n]), "demo", "1.0.0", "data").used for n in range(250)]
    assert len(set(used)) > 60


def test_canaries_are_scored_by_their_completion_and_stripped() -> None:
    text = canaries.draw(b"k", "demo", "1.0.0", "data").text
    assert canaries.completion_score(text, text[23:], 23) == len(text) - 23
    assert canaries.completion_score(text, "`" + text + "`", 23) == len(text) - 23
    assert canaries.completion_score(text, "I do not know", 23) == 0
    assert canaries.strip(f"a {text.lower()} b own-canary-000 c", ["own-canary-000"]) == "a [removed] b [removed] c"
    found = canaries.found_in(f"x {text}", [canaries.draw(b"k", "demo", "1.0.0", c) for c in canaries.CHANNELS])
    assert found == {text: "data"}


@pytest.mark.parametrize(("attempts", "value"), [(1, 0.0), (2, 0.56419), (10, 1.53875), (1000, 3.24144)])
def test_expected_maximum_of_normals(attempts: int, value: float) -> None:
    assert best_of.expected_maximum(attempts) == pytest.approx(value, abs=1e-4)


def test_adjusted_score_of_equal_models_is_their_skill() -> None:
    rng = np.random.default_rng(1)
    best = (rng.random((2000, 20, 400)) < 0.6).mean(axis=2).max(axis=1)
    error = math.sqrt(0.6 * 0.4 / 400)
    adjusted = float(np.mean([best_of.adjusted(float(score), error, 20) for score in best]))
    print(f"best of 20: {best.mean():.4f}, adjusted {adjusted:.4f}, skill 0.6")
    assert abs(adjusted - 0.6) < 0.005


def test_scraping_patterns() -> None:
    crawl = [Serve(n * 0.2, "k1", "o1", "1.1.1.1", n) for n in range(300)]
    found = {flag.pattern: flag for flag in scraping.flags(crawl)}
    assert found["sequential"].count == 300
    assert found["fast"].count == 300
    keys = [Serve(n * 3600.0, f"k{n}", "o2", "2.2.2.2", 5 * n) for n in range(6)]
    patterns = {(flag.pattern, flag.subject, flag.count) for flag in scraping.flags(keys)}
    assert patterns == {("keys_of_one_organisation", "o2", 6), ("keys_of_one_address", "2.2.2.2", 6)}


def test_honest_use_raises_no_flag() -> None:
    rng = random.Random(0)
    serves = [Serve(n * 5.0, "k", "o", "1.1.1.1", rng.randrange(500)) for n in range(500)]
    assert scraping.flags(serves) == []
    assert scraping.flags([]) == []
    days_apart = [Serve(n * 30 * 3600.0, f"k{n}", "o", "a", n) for n in range(8)]
    assert scraping.flags(days_apart) == []
