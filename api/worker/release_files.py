"""A release as the pack that it was published from."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from api.accounts.repository import AccountRepository
from api.catalog.models import BenchmarkRow, ProblemRow, ReleaseRow
from api.catalog.repository import CatalogRepository
from api.core.db import AsyncSession
from api.core.settings import Settings
from api.vault.repository import VaultRepository
from api.vault.secret import Secret
from packs.benchmark import Agreement, Benchmark, Scoring, SplitConfig, Visibility
from packs.pack import Pack, canonical
from packs.problem import Problem, ReferenceLine
from packs.write import write_pack


@dataclass(frozen=True)
class StoredPack:
    """The content of a release. `assets`: bytes by their path below `assets/`."""

    head: Benchmark
    problems: list[Problem]
    references: list[ReferenceLine]
    assets: dict[str, bytes]


async def stored_pack(
    session: AsyncSession, settings: Settings, benchmark: BenchmarkRow, release: ReleaseRow
) -> StoredPack:
    """Everything that a release holds, its references, too."""
    catalog = CatalogRepository(session)
    splits = await catalog.splits(release.id)
    names = {split.id: split.name for split in splits}
    owner = await AccountRepository(session).organisation(benchmark.organisation_id)
    head = Benchmark(
        slug=benchmark.slug,
        title=release.title,
        version=release.version,
        licence=release.licence,
        owner=owner.slug,
        summary=release.summary,
        card=release.card,
        canary=release.canary,
        source=release.source,
        scoring=Scoring.model_validate(release.scoring),
        agreement=Agreement.model_validate(release.agreement) if release.agreement else None,
        splits={split.name: SplitConfig.model_validate(split.config) for split in splits},
        sandbox_images={name: tuple(digests) for name, digests in (release.sandbox_images or {}).items()},
    )
    rows = await catalog.problems(release.id)
    secrets = await VaultRepository(session, settings.vault_secrets.raw("vault")).of_release(release.id)
    return StoredPack(
        head,
        [_problem(row, names[row.split_id], secrets[row.id]) for row in rows],
        [_reference(secrets[row.id]) for row in rows],
        {row.path: row.content for row in await catalog.assets(release.id)},
    )


async def write_release(
    session: AsyncSession,
    settings: Settings,
    benchmark: BenchmarkRow,
    release: ReleaseRow,
    path: Path,
    *,
    hidden_references: bool = True,
) -> int:
    """Write a release as a pack into the new folder `path`; returns how many references it holds.

    Without `hidden_references` the references of hidden splits are left out.
    """
    stored = await stored_pack(session, settings, benchmark, release)
    open_splits = {name for name, split in stored.head.splits.items() if split.visibility is Visibility.DEV}
    hidden = {problem.id for problem in stored.problems if problem.split not in open_splits}
    shown = [line for line in stored.references if hidden_references or line.id not in hidden]
    write_pack(path, stored.head, stored.problems, shown, stored.assets)
    return len(shown)


async def same_content(
    session: AsyncSession, settings: Settings, benchmark: BenchmarkRow, release: ReleaseRow, pack: Pack
) -> bool:
    """Whether a release was published from this very pack, references included; sandboxes' images may be others."""
    stored = await stored_pack(session, settings, benchmark, release)
    assets = {name: hashlib.sha256(content).digest() for name, content in stored.assets.items()}
    return _content(stored.head, stored.problems, stored.references) == _content(
        pack.benchmark, pack.problems, pack.references
    ) and assets == {name: hashlib.sha256(file.read_bytes()).digest() for name, file in pack.assets.items()}


def _content(head: Benchmark, problems: Iterable[Problem], references: Iterable[ReferenceLine]) -> list[object]:
    return [
        canonical(head.model_copy(update={"sandbox_images": {}})),
        {problem.id: canonical(problem) for problem in problems},
        {line.id: canonical(line) for line in references},
    ]


def _problem(row: ProblemRow, split: str, secret: Secret) -> Problem:
    own = secret.record.get("pack") or {"statement": row.statement, "choices": row.choices}
    return Problem.model_validate(
        {
            "id": row.name,
            "split": split,
            "type": row.type,
            "subject": row.subject,
            "statement": own["statement"],
            "choices": own["choices"],
            "answer_format": row.answer_format,
            "images": row.images,
            "group": row.sibling_group,
            "source": row.source,
            "episode": row.episode,
        }
    )


def _reference(secret: Secret) -> ReferenceLine:
    """The line that the pack had; of a varying problem that was stored without it, its first variant's alone."""
    line = secret.record.get("pack", {}).get("line")
    if line is None:
        made = {"variants", "answer_bits"} | ({"variation"} if "variants" in secret.record else set())
        line = {name: value for name, value in secret.record.items() if name not in made}
    return ReferenceLine.model_validate_json(json.dumps(line))
