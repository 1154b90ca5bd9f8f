"""Sign-in against a certified provider: the whole flow, and what is refused."""

from urllib.parse import parse_qs, urlsplit

import pytest

from tests.support.oidc.real import RealProvider
from tests.support.service import Service
from tests.support.sql import sql
from tests.support.visitor import ORIGIN, Visitor

# The first of these tests may install the provider.
pytestmark = pytest.mark.timeout(600)
BACK = f"{ORIGIN}/login/callback/real"


async def _there(visitor: Visitor, following: str = "%2Faccount%2Fkeys") -> str:
    response = await visitor.get(f"/login/start/real?next={following}")
    assert response.status_code == 303
    return response.headers["location"]


async def test_a_stranger_becomes_a_user_and_comes_back_as_the_same(honest: Service, real: RealProvider) -> None:
    ids = []
    for _ in range(2):
        visitor = Visitor.of(honest)
        back = await real.approve(await _there(visitor), "ada", BACK)
        entered = await visitor.get(back)
        assert (entered.status_code, entered.headers["location"]) == (303, "/account/keys")
        page = await visitor.get("/account")
        assert page.status_code == 200
        assert "ada@example.org" in visitor.page
        async with honest.admin.session() as session:
            rows = (await sql(session, "select id, email, name from account")).all()
            ids.append([(str(row.id), row.email, row.name) for row in rows])
    assert ids[0] == ids[1]
    assert len(ids[0]) == 1


async def test_the_request_carries_s256_state_and_nonce(honest: Service) -> None:
    asked = parse_qs(urlsplit(await _there(Visitor.of(honest))).query)
    assert asked["code_challenge_method"] == ["S256"]
    assert asked["response_type"] == ["code"]
    assert asked["redirect_uri"] == [BACK]
    assert min(len(asked[name][0]) for name in ("state", "nonce", "code_challenge")) >= 20


async def test_a_code_serves_once_whatever_the_browser_kept(honest: Service, real: RealProvider) -> None:
    visitor = Visitor.of(honest)
    there = await _there(visitor)
    pending = visitor.client.cookies.get("heldout_pending")
    back = await real.approve(there, "ada", BACK)
    assert (await visitor.get(back)).status_code == 303
    again = Visitor.of(honest)
    assert (await again.get(back)).status_code == 400, "a browser that began no sign-in"
    assert (await visitor.get(back)).status_code == 400, "what was kept for the sign-in is gone"
    again.client.cookies.set("heldout_pending", pending or "", domain="127.0.0.1")
    refused = await again.get(back)
    assert refused.status_code == 400, "the provider refuses a code that was used"
    assert again.session() is None


async def test_a_verifier_of_another_browser_is_refused(honest: Service, real: RealProvider) -> None:
    """A code that somebody stole is worth nothing without the verifier: PKCE."""
    victim, thief = Visitor.of(honest), Visitor.of(honest)
    back = await real.approve(await _there(victim), "ada", BACK)
    own = parse_qs(urlsplit(await _there(thief)).query)["state"][0]
    code = parse_qs(urlsplit(back).query)["code"][0]
    stolen = await thief.get(f"{BACK}?code={code}&state={own}&iss={real.issuer}")
    assert stolen.status_code == 400
    assert thief.session() is None


async def test_an_address_that_is_not_verified_opens_nothing(honest: Service, real: RealProvider) -> None:
    await honest.key("unverified-ada@example.org")
    visitor = Visitor.of(honest)
    refused = await visitor.get(await real.approve(await _there(visitor), "unverified-ada", BACK))
    assert refused.status_code == 403
    assert visitor.session() is None
    async with honest.admin.session() as session:
        assert (await sql(session, "select count(*) from identity")).scalar_one() == 0


async def test_a_declined_sign_in_is_told(honest: Service) -> None:
    visitor = Visitor.of(honest)
    state = parse_qs(urlsplit(await _there(visitor)).query)["state"][0]
    response = await visitor.get(f"{BACK}?error=access_denied&error_description=%3Cb%3Eno%3C/b%3E&state={state}")
    assert response.status_code == 400
    assert "<b>no" not in visitor.page
