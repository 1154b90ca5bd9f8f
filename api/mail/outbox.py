"""Letters on their way: sealed for the worker in the queue's jobs, so that no link and no address lies open there."""

from base64 import b64encode
from dataclasses import dataclass
from uuid import UUID

from pydantic import TypeAdapter

from api.core import queue
from api.core.crypto import IntakeSeal, unseal_intake
from api.core.db import AsyncSession
from api.core.ids import new_id, public_id
from api.core.query import Query
from api.core.settings import Settings
from api.mail import letters
from api.mail.letters import Letter

_LETTER = TypeAdapter(Letter)
_PUBLIC = Query(bytes, "The public key under which letters are sealed.", "select public from intake_key")


@dataclass(frozen=True)
class EndedRun:
    """A run whose submitter wants to be told of its end."""

    email: str
    model: str
    benchmark: str
    split: str


@dataclass(frozen=True)
class DecidedAccess:
    """Whoever signed an agreement, and what was decided."""

    email: str
    benchmark: str
    slug: str
    state: str
    reason: str


@dataclass(frozen=True)
class AskedAccess:
    """An owner of a benchmark that an organisation asks for."""

    email: str
    benchmark: str
    organisation: str


_ENDED = Query(
    EndedRun,
    "Who submitted a run, if they want to be told of its end.",
    """select a.email, u.model->>'name' as model, r.title as benchmark, s.name as split
       from submission u join account a on a.id = u.user_id and a.run_letters and a.email is not null
       join release r on r.id = u.release_id join split s on s.id = u.split_id where u.id = :id""",
)
_DECIDED = Query(
    DecidedAccess,
    "Who signed an agreement, and what was decided on it.",
    """select u.email, r.title as benchmark, b.slug, a.state, a.reason
       from agreement_acceptance a join account u on u.id = a.user_id and u.email is not null
       join release r on r.id = a.release_id join benchmark b on b.id = r.benchmark_id where a.id = :id""",
)
_ASKED = Query(
    AskedAccess,
    "The owners of a benchmark that an organisation waits for, as long as it does.",
    """select u.email, r.title as benchmark, o.name as organisation
       from benchmark b join release r on r.benchmark_id = b.id and r.version = :version
       join agreement_acceptance a on a.release_id = r.id and a.organisation_id = :organisation
         and a.state = 'requested'
       join organisation o on o.id = a.organisation_id
       join membership m on m.organisation_id = b.organisation_id and m.role = 'owner'
       join account u on u.id = m.user_id and u.email is not null
       where b.slug = :slug order by u.email limit 20""",
)


@dataclass(frozen=True)
class Outbox:
    """Queues letters in the session's transaction; without a mail server it queues none."""

    session: AsyncSession
    settings: Settings

    async def post(self, letter: Letter) -> None:
        """Have a letter sent once the transaction is committed."""
        if not self.settings.smtp_host:
            return
        letter_id = new_id()
        seal = IntakeSeal(await self.session.fetch_one(_PUBLIC))
        sealed = seal.seal(_LETTER.dump_json(letter), _binding(letter_id))
        arguments = {"letter": str(letter_id), "sealed": b64encode(sealed).decode()}
        await queue.defer(self.session, queue.SEND_LETTER, arguments, queue=queue.MAIL)

    async def invited(self, email: str | None, organisation: str, link: str, days: int) -> None:
        """Send an invitation to the address that it is for, if it is for one."""
        if email:
            await self.post(letters.invitation(email, organisation, link, days))

    async def access_decided(self, acceptance_id: UUID) -> None:
        """Tell an applicant what was decided."""
        if self.settings.smtp_host and (row := await self.session.fetch_optional(_DECIDED, id=acceptance_id)):
            address = f"{self.settings.base_url}/b/{row.slug}"
            await self.post(letters.access_decided(row.email, row.benchmark, row.state, row.reason, address))

    async def access_asked(self, slug: str, version: str, organisation_id: UUID) -> None:
        """Tell the owners of a benchmark that an organisation waits for their decision, if it does."""
        if not self.settings.smtp_host:
            return
        for row in await self.session.fetch_all(_ASKED, slug=slug, version=version, organisation=organisation_id):
            address = f"{self.settings.base_url}/b/{slug}/access"
            await self.post(letters.access_asked(row.email, row.benchmark, row.organisation, address))

    async def run_ended(self, submission_id: UUID) -> None:
        """Tell whoever submitted a run of its end, if they want to be told."""
        if self.settings.smtp_host and (row := await self.session.fetch_optional(_ENDED, id=submission_id)):
            address = f"{self.settings.base_url}/s/{public_id('sub', submission_id)}"
            await self.post(letters.run_ended(row.email, row.model, row.benchmark, row.split, address))


def opened(key: bytes, letter_id: UUID, sealed: bytes) -> Letter:
    """A queued letter, with the vault's key. Raises SealError."""
    return _LETTER.validate_json(unseal_intake(key, sealed, _binding(letter_id)))


def _binding(letter_id: UUID) -> str:
    return f"letter:{letter_id}:1"
