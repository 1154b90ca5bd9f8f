"""Tracing a leak: the marks of all variants are in the vault, so a worker compares them."""

import asyncio
from dataclasses import asdict
from typing import Any
from uuid import UUID

import structlog

from api.catalog.repository import CatalogRepository
from api.core.db import AsyncSession
from api.core.ids import parse_id
from api.core.marking import fingerprints
from api.core.settings import Settings
from api.leaks.models import TraceState
from api.leaks.repository import LeakRepository, SubmittedAnswers
from api.leaks.schemas import EchoPublic, LeakReport, SuspectPublic
from api.vault.repository import VaultRepository
from api.worker.state import Worker
from packs.problem import Choice
from packs.variation.answers import is_gold
from packs.variation.variants import Variant, VariantSet
from protection import canaries, echo, marks, tracing
from protection.fingerprints import all_shown
from protection.marks import Pair

log = structlog.get_logger(__name__)
SHOWN = 20


async def run_trace(worker: Worker, trace_id: UUID) -> None:
    """Do a queued trace and keep its report; the leaked text is dropped."""
    async with worker.database.session() as session:
        repository = LeakRepository(session)
        row = await repository.one(trace_id)
        if row is None or row.state is not TraceState.QUEUED or row.payload is None:
            return
        report = await trace(session, worker.settings, row.slug, row.payload)
        await repository.finish(trace_id, report)
    log.info("leak.traced", trace=str(trace_id), positions=report.positions, named=len(report.named))


async def trace(session: AsyncSession, settings: Settings, slug: str, payload: dict[str, Any]) -> LeakReport:
    """Compare a leak (`text`, `pairs` or `submission`) with the copies of everybody who was served the benchmark."""
    repository = LeakRepository(session)
    found = await CatalogRepository(session).current(slug)
    if found is None:
        raise LookupError(slug)
    benchmark, release = found
    submission = None
    if "submission" in payload:
        submission_id = parse_id("sub", payload["submission"])
        submission = await repository.answers(submission_id, benchmark.id) if submission_id else None
        if submission is None:
            return _nothing("this benchmark has no such submission: nobody can be accused")
    release_id = submission.release_id if submission else release.id
    catalogue = await read_catalogue(session, settings, release_id)
    candidates = {str(row.id): row.slug for row in await repository.candidates(release_id)}
    secret = fingerprints(settings).key_of(release_id)
    report = await asyncio.to_thread(_compare, payload, submission, catalogue, candidates, secret)
    text = payload.get("text") or ""
    drawn = fingerprints(settings).key_of(release.id)
    used = [canaries.draw(drawn, slug, release.version, channel) for channel in canaries.CHANNELS]
    channels = [*canaries.found_in(text, used).values(), *(["pack"] if release.canary in text else [])]
    return report.model_copy(update={"canaries": sorted(channels)})


async def read_catalogue(session: AsyncSession, settings: Settings, release_id: UUID) -> dict[str, VariantSet]:
    """Every marked problem of a release with all its variants, by id."""
    secrets = await VaultRepository(session, settings.vault_secrets.raw("vault")).of_release(release_id)
    catalogue: dict[str, VariantSet] = {}
    for row in await LeakRepository(session).marked_problems(release_id):
        secret = secrets[row.id]
        variants = tuple(
            Variant(
                shown.statement,
                tuple(Choice.model_validate(choice) for choice in shown.choices),
                side.reference,
                side.gold,
                side.solution,
            )
            for shown, side in zip(all_shown(row), secret.variants, strict=True)
        )
        catalogue[str(row.id)] = VariantSet(variants, secret.record["answer_bits"])
    return catalogue


def _compare(
    payload: dict[str, Any],
    submission: SubmittedAnswers | None,
    catalogue: dict[str, VariantSet],
    candidates: dict[str, str],
    secret: bytes,
) -> LeakReport:
    echoes: list[EchoPublic] = []
    if submission:
        own = str(submission.organisation_id)
        # A submission answers its own copy, so what it says of others shows only where it is wrong for that copy.
        found = echo.echoes(submission.answers, own, list(candidates), catalogue, secret, is_gold)[:SHOWN]
        echoes = [EchoPublic(**asdict(item) | {"organisation": candidates[item.organisation]}) for item in found]
        observed = echo.foreign_marks(submission.answers, own, catalogue, secret, is_gold)
        candidates = {key: slug for key, slug in candidates.items() if key != own}
    elif "pairs" in payload:
        pairs = [Pair(pair["text"], pair.get("answer")) for pair in payload["pairs"]]
        observed = marks.read_pairs(pairs, catalogue, is_gold)
    else:
        observed = marks.read_text(payload["text"], catalogue, is_gold)
    result = tracing.trace(observed, list(candidates), secret)
    suspects = [
        SuspectPublic(**asdict(suspect) | {"organisation": candidates[suspect.organisation]})
        for suspect in result.suspects[:SHOWN]
    ]
    named = [candidates[name] for name in result.named]
    summary = result.summary
    for name in result.named:
        summary = summary.replace(name, candidates[name])
    return LeakReport(
        summary=summary,
        named=named,
        positions=result.positions,
        candidates=len(candidates),
        alpha=result.alpha,
        suspects=suspects,
        echoes=echoes,
    )


def _nothing(summary: str) -> LeakReport:
    return LeakReport(summary=summary, named=[], positions=0, candidates=0, alpha=tracing.ALPHA, suspects=[])
