"""Who may read who was served what: owners of the benchmark, as long as they are, and nobody else."""

import pytest

from api.accounts.models import MemberRole, Scope
from api.accounts.organisation_service import OrganisationService
from api.accounts.repository import AccountRepository
from tests.support.service import READER, Caller, Service, choice_pack
from tests.support.visitor import enter

OWNERS = [scope for scope in Scope if scope is not Scope.ADMIN]
PATHS = ("ledger", "ledger?format=csv", "ledger/check", "scraping", "access", "access?format=csv")
PAGES = ("exposure", "exposure?chain=true", "exposure.csv", "access", "access.csv")
# What would link a reader to others: addresses, names of keys, members, who else reads.
TELLING = ("lab", "other", "ada@", "eve@", "127.0.0.1", "testclient")


async def _served(service: Service) -> Caller:
    for slug in ("quiz", "second"):
        await service.publish(choice_pack(slug, hidden={"feedback": "sealed", "chance_level": 0.25}))
    await (await service.reader()).problems("quiz", "test")
    await (await service.reader("eve@example.org", "other")).problems("quiz", "test")
    return await service.reader("rita@example.org", "owners", scopes=OWNERS, role=MemberRole.OWNER)


async def _status(caller: Caller) -> set[int]:
    replies = [await caller.get(f"/v1/benchmarks/quiz/{path}") for path in PATHS]
    for reply in replies:
        assert reply.status_code == 200 or not any(word in reply.text for word in TELLING)
    return {reply.status_code for reply in replies}


async def _pages(service: Service, email: str, organisation: str) -> set[int]:
    member = await enter(service, email, organisation)
    replies = [await member.get(f"/b/quiz/{path}") for path in PAGES]
    for reply in replies:
        assert reply.status_code == 200 or not any(word in reply.text for word in ("eve@", "127.0.0.1", "testclient"))
    return {reply.status_code for reply in replies}


async def test_owners_read_and_nobody_else_does(service: Service) -> None:
    owner = await _served(service)
    assert await _status(owner) == {200}
    member = await service.reader("mia@example.org", "owners", scopes=[*READER, Scope.REVIEWS_WRITE])
    (await owner.call("PUT", "/v1/benchmarks/quiz/reviewers/rob@example.org")).raise_for_status()
    reviewer = await service.reader("rob@example.org", "homes", scopes=[*READER, Scope.REVIEWS_WRITE])
    other = await service.reader("zoe@example.org", "another", scopes=OWNERS, role=MemberRole.OWNER)
    for caller in (member, reviewer, other, await service.reader()):
        assert await _status(caller) <= {403, 404}
    assert await _pages(service, "rita@example.org", "owners") == {200}
    for email, organisation in (("mia", "owners"), ("rob", "homes"), ("zoe", "another"), ("ada", "lab")):
        assert await _pages(service, f"{email}@example.org", organisation) <= {403, 404}


@pytest.mark.parametrize("leaves", [False, True])
async def test_who_is_an_owner_no_more_reads_no_more(service: Service, leaves: bool) -> None:
    owner = await _served(service)
    assert await _status(owner) == {200}
    await service.reader("pia@example.org", "owners", role=MemberRole.OWNER)
    async with service.admin.session() as session:
        organisations, accounts = OrganisationService(session, b""), AccountRepository(session)
        organisation, user = (
            await accounts.organisation_by_slug("owners"),
            await accounts.user_by_email("rita@example.org"),
        )
        assert organisation
        assert user
        if leaves:
            await organisations.remove(organisation, user.id)
        else:
            await organisations.set_role(organisation, user.id, MemberRole.MEMBER)
    assert await _status(owner) == {401}
