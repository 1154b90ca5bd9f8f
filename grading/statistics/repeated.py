"""Scores of repeated attempts."""

from collections.abc import Iterable


def pass_at_k(n: int, correct: int, k: int) -> float:
    """Probability that one of `k` attempts drawn without replacement from `n`, of which `correct` passed, passes.

    The unbiased estimator of Chen et al. 2021 (arXiv:2107.03374). Raises ValueError for impossible counts.
    """
    if not (0 <= correct <= n and 1 <= k <= n):
        raise ValueError(f"need 0 <= correct <= n and 1 <= k <= n, not correct={correct}, n={n}, k={k}")
    if n - correct < k:
        return 1.0
    missed = 1.0
    for size in range(n - correct + 1, n + 1):
        missed *= 1 - k / size
    return 1 - missed


def mean_pass_at_k(attempts: Iterable[tuple[int, int]], k: int) -> float:
    """Mean over problems of `pass_at_k`; each is (attempts, passed). Raises ValueError for none."""
    values = [pass_at_k(n, correct, k) for n, correct in attempts]
    if not values:
        raise ValueError("a mean needs at least one problem")
    return sum(values) / len(values)
