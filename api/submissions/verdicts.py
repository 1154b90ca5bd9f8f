"""Verdicts where they are kept: of dev splits beside the answer, of hidden splits sealed in the vault's schema.

The web role reads `submission_item` and not the vault, and holds no key: what a hidden split's grader said of an answer
is not to be had from it, nor from a backup.
"""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from api.core.crypto import seal, unseal
from api.core.nul import holds_nul, without_nul
from grading import Outcome, Verdict

PEOPLE = "people"
"""The grader of what people decided."""
COLUMNS = "i.score, i.outcome, i.reason, i.grader, i.grader_version, i.reference_digest, i.detail, x.sealed"
"""What a query of verdicts selects, for a row that is a StoredVerdict."""
SEALED = """left join lateral (select v.sealed from vault.verdict v
  where v.submission_id = i.submission_id and v.problem_id = i.problem_id offset 0) x on true"""
"""How it joins what is sealed to the items `i`: each by the whole of its key.

Of a submission that is newer than the statistics PostgreSQL expects one item, and a plain join would read all its
verdicts for each of them.
"""


@dataclass(frozen=True)
class StoredVerdict:
    """A verdict as it is kept; all is empty where there is none yet."""

    score: float | None
    outcome: Outcome | None
    reason: str | None
    grader: str | None
    grader_version: str | None
    reference_digest: str | None
    detail: dict[str, Any] | None
    sealed: bytes | None

    def opened(self, key: bytes, submission_id: UUID, problem_id: UUID) -> Verdict | None:
        """The verdict, or None. Raises SealError for a changed row."""
        if self.sealed is not None:
            return Verdict.model_validate_json(unseal(key, self.sealed, verdict_binding(submission_id, problem_id)))
        if self.outcome is None:
            return None
        return Verdict(
            score=self.score,
            outcome=self.outcome,
            reason=self.reason or "",
            grader=self.grader or "",
            version=self.grader_version or "",
            reference_digest=self.reference_digest or "",
            detail=self.detail or {},
        )


@dataclass(frozen=True)
class EndedItem:
    """An answer to a hidden split when its submission ends: how its episode ended, what it cost, its sealed verdict."""

    problem_id: UUID
    usage: dict[str, Any] | None
    finish_reason: str | None
    sealed: bytes | None

    def undecided(self, key: bytes, submission_id: UUID) -> bool:
        """Whether no grader could decide it, and no person has yet. Raises SealError for a changed row."""
        if self.sealed is None:
            return False
        plain = unseal(key, self.sealed, verdict_binding(submission_id, self.problem_id))
        # Thousands of verdicts end at once: one that does not hold the word need not be read.
        if Outcome.UNSCORED.value.encode() not in plain:
            return False
        verdict = Verdict.model_validate_json(plain)
        return verdict.outcome is Outcome.UNSCORED and verdict.score is None


def sealed_verdict(key: bytes, submission_id: UUID, problem_id: UUID, verdict: Verdict) -> bytes:
    """A verdict bound to its item."""
    if holds_nul(verdict.reason) or holds_nul(verdict.detail):
        clean = {"reason": without_nul(verdict.reason), "detail": without_nul(verdict.detail)}
        verdict = verdict.model_copy(update=clean)
    return seal(key, verdict.model_dump_json().encode(), verdict_binding(submission_id, problem_id))


def verdict_binding(submission_id: UUID, problem_id: UUID) -> str:
    """What it is bound to."""
    return f"vault.verdict:{submission_id}:{problem_id}:1"
