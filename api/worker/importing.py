"""A pack becomes a release, in one transaction."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Any

from api.accounts.models import MemberRole, User
from api.accounts.service import AccountService
from api.catalog.models import BenchmarkRow, ReleaseRow
from api.catalog.repository import CatalogRepository
from api.core.db import AsyncSession
from api.core.errors import ConflictError
from api.core.ids import new_id
from api.core.marking import fingerprints
from api.core.settings import Settings
from api.vault.repository import VaultRepository
from api.worker.corrections import continue_boards, transfer_agreements
from api.worker.release_files import same_content
from api.worker.release_rows import ReleaseRows, release_rows
from api.worker.split_parts import cut_splits
from envs import registry
from envs.sandbox import pins
from packs.pack import Pack


class ReleaseExistsError(ConflictError):
    code = "release_exists"
    title = "This version is published with other content"


class NotOwnerError(ConflictError):
    code = "benchmark_owned"
    title = "Another organisation owns this benchmark"


class SlugDeletedError(ConflictError):
    code = "slug_deleted"
    title = "A deleted benchmark had this slug, and links to it stay links to it"


class NoImageError(ConflictError):
    code = "sandbox_image_missing"
    title = "A sandbox image that the pack names is not on this machine"


@dataclass(frozen=True)
class Imported:
    """What an import did; `fresh` is False when the very same release was there already."""

    slug: str
    version: str
    problems: int
    fresh: bool


async def import_pack(
    session: AsyncSession,
    settings: Settings,
    pack: Pack,
    owner: User | None = None,
    admission: dict[str, Any] | None = None,
) -> Imported:
    """Publish a pack as a release of its benchmark. Raises ReleaseExistsError, NotOwnerError, SlugDeletedError,
    DraftRubricError, FeedbackPolicyError, NoImageError; then nothing changed.

    `admission` is the public summary of the admission check; a release of the same content gets it later, too.
    """
    catalog = CatalogRepository(session)
    benchmark = await _benchmark(session, settings, pack, owner)
    earlier = await catalog.release_by_version(benchmark.id, pack.benchmark.version)
    if earlier:
        if not await same_content(session, settings, benchmark, earlier, pack):
            raise ReleaseExistsError("releases never change; raise 'version' in benchmark.toml")
        await _again(catalog, earlier, pack, admission)
    else:
        key = fingerprints(settings).key_of(new_id())
        # Variants of thousands of problems take seconds, which other jobs of a worker do not wait for.
        rows = await asyncio.to_thread(release_rows, pack, benchmark.id, key, admission)
        served = benchmark.release_id
        await continue_boards(session, rows, served)
        rows.release.sandbox_images = await _sandbox_images(pack, chain.from_iterable(rows.episodes.values()))
        await _store_public(catalog, rows)
        await _store_secret(VaultRepository(session, settings.vault_secrets.raw("vault")), settings, rows)
        benchmark.release_id = rows.release.id
        await catalog.add(benchmark)
        await transfer_agreements(session, rows.release, served)
        await cut_splits(session, settings.vault_secrets.raw("vault"), rows.release.id)
    return Imported(pack.benchmark.slug, pack.benchmark.version, len(pack.problems), fresh=earlier is None)


async def _benchmark(session: AsyncSession, settings: Settings, pack: Pack, owner: User | None) -> BenchmarkRow:
    """The pack's benchmark, made if it is new; so is the organisation that owns it. Raises NotOwnerError,
    SlugDeletedError."""
    accounts, catalog = AccountService(session, settings.secrets.raw("pepper")), CatalogRepository(session)
    organisation = await accounts.ensure_organisation(pack.benchmark.owner)
    if owner:
        await accounts.ensure_member(owner, organisation, MemberRole.OWNER)
    benchmark = await catalog.benchmark(pack.benchmark.slug)
    if benchmark is None:
        benchmark = BenchmarkRow(slug=pack.benchmark.slug, organisation_id=organisation.id)
        await catalog.add(benchmark)
    elif benchmark.deleted_at is not None:
        raise SlugDeletedError(
            f"'{benchmark.slug}' was deleted on {benchmark.deleted_at:%Y-%m-%d}; choose another slug"
        )
    elif benchmark.organisation_id != organisation.id:
        raise NotOwnerError(f"'{pack.benchmark.slug}' does not belong to '{pack.benchmark.owner}'; choose another slug")
    return benchmark


async def _again(catalog: CatalogRepository, earlier: ReleaseRow, pack: Pack, admission: dict[str, Any] | None) -> None:
    """A version that is published stays as it is, but for the summary of its check and a digest that says nothing."""
    earlier.digest = pack.digest
    if admission is not None:
        earlier.admission = admission
    await catalog.add(earlier)


async def _store_public(catalog: CatalogRepository, rows: ReleaseRows) -> None:
    """Each table after those that it points to."""
    await catalog.add(rows.release)
    await catalog.add(*rows.ngram_filters, *rows.splits, *rows.assets)
    await catalog.add(*rows.problems)


async def _store_secret(vault: VaultRepository, settings: Settings, rows: ReleaseRows) -> None:
    """References under the vault key, and what hosts play under theirs."""
    await vault.put(rows.release.id, rows.secrets)
    await vault.put_episodes(settings.host_secrets.raw("episode"), rows.episodes)


async def _sandbox_images(pack: Pack, episodes: Iterable[dict[str, Any]]) -> dict[str, list[str]]:
    """The digests behind every image that an episode names: the pack's own, or else what this machine has."""
    names = {name for side in episodes if (name := registry.image(side["environment"], side["spec"]))}
    known = pack.benchmark.sandbox_images
    named = {name: list(known[name]) for name in sorted(names & known.keys())}
    found = await pins.recorded(sorted(names - set(named)))
    if missing := sorted(name for name, digests in found.items() if not digests):
        raise NoImageError(f"{', '.join(missing)}: build it with 'make images', or name it under [sandbox_images]")
    return named | found
