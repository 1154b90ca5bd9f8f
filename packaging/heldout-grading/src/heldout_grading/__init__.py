"""Grade an answer as a model wrote it: `grade("Hence the area is $4\\pi$ cm².", r"4\\pi").correct`.

Reads the whole response, finds the one answer it commits to, and compares mathematics, not strings. What is not
understood is `unparseable`, with the reason: never guessed.
"""

from heldout_grading.batch import BatchGrader, grade_batch
from heldout_grading.single import Graded, grade

__all__ = ["BatchGrader", "Graded", "grade", "grade_batch"]
