"""Findings 8, 9, 14, 15 and 16 of the review: limits belong to organisations and people, not to keys and addresses."""

import asyncio
from collections.abc import AsyncIterator

import httpx2
import pytest
from limits import parse
from pydantic import ValidationError
from starlette.requests import HTTPConnection

from api.accounts.models import Scope
from api.accounts.service import KEYS_AT_MOST, AccountService
from api.core import ratelimit
from api.core.client_address import client_address, throttled_address
from api.core.db import Database, Role
from api.core.settings import Settings
from api.hosting.server import Host
from tests.support.listening import listening
from tests.support.service import Caller, Service, choice_pack
from tests.support.sessions import Player, echo_pack
from tests.support.sql import sql
from tests.support.visitor import Visitor, enter

PROBLEMS = "/v1/benchmarks/quiz/problems"


@pytest.fixture
async def limited(settings: Settings) -> AsyncIterator[Service]:
    async with Service.running(settings.model_copy(update={"rate_limits_enabled": True})) as service:
        yield service


async def _more_keys(caller: Caller, count: int) -> list[Caller]:
    body = {"name": "more", "scopes": ["problems:read", "submissions:write"]}
    made = [(await caller.post("/v1/keys", json=body)).raise_for_status().json()["key"] for _ in range(count)]
    return [Caller(caller.client, key) for key in made]


async def test_finding_8_keys_of_one_organisation_share_its_daily_budget(service: Service) -> None:
    await service.publish(choice_pack(count=60, hidden={"problems_per_day": 40}))
    ada = await service.reader()
    eve = await service.reader("eve@example.org", "lab")
    callers = [ada, eve, *await _more_keys(ada, 2)]

    async def ask(caller: Caller) -> int:
        query = {"split": "test", "limit": 10}
        return (await caller.get(PROBLEMS, params=query)).status_code

    codes = await asyncio.gather(*(ask(caller) for caller in callers for _ in range(3)))
    assert sorted(codes) == [200] * 4 + [429] * 8
    other = await service.reader("olga@example.org", "other")
    assert await ask(other) == 200, "others have a budget of their own"
    async with service.admin.session() as session:
        served = "select count(*) from exposure e join organisation o on o.id = e.organisation_id where o.slug = 'lab'"
        assert (await sql(session, served)).scalar_one() == 40


async def test_the_web_role_counts_within_the_splits_budget_and_gives_back_what_was_counted(
    service: Service, settings: Settings
) -> None:
    """Whatever it asks for: the limit is the split's; an opening that the ledger does not know gives nothing back."""
    await service.publish(choice_pack(count=60, hidden={"problems_per_day": 40}))
    ada = await service.reader()
    (await ada.get(PROBLEMS, params={"split": "test", "limit": 10})).raise_for_status()
    web = Database.of(settings, Role.WEB)
    serve = """select record_served(key_id, r.split_id, array(select p.id from problem p where p.split_id = r.split_id
                 limit cast(:n as integer)), array_fill(cast('' as text), array[:n]), '', '', null, null)
               from key_reading r"""
    async with web.session() as session:
        assert (await sql(session, serve, {"n": 31})).all() == []
        assert (await sql(session, serve, {"n": 30})).scalar_one() == 40
    forged = """insert into live_session (id, problem_id, split_id, organisation_id, key_id, origin, state, seed,
                  variant, steps, step_limit, seconds, created_at, active_at, epoch, takeovers, faults, failure)
                select gen_random_uuid(), problem_id, split_id, organisation_id, key_id, 'live', 'opening', 0,
                  '', 0, 1, 1, now(), now(), 0, 0, 0, '' from exposure limit 1 returning id"""
    async with web.session() as session:
        made = (await sql(session, forged)).scalar_one()
        assert (await sql(session, "select fail_opening(:id, 'x')", {"id": made})).scalar_one()
        assert not (await sql(session, "select fail_opening(:id, 'x')", {"id": made})).scalar_one()
        assert (await sql(session, "select used from daily_budget")).scalar_one() == 40
    await web.close()


async def test_finding_8_keys_of_one_organisation_share_its_rate(
    limited: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    await limited.publish(choice_pack())
    ada = await limited.reader()
    (second,) = await _more_keys(ada, 1)
    spent = parse(ratelimit.RATES["read"])
    assert (await ada.get("/v1/submissions")).status_code == 200
    remaining = int((await second.get("/v1/submissions")).headers["RateLimit"].partition("r=")[2].partition(";")[0])
    assert remaining == spent.amount - 2
    other = await limited.reader("olga@example.org", "other")
    fresh = (await other.get("/v1/submissions")).headers["RateLimit"]
    assert f"r={spent.amount - 1};" in fresh


async def test_finding_8_an_account_has_so_many_keys_and_no_more(service: Service) -> None:
    ada = await service.reader()
    async with service.admin.session() as session:
        row = (await sql(session, "select user_id, organisation_id from api_key")).one()
        accounts = AccountService(session, service.settings.secrets.raw("pepper"))
        for _ in range(KEYS_AT_MOST - 3):
            await accounts.create_key(row.user_id, row.organisation_id, "k", [Scope.PROBLEMS_READ])
    body = {"name": "more", "scopes": ["problems:read"]}
    done = await asyncio.gather(*(ada.post("/v1/keys", json=body) for _ in range(8)))
    assert sorted(response.status_code for response in done) == [201] * 2 + [403] * 6
    assert {response.json().get("code") for response in done if response.status_code == 403} == {"too_many_keys"}
    made = next(response.json()["id"] for response in done if response.status_code == 201)
    assert (await ada.call("DELETE", f"/v1/keys/{made}")).status_code == 204
    assert (await ada.post("/v1/keys", json=body)).status_code == 201


def _connection(peer: str | None, *lines: str, trusted: str = "") -> HTTPConnection:
    class App:
        class state:  # noqa: N801 - as Starlette names it
            settings = Settings.model_validate({"trusted_proxies": trusted})

    headers = [(b"x-forwarded-for", line.encode()) for line in lines]
    scope = {"type": "http", "headers": headers, "client": (peer, 1) if peer else None, "app": App}
    return HTTPConnection(scope)


@pytest.mark.parametrize(
    ("peer", "lines", "trusted", "address"),
    [
        ("127.0.0.1", ["10.9.3.199"], "", "127.0.0.1"),
        ("::1", ["10.9.3.199"], "", "::1"),
        ("203.0.113.9", ["10.9.3.199"], "127.0.0.1", "203.0.113.9"),
        ("127.0.0.1", ["10.9.3.199, 198.51.100.7"], "127.0.0.1", "198.51.100.7"),
        ("127.0.0.1", ["10.9.3.199", "198.51.100.7"], "127.0.0.1", "198.51.100.7"),
        ("10.0.0.1", ["198.51.100.7, 10.0.0.2"], "10.0.0.0/8", "198.51.100.7"),
        ("10.0.0.1", ["10.0.0.2, 10.0.0.3"], "10.0.0.0/8", "10.0.0.2"),
        ("10.0.0.1", ["198.51.100.7, nonsense, 10.0.0.3"], "10.0.0.0/8", "10.0.0.3"),
        ("10.0.0.1", ["198.51.100.7:4711"], "10.0.0.1", "198.51.100.7"),
        ("10.0.0.1", ["[2001:db8::7]:4711"], "10.0.0.1", "2001:db8::7"),
        ("::ffff:10.0.0.1", ["2001:db8::7"], "10.0.0.1", "2001:db8::7"),
        ("10.0.0.1", [], "10.0.0.1", "10.0.0.1"),
        ("10.0.0.1", ["x" * 5000], "10.0.0.1", "10.0.0.1"),
        (None, ["198.51.100.7"], "127.0.0.1", "unknown"),
    ],
)
def test_finding_9_only_named_proxies_say_whose_request_it_is(
    peer: str | None, lines: list[str], trusted: str, address: str
) -> None:
    assert client_address(_connection(peer, *lines, trusted=trusted)) == address


def test_finding_9_nobody_is_trusted_by_default_and_everybody_never() -> None:
    assert Settings().trusted_proxies == ()
    for text in ("*", "everybody", "10.0.0.0/33"):
        with pytest.raises(ValidationError):
            Settings.model_validate({"trusted_proxies": text})


def test_finding_9_an_ipv6_subscriber_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    assert throttled_address("2001:db8:0:7::1") == throttled_address("2001:db8:0:7:ffff::2") == "2001:db8:0:7::/64"
    assert throttled_address("2001:db8:0:8::1") != throttled_address("2001:db8:0:7::1")
    assert (throttled_address("198.51.100.7"), throttled_address("unknown")) == ("198.51.100.7", "unknown")
    monkeypatch.setenv("HELDOUT_TRUSTED_PROXIES", "127.0.0.1, 10.0.0.0/8")
    assert [str(network) for network in Settings().trusted_proxies] == ["127.0.0.1/32", "10.0.0.0/8"]


async def test_finding_9_what_a_client_claims_is_not_in_the_ledger(service: Service) -> None:
    """Over a socket, since it was the server that believed loopback, before any of our code ran."""
    await service.publish(choice_pack())
    ada = await service.reader()
    headers = {"Authorization": f"Bearer {ada.key}", "X-Forwarded-For": "10.9.3.199", "X-Forwarded-Proto": "https"}
    async with listening(service.app) as port, httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}") as client:
        assert (await client.get(PROBLEMS, params={"split": "test"}, headers=headers)).status_code == 200
    async with service.admin.session() as session:
        assert (await sql(session, "select distinct address from exposure")).scalars().all() == ["127.0.0.1"]


async def _organisation(visitor: Visitor, slug: str, name: str) -> httpx2.Response:
    return await visitor.fill("/account", "/account/organisations", {"slug": slug, "name": name})


async def test_finding_15_no_organisation_looks_like_another(service: Service) -> None:
    ada, eve = await enter(service, "ada@example.org"), await enter(service, "eve@example.org")
    assert (await _organisation(ada, "org20", "Organisation Twenty")).status_code == 303
    for slug, name in (
        ("not-org20", "org20"),
        ("not-org20", "0rg-2O"),
        ("not-org20", "Organisation  twenty!"),
        ("organisationtwenty", "Something else"),
        ("org-20", "Something else"),
    ):
        refused = await _organisation(eve, slug, name)
        assert refused.status_code == 409, (slug, name)
        assert "looks the same" in eve.page or "looks the same" in refused.text
    for name in ("Org\u200b21", "Оrg 21", "\u202eorg 21", "---"):
        assert (await _organisation(eve, "org21", name)).status_code == 422, name
    assert (await _organisation(eve, "org21", "Organisation Twenty-one")).status_code == 303
    done = await asyncio.gather(*(_organisation(visitor, f"same-{n}", "Same") for n, visitor in enumerate((ada, eve))))
    assert sorted(response.status_code for response in done) == [303, 409]


async def test_finding_15_boards_say_who_is_verified(service: Service) -> None:
    await service.publish(choice_pack())
    for email, slug in (("ada@example.org", "lab"), ("eve@example.org", "other")):
        reader = await service.reader(email, slug)
        problems = await reader.problems("quiz", "dev")
        await reader.submit("quiz", "dev", {problem["id"]: "A" for problem in problems}, model=f"m-{slug}")
    await service.work()
    await service.verify("lab")
    board = "/v1/benchmarks/quiz/leaderboard?split=dev"
    items = (await service.client.get(board)).json()["items"]
    assert {item["organisation"]: item["organisation_verified"] for item in items} == {"lab": True, "other": False}
    assert {item["organisation"]: item["cells"]["organisation_verified"] for item in items} == {
        "lab": True,
        "other": False,
    }
    assert "organisation_verified" in (await service.client.get(board + "&format=csv")).text.partition("\n")[0]
    page = (await service.client.get("/b/quiz?split=dev")).text
    assert page.count("who it says it is") == 1


async def test_finding_16_one_person_takes_part_with_one_unverified_organisation(service: Service) -> None:
    await service.publish(choice_pack(hidden={"submissions_per_organisation": 2}))
    ada = await enter(service, "ada@example.org")
    callers = []
    for number in range(3):
        assert (await _organisation(ada, f"front-{number}x", f"Front number {number}x")).status_code == 303
        callers.append(await service.reader("ada@example.org", f"front-{number}x"))
    query = {"split": "test", "limit": 5}
    done = await asyncio.gather(*(caller.get(PROBLEMS, params=query) for caller in callers for _ in range(3)))
    assert sorted(response.status_code for response in done) == [200] * 3 + [403] * 6
    assert {r.json()["code"] for r in done if r.status_code == 403} == {"another_organisation_takes_part"}
    reading = next(caller for caller, response in zip(callers, done[::3], strict=True) if response.status_code == 200)
    others = [caller for caller in callers if caller is not reading]
    empty = {"benchmark": "quiz", "split": "test", "model": {"name": "m"}}
    assert (await reading.post("/v1/submissions", json=empty)).status_code == 202
    assert (await others[0].post("/v1/submissions", json=empty)).status_code == 403
    dev = await others[0].get(PROBLEMS, params={"split": "dev"})
    assert dev.status_code == 200, "what is public is nobody's secret"
    slug = (await others[0].get("/v1/me")).json()["organisation"]
    await service.verify(slug)
    assert (await others[0].get(PROBLEMS, params=query)).status_code == 200
    assert (await others[1].get(PROBLEMS, params=query)).status_code == 403
    async with service.admin.session() as session:
        served = "select count(distinct organisation_id) from exposure e join split s on s.id = e.split_id"
        assert (await sql(session, served + " where s.name = 'test'")).scalar_one() == 2


async def test_finding_16_a_member_of_several_unverified_organisations_takes_part_with_one(service: Service) -> None:
    await service.publish(choice_pack())
    callers = []
    for name in ("ada", "bob"):
        maker = await enter(service, f"{name}@example.org")
        assert (await _organisation(maker, f"front-{name}", f"Front of {name}")).status_code == 303
        callers.append(await service.reader("mia@example.org", f"front-{name}"))
    query = {"split": "test", "limit": 5}
    assert (await callers[0].get(PROBLEMS, params=query)).status_code == 200
    refused = await callers[1].get(PROBLEMS, params=query)
    assert (refused.status_code, refused.json()["code"]) == (403, "another_organisation_takes_part")
    bob = await service.reader("bob@example.org", "front-bob")
    assert (await bob.get(PROBLEMS, params=query)).status_code == 200, "who made it is not in the other one"


async def test_finding_16_unverified_organisations_of_one_account_share_its_rate(limited: Service) -> None:
    await limited.publish(choice_pack())
    ada = await enter(limited, "ada@example.org")
    left = []
    for number in range(2):
        assert (await _organisation(ada, f"front-{number}x", f"Front number {number}x")).status_code == 303
        caller = await limited.reader("ada@example.org", f"front-{number}x")
        left.append((await caller.get("/v1/submissions")).headers["RateLimit"].partition("r=")[2].partition(";")[0])
    assert int(left[1]) == int(left[0]) - 1


async def test_finding_14_no_seed_is_served(settings: Settings, service: Service) -> None:
    await service.publish(echo_pack())
    player = Player(await service.reader())
    async with Host.running(settings):
        opened = await player.opened((await player.episodes())[0])
        shown = (await player.caller.get(f"/v1/sessions/{opened['id']}")).text
    async with service.admin.session() as session:
        seed = (await sql(session, "select seed from live_session")).scalar_one()
    assert "seed" not in opened
    assert "seed" not in shown
    assert str(seed) not in shown
