"""The answer key of a benchmark: what somebody who knows everything would answer. For baselines and demonstrations."""

from uuid import UUID

from api.admission.baselines import SolvedProblem
from api.catalog.repository import CatalogRepository
from api.core.crypto import Aliases
from api.core.db import AsyncSession
from api.core.marking import fingerprints
from api.core.settings import Settings
from api.vault.repository import VaultRepository
from api.vault.secret import SecretSide
from grading.reference import Reference
from grading.registry import needs_of, parse_reference


async def answer_key(
    session: AsyncSession, settings: Settings, slug: str, organisation_id: UUID
) -> dict[str, SolvedProblem]:
    """Every problem of a benchmark's current release by the pack's own id. Needs the rights of the owner."""
    aliases = Aliases(settings.secrets.raw("alias"))
    marks = fingerprints(settings)
    catalog = CatalogRepository(session)
    current = await catalog.current(slug)
    if current is None:
        return {}
    _, release = current
    splits = {split.id: split.name for split in await catalog.splits(release.id)}
    secrets = await VaultRepository(session, settings.vault_secrets.raw("vault")).of_release(release.id)
    key = {}
    for row in await catalog.problems(release.id):
        shown = marks.shown(organisation_id, row)
        secret = secrets[row.id]
        side = secret.side(shown.variant)
        reference = parse_reference(side.reference)
        key[row.name] = SolvedProblem(
            name=row.name,
            alias=aliases.encode(organisation_id, row.id),
            split=splits[row.split_id],
            type=row.type,
            statement=shown.statement,
            choices=shown.choices,
            gold=_gold(side, reference),
            people="people" in needs_of(reference),
            episode=row.episode,
            oracle=secret.oracle,
        )
    return key


def _gold(side: SecretSide, reference: Reference) -> str:
    """The gold as a participant would write it: the stated one, else the reference's, else the solution."""
    stated = side.gold if side.gold is not None else reference.gold_text()
    return stated if stated is not None else side.solution
