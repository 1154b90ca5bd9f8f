"""Providers that lie and browsers that were tricked: nobody gets a session, nobody's account is linked."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

from joserfc.jwk import RSAKey

from tests.support.oidc.fake import FakeProvider
from tests.support.service import Service
from tests.support.sql import sql
from tests.support.visitor import ORIGIN, Visitor, enter

FAKE, GITHUB = f"{ORIGIN}/login/callback/fake", f"{ORIGIN}/login/callback/github"


async def _back(visitor: Visitor, fake: FakeProvider, name: str = "fake", **more: str) -> str:
    response = await visitor.get(f"/login/start/{name}")
    return fake.authorized(response.headers["location"], f"{ORIGIN}/login/callback/{name}", **more)


async def _users(service: Service) -> list[tuple[str | None, int]]:
    async with service.admin.session() as session:
        rows = await sql(
            session,
            """select u.email, count(i.id) as identities from account u left join identity i on i.user_id = u.id
               group by u.id order by u.email""",
        )
        return [(row.email, row.identities) for row in rows.all()]


async def test_an_honest_answer_signs_in(lying: Service, fake: FakeProvider) -> None:
    visitor = Visitor.of(lying)
    assert (await visitor.get(await _back(visitor, fake))).status_code == 303
    assert await _users(lying) == [("ada@example.org", 1)]
    verifier = fake.token_requests[0]["code_verifier"]
    assert len(verifier) >= 43


async def test_an_id_token_for_another_occasion_is_refused(lying: Service, fake: FakeProvider) -> None:
    visitor = Visitor.of(lying)
    lies: list[dict[str, Any]] = [
        {"nonce": "another sign-in's"},
        {"nonce": None},
        {"aud": "somebody-else"},
        {"aud": "somebody-else", "azp": "heldout"},
        {"aud": None},
        {"iss": "https://elsewhere.example"},
        {"iss": None},
        {"exp": 1},
        {"sub": None},
        {"sub": ""},
    ]
    for claims in lies:
        fake.claims = claims
        assert (await visitor.get(await _back(visitor, fake))).status_code == 400, claims
    assert visitor.session() is None
    assert await _users(lying) == []


async def test_a_forged_signature_and_no_signature_are_refused(lying: Service, fake: FakeProvider) -> None:
    visitor = Visitor.of(lying)
    fake.signing_key = RSAKey.generate_key(2048, {"kid": "k"}, private=True)
    assert (await visitor.get(await _back(visitor, fake))).status_code == 400
    fake.token = {"id_token": None}
    assert (await visitor.get(await _back(visitor, fake))).status_code == 400
    # alg "none": {"alg":"none"}.{"sub":"ada"}. without a signature
    fake.token = {"id_token": "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZGEifQ."}
    assert (await visitor.get(await _back(visitor, fake))).status_code == 400
    assert await _users(lying) == []


async def test_wrong_state_wrong_provider_and_mixed_up_issuers_are_refused(lying: Service, fake: FakeProvider) -> None:
    visitor = Visitor.of(lying)
    back = await _back(visitor, fake)
    code = parse_qs(urlsplit(back).query)["code"][0]
    assert (await visitor.get(f"{FAKE}?code={code}&state=made-up")).status_code == 400
    back = await _back(visitor, fake)
    assert (await visitor.get(back.replace(FAKE, GITHUB))).status_code == 400, "another provider's callback"
    back = await _back(visitor, fake, iss="https://elsewhere.example")
    assert (await visitor.get(back)).status_code == 400, "RFC 9207"
    other = Visitor.of(lying)
    back = await _back(visitor, fake)
    assert (await other.get(back)).status_code == 400, "sign-in forced upon another browser"
    assert fake.token_requests == [], "no code was ever tried"
    assert visitor.session() is None


async def test_another_discovery_document_is_refused(lying: Service, fake: FakeProvider) -> None:
    fake.metadata = {"issuer": "https://elsewhere.example"}
    visitor = Visitor.of(lying)
    assert (await visitor.get(await _back(visitor, fake))).status_code == 400


async def test_only_a_verified_address_finds_an_account(lying: Service, fake: FakeProvider) -> None:
    await lying.key("victim@example.org")
    visitor = Visitor.of(lying)
    for verified in (False, None, "true", "false", 1):
        fake.claims = {"sub": "mallory", "email": "victim@example.org", "email_verified": verified}
        assert (await visitor.get(await _back(visitor, fake))).status_code == 403, verified
    assert await _users(lying) == [("victim@example.org", 0)]


async def test_a_verified_address_links_and_look_alikes_do_not(lying: Service, fake: FakeProvider) -> None:
    await lying.key("kim@example.org")
    visitor = Visitor.of(lying)
    fake.claims = {"sub": "kim", "email": "KIM@Example.org"}
    assert (await visitor.get(await _back(visitor, fake))).status_code == 303
    fake.claims = {"sub": "mallory", "email": "\u212aim@example.org"}
    assert (await visitor.get(await _back(visitor, fake))).status_code == 303
    assert sorted(await _users(lying)) == [("kim@example.org", 1), ("\u212aim@example.org", 1)]


async def test_a_known_subject_stays_the_same_user_when_its_address_changes(lying: Service, fake: FakeProvider) -> None:
    await lying.key("victim@example.org")
    visitor = Visitor.of(lying)
    await visitor.get(await _back(visitor, fake))
    fake.claims = {"email": "victim@example.org"}
    assert (await visitor.get(await _back(visitor, fake))).status_code == 303
    await visitor.get("/account")
    assert "ada@example.org" in visitor.page
    assert await _users(lying) == [("ada@example.org", 1), ("victim@example.org", 0)]


async def test_an_address_from_the_userinfo_endpoint_is_taken_for_the_same_subject_alone(
    lying: Service, fake: FakeProvider
) -> None:
    visitor = Visitor.of(lying)
    fake.claims = {"email": None, "email_verified": None}
    fake.userinfo = {"sub": "mallory", "email": "ada@example.org", "email_verified": True}
    assert (await visitor.get(await _back(visitor, fake))).status_code == 400
    fake.userinfo["sub"] = "ada"
    assert (await visitor.get(await _back(visitor, fake))).status_code == 303
    assert await _users(lying) == [("ada@example.org", 1)]


async def test_github_counts_the_primary_verified_address_alone(lying: Service, fake: FakeProvider) -> None:
    await lying.key("victim@example.org")
    visitor = Visitor.of(lying)
    fake.github_emails = [
        {"email": "victim@example.org", "primary": True, "verified": False},
        {"email": "victim@example.org", "primary": False, "verified": True},
    ]
    assert (await visitor.get(await _back(visitor, fake, "github"))).status_code == 403
    fake.github_emails = [{"email": "ada@example.org", "primary": True, "verified": True}]
    assert (await visitor.get(await _back(visitor, fake, "github"))).status_code == 303
    assert await _users(lying) == [("ada@example.org", 1), ("victim@example.org", 0)]
    assert all(len(request["code_verifier"]) >= 43 for request in fake.token_requests)


async def test_strangers_are_turned_away_where_nobody_may_join(lying: Service, fake: FakeProvider) -> None:
    lying.settings.__dict__["login_open"] = False
    visitor = Visitor.of(lying)
    assert (await visitor.get(await _back(visitor, fake))).status_code == 403
    owner = await enter(lying, "olga@example.org", "team")
    await owner.fill("/o/team", "/o/team/invitations", {"email": "Ada@example.org", "role": "member"})
    assert (await visitor.get(await _back(visitor, fake))).status_code == 303


async def test_no_sign_in_ends_elsewhere(lying: Service, fake: FakeProvider) -> None:
    visitor = Visitor.of(lying)
    targets = (
        "https://evil.example/",
        "//evil.example/",
        "/\\evil.example",
        "/\t/evil.example",
        "javascript:alert(1)",
        "\\\\evil.example",
        "/account\r\nSet-Cookie: a=b",
        "http:evil.example",
        "/" + "a" * 990 + "\\",
    )
    for target in targets:
        response = await visitor.client.get("/login/start/fake", params={"next": target})
        back = fake.authorized(response.headers["location"], FAKE)
        assert (await visitor.get(back)).headers["location"] == "/account", target


async def test_a_provider_that_is_down_is_told_as_such(lying: Service, fake: FakeProvider) -> None:
    fake.metadata = {"authorization_endpoint": None}
    visitor = Visitor.of(lying)
    assert (await visitor.get("/login/start/fake")).status_code == 502
    assert (await visitor.get("/login/start/nobody")).status_code == 404
