"""Serving: gate, budget, ledger, and only then the problem."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from api.accounts.principal import Principal
from api.catalog.repository import CatalogRepository
from api.catalog.service import NoBenchmarkError, require_agreement
from api.core.crypto import Aliases
from api.core.db import AsyncSession
from api.problems.errors import BudgetSpentError, NoProblemError, NoSplitError, NotListedError, ScrapingError
from api.problems.repository import ProblemRepository
from api.problems.schemas import Budget, ChoicePublic, ImagePublic, ProblemPublic
from packs.benchmark import SplitConfig, Visibility
from protection.fingerprints import Fingerprints
from protection.siblings import exposed
from protection.throttle import Reading, retry_after, slowdown

HIDDEN_PAGE = 20
DEV_PAGE = 100


@dataclass(frozen=True)
class Served:
    """A page: what is shown, the position it ends at (None at the end), and the budget."""

    items: list[ProblemPublic]
    last: int | None
    budget: Budget | None


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
    ) -> None:
        """`paced`: hidden splits are served no faster than scraping patterns allow."""
        self._catalog = CatalogRepository(session)
        self._repository = ProblemRepository(session)
        self._aliases = aliases
        self._principal = principal
        self._fingerprints = fingerprints
        self._paced = paced

    async def page(self, slug: str, split: str, after: int, limit: int, *, held_back: bool = False) -> Served:
        """The next problems of a split. Raises BudgetSpentError, AgreementRequiredError, NoSplitError.

        On a split with randomised exposure these are the drawn siblings; `held_back` asks for the others.
        """
        gate = await self._catalog.gate(slug, split, self._principal.organisation_id)
        if gate is None:
            if await self._catalog.benchmark(slug) is None:
                raise NoBenchmarkError("no benchmark has this slug; GET /v1/benchmarks lists them")
            raise NoSplitError(f"GET /v1/benchmarks/{slug} lists the splits")
        self._check(gate)
        wanted = min(limit, DEV_PAGE if gate.visibility == Visibility.DEV else HIDDEN_PAGE)
        only = await self._drawn(gate, held_back=held_back)
        rows = await self._repository.page(gate.split_id, after, wanted, only)
        budget = await self._record(gate, rows, "held_back" if held_back else "api")
        last = rows[-1].position if len(rows) == wanted and rows[-1].position < gate.problem_count else None
        return Served([self._public(gate, row) for row in rows], last, budget)

    async def _drawn(self, gate: Any, *, held_back: bool) -> set[UUID] | None:
        if not SplitConfig.model_validate(gate.config).randomised_exposure:
            return set() if held_back else None
        rows = await self._repository.siblings(gate.split_id)
        shown = exposed(self._fingerprints.key, self._principal.organisation_id, rows)
        return {row.id for row in rows} - shown if held_back else shown

    async def one(self, alias: str) -> ProblemPublic:
        """One problem by its alias."""
        problem_id = self._aliases.decode(self._principal.organisation_id, alias)
        row = problem_id and await self._repository.one(problem_id, self._principal.organisation_id)
        if not row:
            raise NoProblemError("this organisation was never given such an id")
        self._check(row)
        await self._record(row, [row])
        return self._public(row, row)

    async def behind(self, alias: str) -> Any:
        """The row behind an alias with its gate, agreement checked; nothing is served or counted."""
        problem_id = self._aliases.decode(self._principal.organisation_id, alias)
        row = problem_id and await self._repository.one(problem_id, self._principal.organisation_id)
        if not row:
            raise NoProblemError("this organisation was never given such an id")
        if row.visibility != Visibility.DEV:
            require_agreement(row.agreement, row.agreement_state, row.slug)
        return row

    def _check(self, gate: Any) -> None:
        if gate.visibility == Visibility.PRIVATE:
            raise NotListedError("open a session: POST /v1/sessions")
        if gate.visibility != Visibility.DEV:
            require_agreement(gate.agreement, gate.agreement_state, gate.slug)

    async def _record(self, gate: Any, rows: list[Any], channel: str = "api") -> Budget | None:
        if not rows:
            return None
        config = SplitConfig.model_validate(gate.config)
        limit = config.problems_per_day
        principal = self._principal
        variants = [self._fingerprints.shown(principal.organisation_id, row)[0] for row in rows]
        done = await self._repository.record(
            key=principal.key_id,
            organisation=principal.organisation_id,
            split=gate.split_id,
            problems=[row.id for row in rows],
            variants=variants,
            limit=limit,
            address=principal.address,
            channel=channel,
            places=(rows[0].position, rows[-1].position),
        )
        if done is None:
            used = await self._repository.used_today(principal.key_id, gate.split_id)
            raise BudgetSpentError(
                f"{used} of {limit} are used; ask for at most {max(0, (limit or 0) - used)} more before 00:00 UTC",
                limit=limit,
                used=used,
            )
        if self._paced and gate.visibility != Visibility.DEV and config.scraping == "throttle":
            await self._keep_pace(gate)
        return Budget(limit=limit, used=done.used, resets_at=done.resets_at) if limit else None

    async def _keep_pace(self, gate: Any) -> None:
        """Raises ScrapingError, which takes back what was recorded: a page that comes too early was not served."""
        principal = self._principal
        row = await self._repository.reading(
            gate.benchmark_id, gate.split_id, principal.key_id, principal.organisation_id, principal.address
        )
        counts = {name: int(getattr(row, name)) for name in Reading.__dataclass_fields__}
        slow = None if row.lifted else slowdown(Reading(**counts))
        if slow:
            seconds = retry_after(float(row.oldest_of_key if slow.of_key else row.oldest))
            raise ScrapingError(
                f"{slow.note}: {slow.pace} problems a minute; wait {seconds} s. The owner can lift this",
                retry_after=seconds,
                pattern=slow.pattern,
            )

    def _public(self, gate: Any, row: Any) -> ProblemPublic:
        dev = gate.visibility == Visibility.DEV
        base = f"/v1/benchmarks/{gate.slug}/assets/{gate.version}"
        _, statement, choices = self._fingerprints.shown(self._principal.organisation_id, row)
        return ProblemPublic(
            id=self._aliases.encode(self._principal.organisation_id, UUID(str(row.id))),
            benchmark=gate.slug,
            version=gate.version,
            split=gate.split,
            type=row.type,
            subject=row.subject,
            statement=statement,
            choices=[ChoicePublic(**choice) for choice in choices],
            answer_format=row.answer_format,
            images=[ImagePublic(url=f"{base}/{image['path']}", alt=image["alt"]) for image in row.images],
            episode=row.episode,
            gold=row.gold if dev else None,
            solution=row.solution if dev else None,
        )
