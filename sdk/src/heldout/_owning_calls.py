"""The operations of a benchmark's owner; see `heldout._flow`."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pydantic import TypeAdapter

from heldout._flow import Flow, Pause, Reply, Request, exchange
from heldout._pack_calls import PackCalls
from heldout._session_calls import params, part_of, post
from heldout.errors import Conflict
from heldout.owning import (
    Calibration,
    Dispute,
    DisputePage,
    ItemStatisticsPage,
    JobWatch,
    OwnerJob,
    RegradeBegun,
    RegradePage,
    ReleasePage,
    ReviewerPage,
    RubricPage,
    RubricText,
)

_JOB = TypeAdapter(OwnerJob)
_RELEASES = TypeAdapter(ReleasePage)
_ITEMS = TypeAdapter(ItemStatisticsPage)
_REGRADES = TypeAdapter(RegradePage)
_DISPUTE = TypeAdapter(Dispute)
_DISPUTES = TypeAdapter(DisputePage)
_BEGUN = TypeAdapter(RegradeBegun)
_CALIBRATION = TypeAdapter(Calibration)
_REVIEWERS = TypeAdapter(ReviewerPage)
_RUBRIC = TypeAdapter(RubricText)
_RUBRICS = TypeAdapter(RubricPage)
_LONGEST_PAUSE = 5.0


class OwningCalls(PackCalls):
    """Operations of people who look after a benchmark."""

    def versions(self, slug: str) -> Flow[ReleasePage]:
        return self._typed(Request("GET", f"{_path(slug)}/versions", public=True), _RELEASES)

    def owner_job(self, slug: str, ask: Mapping[str, Any], report: JobWatch | None) -> Flow[OwnerJob]:
        """Have a job done and wait for its end. Raises Conflict where it cannot be done."""
        job = yield from self._typed(post(f"{_path(slug)}/jobs", ask), _JOB)
        seconds = 0.2
        while not job.ended:
            yield Pause(seconds)
            seconds = min(_LONGEST_PAUSE, seconds * 1.5)
            job = yield from self._typed(Request("GET", f"/v1/jobs/{part_of(job.id)}"), _JOB)
            if report is not None:
                report(job)
        if job.state == "failed":
            raise Conflict(job.failure, code="job_failed", advice="mend what it names and ask again")
        return job

    def export_release(self, slug: str, version: str | None, report: JobWatch | None) -> Flow[tuple[OwnerJob, bytes]]:
        """Export a release; its job and the archive."""
        job = yield from self.owner_job(slug, {"job": "export", "version": version}, report)
        reply: Reply = yield from exchange(Request("GET", f"/v1/jobs/{part_of(job.id)}/file"), self._retries)
        return job, reply.body

    def measured_items(self, slug: str, split: str) -> Flow[ItemStatisticsPage]:
        return self._typed(Request("GET", f"{_path(slug)}/items", params(split=split)), _ITEMS)

    def regrades(self, slug: str) -> Flow[RegradePage]:
        return self._typed(Request("GET", f"{_path(slug)}/regrades", public=True), _REGRADES)

    def regrade(self, slug: str, reason: str) -> Flow[RegradeBegun]:
        return self._typed(post(f"{_path(slug)}/regrades", {"reason": reason}), _BEGUN)

    def reviewers(self, slug: str) -> Flow[ReviewerPage]:
        return self._typed(Request("GET", f"{_path(slug)}/reviewers"), _REVIEWERS)

    def change_reviewer(self, slug: str, email: str, method: str) -> Flow[None]:
        yield from exchange(Request(method, f"{_path(slug)}/reviewers/{part_of(email)}"), self._retries)

    def calibration(self, slug: str) -> Flow[Calibration]:
        return self._typed(Request("GET", f"{_path(slug)}/calibration"), _CALIBRATION)

    def calibration_table(self, slug: str) -> Flow[bytes]:
        """Both scores and credits of every measured answer, as CSV."""
        query = params(format="csv")
        reply: Reply = yield from exchange(Request("GET", f"{_path(slug)}/calibration", query), self._retries)
        return reply.body

    def rubrics(self, slug: str) -> Flow[RubricPage]:
        return self._typed(Request("GET", f"{_path(slug)}/rubrics"), _RUBRICS)

    def rubric(self, rubric: str) -> Flow[RubricText]:
        return self._typed(Request("GET", f"/v1/rubrics/{part_of(rubric)}"), _RUBRIC)

    def edit_rubric(self, rubric: str, edit: Mapping[str, Any]) -> Flow[RubricText]:
        return self._typed(replace(post(f"/v1/rubrics/{part_of(rubric)}", edit), method="PUT"), _RUBRIC)

    def approve_rubric(self, rubric: str, revision: int) -> Flow[RubricText]:
        return self._typed(post(f"/v1/rubrics/{part_of(rubric)}/approve", {"revision": revision}), _RUBRIC)

    def dispute(self, problem: str, reason: str) -> Flow[Dispute]:
        return self._typed(post(f"/v1/problems/{part_of(problem)}/disputes", {"reason": reason}), _DISPUTE)

    def disputes(self) -> Flow[DisputePage]:
        return self._typed(Request("GET", "/v1/disputes"), _DISPUTES)

    def received_disputes(self, slug: str) -> Flow[DisputePage]:
        return self._typed(Request("GET", f"{_path(slug)}/disputes/received"), _DISPUTES)

    def decide_dispute(self, dispute: str, state: str, answer: str) -> Flow[Dispute]:
        request = post(f"/v1/disputes/{part_of(dispute)}", {"state": state, "answer": answer})
        return self._typed(replace(request, method="PUT"), _DISPUTE)


def _path(slug: str) -> str:
    return f"/v1/benchmarks/{part_of(slug)}"
