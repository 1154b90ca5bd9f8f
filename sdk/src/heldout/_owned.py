"""`Client.owned(slug)` and `AsyncClient.owned(slug)`."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Unpack

from heldout._calls import Calls
from heldout.exposure import ExposureFilters, LedgerCheck, ReleaseCalled, ReleaseSchedule, Served
from heldout.models import Entry
from heldout.owning import (
    Calibration,
    Criterion,
    Deleted,
    Dispute,
    ItemStatistics,
    ItemStatisticsPage,
    JobWatch,
    OwnerJob,
    PackExport,
    PresetCosts,
    Regrade,
    RegradePreview,
    Release,
    ReleaseDiff,
    Retired,
    RubricsDrafted,
    RubricsPublished,
    RubricSummary,
    RubricText,
)
from heldout.packs import unpacked


def _retirement(split: str, version: str, into: str, *, everything: bool, anyway: bool) -> dict[str, Any]:
    asked = {"split": split, "version": version, "into": into, "everything": everything, "anyway": anyway}
    return {"job": "retire", **asked}


def _edit(revision: int, criteria: Iterable[Criterion | Mapping[str, Any]], total: float) -> dict[str, Any]:
    plain = [one.model_dump(mode="json") if isinstance(one, Criterion) else dict(one) for one in criteria]
    return {"revision": revision, "total": total, "criteria": plain}


class Owned:
    """What an owner does with a published benchmark; needs a key with `benchmarks:write`.

    What a worker does is waited for; `progress` is called with the job's state on the way, and Conflict is raised where
    it cannot be done.
    """

    def __init__(self, calls: Calls, run: Callable[[Any], Any], slug: str) -> None:
        self._calls = calls
        self._run = run
        self._slug = slug

    def versions(self) -> list[Release]:
        """Every release, newest first."""
        return list(self._run(self._calls.versions(self._slug)).items)

    def diff(self, old: str, new: str, *, progress: JobWatch | None = None) -> ReleaseDiff:
        """What changed between two releases: problems, statements, terms, and whether golds did."""
        return ReleaseDiff.model_validate(self._job({"job": "diff", "old": old, "new": new}, progress).result)

    def export(
        self,
        folder: Path | str,
        version: str | None = None,
        *,
        references: Path | str | None = None,
        progress: JobWatch | None = None,
    ) -> PackExport:
        """Write a release (the current one) into the new `folder` as a pack.

        References of hidden splits never leave the service: name your own file of `references`, and those that the
        export lacks are taken from it.
        """
        job, content = self._run(self._calls.export_release(self._slug, version, progress))
        unpacked(content, Path(folder), Path(references) if references else None)
        return PackExport.model_validate(job.result)

    def retire(
        self, split: str, version: str, *, into: str = "dev", everything: bool = False, anyway: bool = False
    ) -> Retired:
        """Publish a hidden split's feedback part, or all of it, as dev problems of a new release."""
        ask = _retirement(split, version, into, everything=everything, anyway=anyway)
        return Retired.model_validate(self._job(ask, None).result)

    def delete(self, reason: str, *, confirm: str) -> Deleted:
        """Delete the benchmark for good; `confirm` is its slug, and `reason` is shown wherever it is asked for.

        Golds, problems, answers, transcripts and entries are erased. The ledger and accepted agreements stay.
        """
        return Deleted.model_validate(self._job({"job": "delete", "confirm": confirm, "reason": reason}, None).result)

    def measure_items(self, split: str = "test", *, progress: JobWatch | None = None) -> ItemStatistics:
        """Measure how submissions do on each problem; suspected wrong golds come first."""
        return ItemStatistics.model_validate(self._job({"job": "items", "split": split}, progress).result)

    def items(self, split: str = "test") -> ItemStatisticsPage:
        """The statistics that were measured last. Raises NotFound before the first time."""
        return ItemStatisticsPage.model_validate(self._run(self._calls.measured_items(self._slug, split)))

    def preview_regrade(self, *, progress: JobWatch | None = None) -> RegradePreview:
        """Whose score a regrading would move. Nothing is changed, and nobody else sees it."""
        return RegradePreview.model_validate(self._job({"job": "regrade_preview"}, progress).result)

    def regrade(self, reason: str) -> str:
        """Grade every submission anew; the reason is public. Returns the regrading's id; `regrades` says how far."""
        return str(self._run(self._calls.regrade(self._slug, reason)).id)

    def regrades(self) -> list[Regrade]:
        """The benchmark's regradings, newest first, with who moved."""
        return list(self._run(self._calls.regrades(self._slug)).items)

    def reviewers(self) -> list[str]:
        """Addresses of who grades the queue by name."""
        return [item.email for item in self._run(self._calls.reviewers(self._slug)).items]

    def add_reviewer(self, email: str) -> None:
        """Let somebody grade the queue; their key needs `reviews:write`."""
        self._run(self._calls.change_reviewer(self._slug, email, "PUT"))

    def remove_reviewer(self, email: str) -> None:
        """Take a reviewer's part back; votes that were cast stay."""
        self._run(self._calls.change_reviewer(self._slug, email, "DELETE"))

    def calibration(self) -> Calibration:
        """Judges against people: by judge, by criterion and answer by answer. Refused to an owner who takes part."""
        return Calibration.model_validate(self._run(self._calls.calibration(self._slug)))

    def calibration_table(self) -> bytes:
        """Both scores and credits of every measured answer, as CSV."""
        return bytes(self._run(self._calls.calibration_table(self._slug)))

    def rubrics(self) -> list[RubricSummary]:
        """The problems that have a rubric or could have one, as `draft_rubrics` last found them."""
        return list(self._run(self._calls.rubrics(self._slug)).items)

    def rubric(self, rubric: str) -> RubricText:
        """A rubric, by its id, beside its problem and solution. Refused to an owner who takes part."""
        return RubricText.model_validate(self._run(self._calls.rubric(rubric)))

    def draft_rubrics(
        self,
        problems: Sequence[str] = (),
        *,
        pack: str | None = None,
        total: float = 10.0,
        again: bool = False,
        progress: JobWatch | None = None,
    ) -> RubricsDrafted:
        """Look at the current release, or at a checked `pack`, and have the service's judge model draft for these
        `problems` by their names. The benchmark of a pack need not be published yet."""
        ask = {"job": "draft_rubrics", "pack": pack, "problems": list(problems), "total": total, "again": again}
        return RubricsDrafted.model_validate(self._job(ask, progress).result)

    def edit_rubric(
        self, rubric: str, revision: int, criteria: Iterable[Criterion | Mapping[str, Any]], total: float = 10.0
    ) -> RubricText:
        """Write other criteria. Raises Conflict where it is of another `revision` by now."""
        return RubricText.model_validate(self._run(self._calls.edit_rubric(rubric, _edit(revision, criteria, total))))

    def approve_rubric(self, rubric: str, revision: int) -> RubricText:
        """Say that you have read this revision. Raises Conflict where it is another one by now."""
        return RubricText.model_validate(self._run(self._calls.approve_rubric(rubric, revision)))

    def publish_rubrics(self, version: str, *, progress: JobWatch | None = None) -> RubricsPublished:
        """Publish the current release with all approved rubrics as release `version`."""
        ask = {"job": "publish_rubrics", "version": version}
        return RubricsPublished.model_validate(self._job(ask, progress).result)

    def disputes(self) -> list[Dispute]:
        """What participants say of the benchmark's golds, newest first."""
        return list((self._run(self._calls.received_disputes(self._slug))).items)

    def decide_dispute(self, dispute: str, state: Literal["accepted", "rejected"], answer: str) -> Dispute:
        """Answer a dispute, once; who raised it reads the answer, everybody the state."""
        return Dispute.model_validate(self._run(self._calls.decide_dispute(dispute, state, answer)))

    def preset_costs(self, split: str = "test", *, progress: JobWatch | None = None) -> PresetCosts:
        """Simulate what each preset of feedback would cost a split. Nothing is changed."""
        return PresetCosts.model_validate((self._job({"job": "presets", "split": split}, progress)).result)

    def exposure(self, **filters: Unpack[ExposureFilters]) -> Iterator[Served]:
        """Who was served what, newest first; fetched page by page as you iterate."""
        cursor: str | None = None
        while True:
            page = self._run(self._calls.exposure(self._slug, filters, cursor))
            yield from page.items
            if (cursor := page.next) is None:
                return

    def check_ledger(self) -> LedgerCheck:
        """Walk the hash chain of the service's ledger."""
        return LedgerCheck.model_validate(self._run(self._calls.check_ledger(self._slug)))

    def releases(self, split: str = "test") -> ReleaseSchedule:
        """When a hidden split's ranking part was released and is next, and how many calls are left this year."""
        return ReleaseSchedule.model_validate(self._run(self._calls.releases(self._slug, split)))

    def call_release(self, split: str = "test") -> ReleaseCalled:
        """Release the ranking part now, within the year's allowance."""
        return ReleaseCalled.model_validate(self._run(self._calls.call_release(self._slug, split)))

    def entries(self, split: str = "test", *, hidden: bool | None = None) -> Iterator[Entry]:
        """Every entry of the board, newest first; those you took off it alone with `hidden=True`, without it all."""
        cursor: str | None = None
        while True:
            page = self._run(self._calls.owned_entries(self._slug, split, hidden, cursor))
            yield from page.items
            if (cursor := page.next) is None:
                return

    def change_entry(self, entry: str, *, hidden: bool | None = None, verified: bool | None = None) -> None:
        """Hide or restore an entry of the board, verify it or take that back."""
        given = {"hidden": hidden, "verified": verified}
        change = {name: value for name, value in given.items() if value is not None}
        self._run(self._calls.change_entry(entry, change))

    def _job(self, ask: Mapping[str, Any], progress: JobWatch | None) -> OwnerJob:
        return OwnerJob.model_validate(self._run(self._calls.owner_job(self._slug, ask, progress)))


class AsyncOwned:
    """As `Owned`, to be awaited."""

    def __init__(self, calls: Calls, run: Callable[[Any], Awaitable[Any]], slug: str) -> None:
        self._calls = calls
        self._run = run
        self._slug = slug

    async def versions(self) -> list[Release]:
        """Every release, newest first."""
        return list((await self._run(self._calls.versions(self._slug))).items)

    async def diff(self, old: str, new: str, *, progress: JobWatch | None = None) -> ReleaseDiff:
        """What changed between two releases."""
        return ReleaseDiff.model_validate((await self._job({"job": "diff", "old": old, "new": new}, progress)).result)

    async def export(
        self,
        folder: Path | str,
        version: str | None = None,
        *,
        references: Path | str | None = None,
        progress: JobWatch | None = None,
    ) -> PackExport:
        """Write a release into the new `folder` as a pack; see `Owned.export`."""
        job, content = await self._run(self._calls.export_release(self._slug, version, progress))
        unpacked(content, Path(folder), Path(references) if references else None)
        return PackExport.model_validate(job.result)

    async def retire(
        self, split: str, version: str, *, into: str = "dev", everything: bool = False, anyway: bool = False
    ) -> Retired:
        """Publish a hidden split's feedback part, or all of it, as dev problems of a new release."""
        ask = _retirement(split, version, into, everything=everything, anyway=anyway)
        return Retired.model_validate((await self._job(ask, None)).result)

    async def delete(self, reason: str, *, confirm: str) -> Deleted:
        """Delete the benchmark for good; `confirm` is its slug, and `reason` is shown wherever it is asked for."""
        ask = {"job": "delete", "confirm": confirm, "reason": reason}
        return Deleted.model_validate((await self._job(ask, None)).result)

    async def measure_items(self, split: str = "test", *, progress: JobWatch | None = None) -> ItemStatistics:
        """Measure how submissions do on each problem; suspected wrong golds come first."""
        return ItemStatistics.model_validate((await self._job({"job": "items", "split": split}, progress)).result)

    async def items(self, split: str = "test") -> ItemStatisticsPage:
        """The statistics that were measured last. Raises NotFound before the first time."""
        return ItemStatisticsPage.model_validate(await self._run(self._calls.measured_items(self._slug, split)))

    async def preview_regrade(self, *, progress: JobWatch | None = None) -> RegradePreview:
        """Whose score a regrading would move. Nothing is changed, and nobody else sees it."""
        return RegradePreview.model_validate((await self._job({"job": "regrade_preview"}, progress)).result)

    async def regrade(self, reason: str) -> str:
        """Grade every submission anew; returns the regrading's id."""
        return str((await self._run(self._calls.regrade(self._slug, reason))).id)

    async def regrades(self) -> list[Regrade]:
        """The benchmark's regradings, newest first, with who moved."""
        return list((await self._run(self._calls.regrades(self._slug))).items)

    async def reviewers(self) -> list[str]:
        """Addresses of who grades the queue by name."""
        return [item.email for item in (await self._run(self._calls.reviewers(self._slug))).items]

    async def add_reviewer(self, email: str) -> None:
        """Let somebody grade the queue; their key needs `reviews:write`."""
        await self._run(self._calls.change_reviewer(self._slug, email, "PUT"))

    async def remove_reviewer(self, email: str) -> None:
        """Take a reviewer's part back; votes that were cast stay."""
        await self._run(self._calls.change_reviewer(self._slug, email, "DELETE"))

    async def calibration(self) -> Calibration:
        """Judges against people; see `Owned.calibration`."""
        return Calibration.model_validate(await self._run(self._calls.calibration(self._slug)))

    async def calibration_table(self) -> bytes:
        """Both scores and credits of every measured answer, as CSV."""
        return bytes(await self._run(self._calls.calibration_table(self._slug)))

    async def rubrics(self) -> list[RubricSummary]:
        """The problems that have a rubric or could have one, as `draft_rubrics` last found them."""
        return list((await self._run(self._calls.rubrics(self._slug))).items)

    async def rubric(self, rubric: str) -> RubricText:
        """A rubric, by its id, beside its problem and solution. Refused to an owner who takes part."""
        return RubricText.model_validate(await self._run(self._calls.rubric(rubric)))

    async def draft_rubrics(
        self,
        problems: Sequence[str] = (),
        *,
        pack: str | None = None,
        total: float = 10.0,
        again: bool = False,
        progress: JobWatch | None = None,
    ) -> RubricsDrafted:
        """Look at the current release, or at a checked `pack`, and have the service's judge model draft for these
        `problems` by their names. The benchmark of a pack need not be published yet."""
        ask = {"job": "draft_rubrics", "pack": pack, "problems": list(problems), "total": total, "again": again}
        return RubricsDrafted.model_validate((await self._job(ask, progress)).result)

    async def edit_rubric(
        self, rubric: str, revision: int, criteria: Iterable[Criterion | Mapping[str, Any]], total: float = 10.0
    ) -> RubricText:
        """Write other criteria. Raises Conflict where it is of another `revision` by now."""
        return RubricText.model_validate(
            await self._run(self._calls.edit_rubric(rubric, _edit(revision, criteria, total)))
        )

    async def approve_rubric(self, rubric: str, revision: int) -> RubricText:
        """Say that you have read this revision. Raises Conflict where it is another one by now."""
        return RubricText.model_validate(await self._run(self._calls.approve_rubric(rubric, revision)))

    async def publish_rubrics(self, version: str, *, progress: JobWatch | None = None) -> RubricsPublished:
        """Publish the current release with all approved rubrics as release `version`."""
        ask = {"job": "publish_rubrics", "version": version}
        return RubricsPublished.model_validate((await self._job(ask, progress)).result)

    async def disputes(self) -> list[Dispute]:
        """What participants say of the benchmark's golds, newest first."""
        return list((await self._run(self._calls.received_disputes(self._slug))).items)

    async def decide_dispute(self, dispute: str, state: Literal["accepted", "rejected"], answer: str) -> Dispute:
        """Answer a dispute, once; who raised it reads the answer, everybody the state."""
        return Dispute.model_validate(await self._run(self._calls.decide_dispute(dispute, state, answer)))

    async def preset_costs(self, split: str = "test", *, progress: JobWatch | None = None) -> PresetCosts:
        """Simulate what each preset of feedback would cost a split. Nothing is changed."""
        return PresetCosts.model_validate((await self._job({"job": "presets", "split": split}, progress)).result)

    async def exposure(self, **filters: Unpack[ExposureFilters]) -> AsyncIterator[Served]:
        """Who was served what, newest first; fetched page by page as you iterate."""
        cursor: str | None = None
        while True:
            page = await self._run(self._calls.exposure(self._slug, filters, cursor))
            for item in page.items:
                yield item
            if (cursor := page.next) is None:
                return

    async def check_ledger(self) -> LedgerCheck:
        """Walk the hash chain of the service's ledger."""
        return LedgerCheck.model_validate(await self._run(self._calls.check_ledger(self._slug)))

    async def releases(self, split: str = "test") -> ReleaseSchedule:
        """When a hidden split's ranking part was released and is next, and how many calls are left this year."""
        return ReleaseSchedule.model_validate(await self._run(self._calls.releases(self._slug, split)))

    async def call_release(self, split: str = "test") -> ReleaseCalled:
        """Release the ranking part now, within the year's allowance."""
        return ReleaseCalled.model_validate(await self._run(self._calls.call_release(self._slug, split)))

    async def entries(self, split: str = "test", *, hidden: bool | None = None) -> AsyncIterator[Entry]:
        """Every entry of the board, newest first; see `Owned.entries`."""
        cursor: str | None = None
        while True:
            page = await self._run(self._calls.owned_entries(self._slug, split, hidden, cursor))
            for item in page.items:
                yield item
            if (cursor := page.next) is None:
                return

    async def change_entry(self, entry: str, *, hidden: bool | None = None, verified: bool | None = None) -> None:
        """Hide or restore an entry of the board, verify it or take that back."""
        given = {"hidden": hidden, "verified": verified}
        change = {name: value for name, value in given.items() if value is not None}
        await self._run(self._calls.change_entry(entry, change))

    async def _job(self, ask: Mapping[str, Any], progress: JobWatch | None) -> OwnerJob:
        return OwnerJob.model_validate(await self._run(self._calls.owner_job(self._slug, ask, progress)))
