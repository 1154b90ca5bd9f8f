"""`config check` of the servers that worlds are given, of the service's address and of the proxies before it."""

from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.responses import JSONResponse

from api.core.settings import Settings
from api.operations import machine, servers
from api.operations.check import Check
from envs.knowledge_graph.store import ENDPOINT, ONTOLOGY
from envs.openenv.environment import SERVERS
from tests.support.listening import listening

CLOSED = "http://127.0.0.1:1"  # nobody listens at a port that only root may have


@pytest.fixture(autouse=True)
def nothing_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in (ENDPOINT, ONTOLOGY, SERVERS):
        monkeypatch.delenv(variable, raising=False)


async def checked(monkeypatch: pytest.MonkeyPatch, variable: str, value: str) -> list[Check]:
    monkeypatch.setenv(variable, value)
    return [check async for check in servers.examine()]


def answering(path: str, status: int, content: Any) -> FastAPI:
    app = FastAPI()
    app.add_api_route(path, lambda: JSONResponse(content, status), methods=["GET", "POST"])
    return app


def results(*values: str) -> dict[str, Any]:
    return {"results": {"bindings": [{"x": {"value": value}} for value in values]}}


async def test_what_is_not_set_is_not_tried() -> None:
    assert [check async for check in servers.examine()] == []


@pytest.mark.parametrize(
    ("status", "content", "words"),
    [
        (200, results("m.01"), "answers"),
        (200, results(), "holds nothing"),
        (200, {"head": {}}, "sent no SPARQL results in JSON"),
        (400, results("m.01"), "the endpoint said 400"),
        (401, results("m.01"), "said 401"),
    ],
)
async def test_freebase_is_asked_as_a_session_asks_it(
    monkeypatch: pytest.MonkeyPatch, status: int, content: Any, words: str
) -> None:
    monkeypatch.setenv(ONTOLOGY, "/somewhere")
    async with listening(answering("/sparql", status, content)) as port:
        (found,) = await checked(monkeypatch, ENDPOINT, f"http://me:secret@127.0.0.1:{port}/sparql")
        assert (found.ok, words in found.detail) == (words == "answers", True)
        assert found.ok or ENDPOINT in found.remedy
        assert "secret" not in f"{found}"
        (elsewhere,) = await checked(monkeypatch, ENDPOINT, f"http://127.0.0.1:{port}")
        assert "said 404" in elsewhere.detail


@pytest.mark.parametrize(
    ("address", "words"),
    [
        (f"{CLOSED}/sparql", "cannot be reached: ConnectError"),
        ("freebase:3001/sparql", "cannot be reached: UnsupportedProtocol"),
        ("http://[::1/sparql", "Invalid"),
    ],
)
async def test_freebase_that_is_not_there_is_said(monkeypatch: pytest.MonkeyPatch, address: str, words: str) -> None:
    (alone,) = await checked(monkeypatch, ENDPOINT, address)
    assert (alone.remedy, ONTOLOGY in alone.detail) == ("set both, or neither", True)
    monkeypatch.setenv(ONTOLOGY, "/somewhere")
    (found,) = await checked(monkeypatch, ENDPOINT, address)
    assert (found.ok, address in found.detail, words in found.detail) == (False, True, True)


async def test_freebase_that_is_silent_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(ONTOLOGY, "/somewhere")
    monkeypatch.setattr(servers, "SECONDS", 0.0)
    async with listening(answering("/sparql", 200, results("m.01"))) as port:
        (found,) = await checked(monkeypatch, ENDPOINT, f"http://127.0.0.1:{port}/sparql")
    assert "no answer within 0 seconds" in found.detail


@pytest.mark.parametrize(
    ("status", "content", "words"),
    [
        (200, {"action": {"type": "object"}}, "answers"),
        (200, {"observation": {}}, "/schema describes no action"),
        (200, ["action"], "/schema describes no action"),
        (404, {"action": {}}, "404 Not Found"),
    ],
)
async def test_each_server_of_openenv_is_asked_for_its_actions(
    monkeypatch: pytest.MonkeyPatch, status: int, content: Any, words: str
) -> None:
    async with listening(answering("/schema", status, content)) as port:
        address = f"http://me:secret@127.0.0.1:{port}"
        found, closed, named = await checked(
            monkeypatch, SERVERS, f"guessing={address}/, closed={CLOSED}, Guess={address}"
        )
    assert (found.ok, words in found.detail, "'guessing'" in found.name) == (words == "answers", True, True)
    assert (closed.ok, "ConnectError" in closed.detail, SERVERS in closed.remedy) == (False, True, True)
    assert (named.ok, "no pack can ask" in named.detail, "small letters" in named.remedy) == (False, True, True)
    assert "secret" not in f"{found}{named}"


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("http://127.0.0.1:8000", "no name with an address"),
        ("guessing=127.0.0.1:8000", "no name with an address"),
        ("guessing http://127.0.0.1:8000", "no name with an address"),
        (" , ", "names no server"),
    ],
)
async def test_servers_of_openenv_are_written_as_names_with_addresses(
    monkeypatch: pytest.MonkeyPatch, setting: str, words: str
) -> None:
    (found,) = await checked(monkeypatch, SERVERS, setting)
    assert (words in found.detail, "name=http://HOST:PORT" in found.remedy) == (True, True)


@pytest.mark.parametrize(
    ("address", "right"),
    [
        ("https://bench.example.org", ""),
        ("https://bench.example.org/", ""),
        ("https://bench.example.org:8443/", ""),
        ("http://127.0.0.1:8080", ""),
        ("", ""),
        ("https://bench.example.org/heldout", "https://bench.example.org"),
        ("https://bench.example.org:8443/a/b/", "https://bench.example.org:8443"),
        ("https://bench.example.org?a=b", "https://bench.example.org"),
        ("https://bench.example.org/?", "https://bench.example.org"),
        ("https://bench.example.org#top", "https://bench.example.org"),
        ("https://me:secret@bench.example.org", "https://bench.example.org"),
        ("http://127.0.0.1:8080/heldout", "http://127.0.0.1:8080"),
        ("http://bench.example.org/heldout", "https://..."),
        ("https://[bench", "https://NAME"),
    ],
)
def test_the_public_address_is_a_name_and_a_port(address: str, right: str) -> None:
    found = machine._public_address(Settings.model_validate({"public_url": address}))
    assert found.remedy.startswith(f"HELDOUT_PUBLIC_URL={right}" if right else "")
    assert found.ok == (not right)
    assert "secret" not in f"{found}"


@pytest.mark.parametrize(
    ("proxies", "everybody"),
    [
        ("", ""),
        ("127.0.0.1, 10.0.0.0/8", ""),
        ("104.16.0.0/13, 2606:4700::/32", ""),
        ("fc00::/7, fe80::/10", ""),
        ("0.0.0.0/1", ""),
        ("0.0.0.0/0", "0.0.0.0/0"),
        ("::/0", "::/0"),
        ("10.0.0.0/8, ::/0", "::/0"),
        ("0.0.0.0/1, 128.0.0.0/1", "0.0.0.0/0"),
        ("2000::/3", "2000::/3"),
        ("0.0.0.0/0, ::/0", "0.0.0.0/0, ::/0"),
    ],
)
def test_proxies_that_are_everybody_are_a_fault(proxies: str, everybody: str) -> None:
    found = machine._proxies(Settings.model_validate({"trusted_proxies": proxies}))
    assert found.ok == (not everybody)
    assert found.ok or f"everybody is in {everybody}: any visitor" in found.detail
    assert found.ok or "HELDOUT_TRUSTED_PROXIES" in found.remedy
