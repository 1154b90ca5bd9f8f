"""Grades in processes of their own that are bounded and can be killed.

    async with GradingPool(workers=2) as pool:
        verdict = await pool.grade(Answer(text="x^2"), {"kind": "symbolic", "value": "x*x"})

A hostile answer costs one process its limit and the answer becomes `unscored` with the reason.
"""

from grading.pool.limits import Limits
from grading.pool.pool import GradingPool, PoolClosedError

__all__ = ["GradingPool", "Limits", "PoolClosedError"]
