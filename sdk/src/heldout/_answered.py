"""The score over the answered problems alone, beside that of all, in which the others count as not solved."""

from typing import Any

from heldout.models import SubmissionStatus


def over_answered(status: SubmissionStatus) -> dict[str, Any] | None:
    """Of a submission that does not answer every problem: `answered` of `expected` problems, the mean of their scores
    (None where the split tells nothing of single problems, or nobody has decided yet), how many are `decided`, and
    the `score_of_all`. None for a whole one."""
    if status.received >= status.expected or status.state == "open":
        return None
    scores = [item.score for item in status.items or () if item.score is not None]
    return {
        "answered": status.received,
        "expected": status.expected,
        "decided": len(scores),
        "score_of_answered": sum(scores) / len(scores) if scores else None,
        "score_of_all": status.score,
    }


def in_words(status: SubmissionStatus) -> str:
    """The same as a sentence; empty for a whole submission."""
    found = over_answered(status)
    if found is None:
        return ""
    begin = f"{found['answered']} of {found['expected']} problems were answered"
    rest = "the score of all counts the others as not solved"
    if found["score_of_answered"] is not None:
        mean = f"the mean score of these is {found['score_of_answered']:.3f}"
        undecided = found["answered"] - found["decided"]
        return f"{begin}: {mean}" + (f" ({undecided} not decided yet)" if undecided else "") + f"; {rest}"
    if status.items is None and status.settled:
        return f"{begin}; {rest}, and this split tells nothing of single problems, so no score of the answered ones"
    return f"{begin}; {rest}"
