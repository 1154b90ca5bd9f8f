"""Serving: access, budget, ledger, and only then the problem."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from api.accounts.principal import Principal
from api.catalog.repository import SplitAccess
from api.catalog.service import CatalogService, require_access
from api.core.crypto import Aliases
from api.core.db import AsyncSession
from api.problems.errors import BudgetSpentError, NoProblemError, NotListedError, OtherReaderError, ScrapingError
from api.problems.repository import (
    ProblemAccess,
    ProblemFilters,
    ProblemRepository,
    ReadingPace,
    ServedPage,
    ServedProblem,
)
from api.problems.schemas import Budget, ProblemPublic
from packs.benchmark import Visibility
from protection import canaries
from protection.fingerprints import Fingerprints, variant_text
from protection.siblings import exposed
from protection.throttle import Reading, retry_after, slowdown

HIDDEN_PAGE = 20
DEV_PAGE = 100


async def require_reader(session: AsyncSession, principal: Principal, access: SplitAccess) -> None:
    """One account takes part in a hidden split with one of the unverified organisations that it made or is in.

    Budgets, quotas, attempts and variants are an organisation's, and making one costs nothing. Raises OtherReaderError.
    """
    maker = principal.unverified_of
    if maker is None or access.visibility is Visibility.DEV:
        return
    repository = ProblemRepository(session)
    # In one order: two requests do not wait for each other in a circle.
    for account in sorted({maker, principal.user_id}):
        first = await repository.reader(account, access.split_id, principal.organisation_id)
        if first != principal.organisation_id:
            raise OtherReaderError("use that one, or ask the operator to verify this organisation")


@dataclass(frozen=True)
class Served:
    """A page: what is shown, the position it ends at (None at the end), the budget, the canary (None: nothing).

    `plain` is what `items` are, as JSON has it.
    """

    plain: list[dict[str, Any]]
    last: int | None
    budget: Budget | None
    canary: str | None

    @property
    def items(self) -> list[ProblemPublic]:
        return [ProblemPublic.model_validate(one) for one in self.plain]


class ProblemService:
    """Serves problems to a principal in one transaction."""

    def __init__(
        self,
        session: AsyncSession,
        aliases: Aliases,
        principal: Principal,
        fingerprints: Fingerprints,
        *,
        paced: bool = False,
        channel: str = "api",
        alone: bool = False,
    ) -> None:
        """`paced`: hidden splits are served no faster than scraping patterns allow. `channel`: the ledger's word.

        `alone`: nothing else is done in the transaction, which may end with what is served.
        """
        self._session = session
        self._catalog = CatalogService(session)
        self._repository = ProblemRepository(session)
        self._aliases = aliases
        self._principal = principal
        self._fingerprints = fingerprints
        self._paced = paced
        self._channel = channel
        self._alone = alone

    async def page(
        self,
        slug: str,
        split: str,
        after: int,
        limit: int,
        filters: ProblemFilters | None = None,
        *,
        held_back: bool = False,
    ) -> Served:
        """The next problems of a split. Raises BudgetSpentError, AgreementRequiredError, NoSplitError.

        On a split with randomised exposure these are the drawn siblings; `held_back` asks for the others.
        """
        filters = filters or ProblemFilters()
        organisation = self._principal.organisation_id
        found = await self._repository.listing(
            slug, split, organisation, after, min(limit, DEV_PAGE), HIDDEN_PAGE, filters
        )
        if found is None:
            raise await self._catalog.no_split(slug)
        access, rows = found
        self._require_listed(access)
        wanted = min(limit, DEV_PAGE if access.visibility is Visibility.DEV else HIDDEN_PAGE)
        only = await self._drawn(access, held_back=held_back)
        if only is not None:
            rows = await self._repository.page(access.split_id, after, wanted, filters, only)
        budget = await self._record(access, rows, "held_back" if held_back else self._channel)
        last = rows[-1].position if len(rows) == wanted and rows[-1].position < access.problem_count else None
        key = self._fingerprints.key_of(access.split_id)
        canary = canaries.draw(key, slug, access.version, "api").text if rows else None
        return Served([self._public(access, row) for row in rows], last, budget, canary)

    async def _drawn(self, access: SplitAccess, *, held_back: bool) -> set[UUID] | None:
        if not access.config.randomised_exposure:
            return set() if held_back else None
        rows = await self._repository.siblings(access.split_id)
        shown = exposed(self._fingerprints.key_of(access.split_id), self._principal.organisation_id, rows)
        return {row.id for row in rows} - shown if held_back else shown

    async def one(self, alias: str) -> ProblemPublic:
        """One problem by its alias."""
        row = await self._row(alias)
        self._require_listed(row)
        await self._record(row, [row], self._channel)
        return ProblemPublic.model_validate(self._public(row, row))

    async def resolve(self, alias: str) -> ProblemAccess:
        """The problem of an alias, agreement checked; nothing is served or counted.

        Raises NoProblemError, OtherReaderError.
        """
        row = await self._row(alias)
        require_access(row)
        await require_reader(self._session, self._principal, row)
        return row

    async def _row(self, alias: str) -> ProblemAccess:
        problem_id = self._aliases.decode(self._principal.organisation_id, alias)
        row = await self._repository.one(problem_id, self._principal.organisation_id) if problem_id else None
        if row is None:
            raise NoProblemError("this organisation was never given this id")
        return row

    def _require_listed(self, access: SplitAccess) -> None:
        if access.visibility is Visibility.PRIVATE:
            raise NotListedError("open a session: POST /v1/sessions")
        require_access(access)

    async def _record(self, access: SplitAccess, rows: Sequence[ServedProblem], channel: str) -> Budget | None:
        if not rows:
            return None
        await require_reader(self._session, self._principal, access)
        limit = access.config.problems_per_day
        principal = self._principal
        variants = [self._fingerprints.shown(principal.organisation_id, row).variant for row in rows]
        page = ServedPage(
            key=principal.key_id,
            split=access.split_id,
            problems=[row.id for row in rows],
            variants=list(map(variant_text, variants)),
            address=principal.address,
            channel=channel,
            first=rows[0].position,
            last=rows[-1].position,
        )
        pace = None
        if self._paced and access.visibility is not Visibility.DEV and access.config.scraping == "throttle":
            done, pace = await self._repository.record_and_read(page, principal.organisation_id, access.benchmark_id)
        else:
            done = await self._repository.record(page, commit=self._alone)
        if done is None:
            used = await self._repository.used_today(principal.organisation_id, access.split_id)
            raise BudgetSpentError(
                f"{used} of {limit} are used; ask for at most {max(0, (limit or 0) - used)} more before 00:00 UTC",
                limit=limit,
                used=used,
            )
        if pace:
            _keep_pace(pace)
        return Budget(limit=limit, used=done.used, resets_at=done.resets_at) if limit else None

    def _public(self, access: SplitAccess, row: ServedProblem) -> dict[str, Any]:
        """`ProblemPublic` as JSON has it. All of it was validated when the pack was imported."""
        dev = access.visibility is Visibility.DEV
        base = f"/v1/benchmarks/{access.slug}/assets/{access.version}"
        shown = self._fingerprints.shown(self._principal.organisation_id, row)
        return {
            "id": self._aliases.encode(self._principal.organisation_id, row.id),
            "benchmark": access.slug,
            "version": access.version,
            "split": access.split,
            "type": row.type,
            "subject": row.subject,
            "statement": shown.statement,
            "choices": shown.choices,
            "answer_format": row.answer_format,
            "images": [{"url": f"{base}/{image['path']}", "alt": image["alt"]} for image in row.images],
            "episode": row.episode,
            "gold": row.gold if dev else None,
            "solution": row.solution if dev else None,
        }


def _keep_pace(row: ReadingPace) -> None:
    """Raises ScrapingError, which takes back what was recorded: a page that comes too early was not served."""
    reading = Reading(
        by_key=row.by_key,
        by_organisation=row.by_organisation,
        by_address=row.by_address,
        keys_of_organisation=row.keys_of_organisation,
        keys_of_address=row.keys_of_address,
        run=row.run,
    )
    slow = None if row.lifted else slowdown(reading)
    if slow:
        seconds = retry_after(row.oldest_of_key if slow.of_key else row.oldest)
        raise ScrapingError(
            f"{slow.note}: at most {slow.pace} problems a minute; wait {seconds} s. The owner can lift this limit",
            retry_after=seconds,
            pattern=slow.pattern,
        )
