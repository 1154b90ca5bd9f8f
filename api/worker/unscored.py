"""Answers that got no verdict: told in the log, and counted where it is a fault that somebody has to look at."""

import structlog

from api.core.telemetry import ITEMS_UNSCORED
from grading.verdict import Outcome, Verdict

log = structlog.get_logger(__name__)


def note(verdict: Verdict, event: str, **what: str) -> None:
    """Nothing of a verdict with a score. What is left to people is their queue's to tell, and no fault."""
    if verdict.outcome is not Outcome.UNSCORED:
        return
    if not verdict.left_to_people:
        ITEMS_UNSCORED.labels(verdict.grader).inc()
    log.info(event, grader=verdict.grader, **what)
