"""A pack becomes a release, in one transaction."""

import hashlib
import mimetypes
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any
from uuid import UUID

from api.accounts.models import MemberRole, User
from api.accounts.service import AccountService
from api.catalog.models import AssetRow, BenchmarkRow, NgramFilterRow, ProblemRow, ReleaseRow, SplitRow
from api.catalog.repository import CatalogRepository
from api.core.db import AsyncSession
from api.core.errors import ConflictError
from api.core.ids import new_id
from api.core.settings import Settings
from api.vault.repository import VaultRepository
from api.worker.ngram_filter import ngram_filter
from envs import registry
from envs.sandbox import pins
from grading.kinds.rubric import RubricReference
from grading.reference import Reference, walk
from grading.registry import needs_of, parse_reference
from packs.benchmark import Visibility
from packs.pack import Pack
from packs.problem import Problem, ReferenceLine
from packs.variation.variants import VariantSet, build


class ReleaseExistsError(ConflictError):
    code = "release_exists"
    title = "This version is published with other content"


class NotOwnerError(ConflictError):
    code = "benchmark_owned"
    title = "Another organisation owns this benchmark"


class NoImageError(ConflictError):
    code = "sandbox_image_missing"
    title = "A sandbox image that the pack names is not on this machine"


class DraftRubricError(ConflictError):
    code = "draft_rubric"
    title = "A rubric is a draft that nobody has checked"


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
    gate: dict[str, Any] | None = None,
) -> Imported:
    """Publish a pack as a release of its benchmark. Raises ReleaseExistsError, NotOwnerError,
    DraftRubricError, NoImageError; then nothing changed.

    `gate` is the public summary of the admission check's report, which a release of the same content gets later, too.
    """
    accounts = AccountService(session, settings.secrets.raw("pepper"))
    organisation = await accounts.ensure_organisation(pack.benchmark.owner)
    if owner:
        await accounts.ensure_member(owner, organisation, MemberRole.OWNER)
    catalog = CatalogRepository(session)
    benchmark = await catalog.benchmark(pack.benchmark.slug)
    if benchmark is None:
        benchmark = BenchmarkRow(slug=pack.benchmark.slug, organisation_id=organisation.id)
        await catalog.add(benchmark)
    elif benchmark.organisation_id != organisation.id:
        raise NotOwnerError(f"'{pack.benchmark.slug}' does not belong to '{pack.benchmark.owner}'; choose another slug")
    done = Imported(pack.benchmark.slug, pack.benchmark.version, len(pack.problems), fresh=False)
    earlier = await catalog.release_by_version(benchmark.id, pack.benchmark.version)
    if earlier:
        if earlier.digest != pack.digest:
            raise ReleaseExistsError("releases never change; raise 'version' in benchmark.toml")
        if gate is not None:
            earlier.gate = gate
            await catalog.add(earlier)
        return done
    release = _release(pack, benchmark.id)
    release.gate = gate
    await catalog.add(release)
    fingerprint = settings.secrets.raw("fingerprint")
    await catalog.add(*_ngram_filter(pack, release, fingerprint))
    secrets = await _problems(catalog, pack, release.id, fingerprint)
    vault = VaultRepository(session, settings.vault_secrets.raw("vault"))
    await vault.put(release.id, secrets)
    episodes = {
        problem: [side["episode"] for side in secret.get("variants", [secret])]
        for problem, secret in secrets.items()
        if secret["episode"]
    }
    await vault.put_episodes(settings.host_secrets.raw("episode"), episodes)
    release.sandbox_images = await _sandbox_images(pack, chain.from_iterable(episodes.values()))
    benchmark.release_id = release.id
    await catalog.add(release, benchmark)
    return Imported(done.slug, done.version, done.problems, fresh=True)


def _release(pack: Pack, benchmark_id: UUID) -> ReleaseRow:
    head = pack.benchmark
    agreement = head.agreement.model_dump(mode="json") if head.agreement else None
    return ReleaseRow(
        benchmark_id=benchmark_id,
        version=head.version,
        title=head.title,
        licence=head.licence,
        summary=head.summary,
        card=head.card,
        canary=head.canary,
        source=head.source,
        scoring=head.scoring.model_dump(mode="json"),
        agreement=agreement,
        digest=pack.digest,
        agreement_digest=hashlib.sha256(head.agreement.text.encode()).hexdigest() if head.agreement else None,
    )


async def _sandbox_images(pack: Pack, episodes: Iterable[dict[str, Any]]) -> dict[str, list[str]]:
    """The digests behind every image that an episode names: the pack's own, or else what this machine has."""
    names = {name for form in episodes if (name := registry.image(form["environment"], form["spec"]))}
    known = pack.benchmark.sandbox_images
    told = {name: list(known[name]) for name in sorted(names & known.keys())}
    found = await pins.recorded(sorted(names - set(told)))
    if missing := sorted(name for name, digests in found.items() if not digests):
        raise NoImageError(f"{', '.join(missing)}: build it with 'make images', or name it under [sandbox_images]")
    return told | found


def _ngram_filter(pack: Pack, release: ReleaseRow, secret: bytes) -> list[NgramFilterRow]:
    hidden = {name for name, config in pack.benchmark.splits.items() if config.visibility is not Visibility.DEV}
    pairs = [(problem, pack.reference_by_id[problem.id]) for problem in pack.problems if problem.split in hidden]
    if not pairs:
        return []
    made = ngram_filter(pairs, secret, f"{pack.benchmark.slug} {pack.benchmark.version}")
    return [NgramFilterRow(release_id=release.id, document=made.model_dump(mode="json"))]


async def _problems(catalog: CatalogRepository, pack: Pack, release_id: UUID, key: bytes) -> dict[UUID, dict[str, Any]]:
    references = {line.id: line for line in pack.references}
    secrets: dict[UUID, dict[str, Any]] = {}
    for name, config in pack.benchmark.splits.items():
        mine = [
            (problem, build(problem, references[problem.id], key)) for problem in pack.problems if problem.split == name
        ]
        # All variants of a problem take the same.
        parsed = {problem.id: parse_reference(made.variants[0].reference) for problem, made in mine}
        _refuse_drafts(parsed)
        split = SplitRow(
            release_id=release_id,
            name=name,
            visibility=config.visibility.value,
            feedback=config.feedback.value,
            config=config.model_dump(mode="json"),
            problem_count=len(mine),
            people=any("people" in needs_of(reference) for reference in parsed.values()),
        )
        await catalog.add(split)
        dev = config.visibility is Visibility.DEV
        rows: list[ProblemRow] = []
        for position, (problem, made) in enumerate(mine, start=1):
            rows.append(_problem(problem, made, split, position, dev=dev))
            secrets[rows[-1].id] = _secret(references[problem.id], made)
        await catalog.add(*rows)
    await catalog.add(
        *(
            AssetRow(
                release_id=release_id,
                path=path,
                content=file.read_bytes(),
                media_type=mimetypes.guess_type(path)[0] or "application/octet-stream",
            )
            for path, file in pack.assets.items()
        )
    )
    return secrets


def _refuse_drafts(references: Mapping[str, Reference]) -> None:
    drafts = [
        name
        for name, reference in references.items()
        if any(isinstance(inner, RubricReference) and inner.draft for inner in walk(reference))
    ]
    if drafts:
        raise DraftRubricError(f"{', '.join(drafts[:20])}: read them and say 'heldout-server rubrics approve'")


def _problem(problem: Problem, made: VariantSet, split: SplitRow, position: int, *, dev: bool) -> ProblemRow:
    # Dev splits show their gold, so all see the same variant; on hidden ones the pack's own form is never shown.
    first = made.variants[0]
    shown = [
        {"statement": v.statement, "choices": [choice.model_dump() for choice in v.choices]} for v in made.variants
    ]
    return ProblemRow(
        id=new_id(),
        release_id=split.release_id,
        split_id=split.id,
        position=position,
        name=problem.id,
        type=problem.type,
        subject=problem.subject,
        statement=first.statement,
        choices=[choice.model_dump() for choice in first.choices],
        answer_format=problem.answer_format,
        images=[image.model_dump() for image in problem.images],
        sibling_group=problem.group,
        source=problem.source,
        episode=problem.episode,
        variation={"variants": shown} if made.bits and not dev else None,
        gold=first.gold if dev else None,
        solution=first.solution if dev else None,
    )


def _secret(line: ReferenceLine, made: VariantSet) -> dict[str, Any]:
    """What the vault keeps: the line with the first variant's secret side, and the secret sides of all variants."""
    secret = line.model_dump(mode="json", by_alias=True)
    if line.variation is None:
        return secret
    sides = [
        {"reference": v.reference, "gold": v.gold, "solution": v.solution, "episode": v.episode} for v in made.variants
    ]
    return secret | sides[0] | {"variants": sides, "answer_bits": made.answer_bits}
