"""`heldout login`: asks at the service's pace, keeps the key where only its owner reads it, forgets it again."""

import os
import stat
from typing import Any

import httpx2
import pytest
from typer.testing import CliRunner

from heldout import _commands, _credentials, _failures
from heldout._config import Config
from heldout.errors import AuthenticationError, Invalid, PermissionDenied
from heldout.models import DeviceCode
from sdk.tests.scripted import Scripted, problem_document

TOKEN = ("POST", "/v1/device/token")
URL = "https://service.test"


def _json(body: dict[str, Any]) -> Any:
    return lambda _: httpx2.Response(200, json=body)


def _begin(service: Scripted, *polls: str) -> None:
    code = {
        "device_code": "d" * 43,
        "user_code": "BCDF-GHJK",
        "verification_uri": f"{URL}/device",
        "verification_uri_complete": f"{URL}/device?user_code=BCDF-GHJK",
        "expires_in": 600,
        "interval": 5,
    }
    service.first("POST", "/v1/device/authorize", _json(code))
    service.first(*TOKEN, *(problem_document(400, code) for code in polls))
    key = {"access_token": "hld_secret", "token_type": "Bearer", "scope": "problems:read", "organisation": "lab"}
    service.first(*TOKEN, _json(key | {"expires_in": None}))


def test_it_waits_as_long_as_it_is_told(service: Scripted) -> None:
    _begin(service, "authorization_pending", "slow_down", "authorization_pending")
    shown: list[DeviceCode] = []
    with service.client(api_key=None) as client:
        done = client.login(shown.append)
    assert (shown[0].user_code, done.access_token, done.organisation) == ("BCDF-GHJK", "hld_secret", "lab")
    assert service.pauses == [5.0, 5.0, 10.0, 10.0]
    assert all("authorization" not in request.headers for request in service.requests)
    assert "hld_secret" not in repr(done)
    assert "ddd" not in repr(shown[0])


@pytest.mark.parametrize(
    ("code", "error"),
    [("access_denied", PermissionDenied), ("expired_token", TimeoutError), ("invalid_grant", Invalid)],
)
def test_it_ends_when_there_is_nothing_to_wait_for(service: Scripted, code: str, error: type[Exception]) -> None:
    _begin(service, code)
    with service.client(api_key=None) as client, pytest.raises(error):
        client.login(lambda _: None)


def test_it_gives_up_when_the_code_is_too_old(service: Scripted) -> None:
    _begin(service, *["authorization_pending"] * 200)
    with service.client(api_key=None) as client, pytest.raises(TimeoutError):
        client.login(lambda _: None)
    assert sum(service.pauses) == 600


async def test_the_asynchronous_client_logs_in_alike(service: Scripted) -> None:
    _begin(service, "authorization_pending")
    async with service.async_client(api_key=None) as client:
        assert (await client.login(lambda _: None)).access_token == "hld_secret"


def test_the_key_is_kept_for_its_owner_and_its_service_alone() -> None:
    before = os.umask(0)
    try:
        path = _credentials.store(URL, "hld_secret")
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert Config.of(URL + "/").api_key == "hld_secret"
    assert Config.of("https://service.test.evil.example").api_key is None
    assert Config.of(URL, "hld_other").api_key == "hld_other"
    path.chmod(0o644)
    with pytest.raises(AuthenticationError, match="others may read"):
        Config.of(URL)
    path.chmod(0o600)
    assert _credentials.forget(URL) == "hld_secret"
    assert Config.of(URL).api_key is None


def test_the_commands(service: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HELDOUT_BASE_URL", URL)
    monkeypatch.setattr("heldout._login_command.Client", lambda **given: service.client(**{"api_key": None} | given))
    _begin(service, "authorization_pending")
    runner = CliRunner()
    done = runner.invoke(_commands.app, ["login"])
    assert done.exit_code == 0, done.output
    assert "BCDF-GHJK" in done.output
    assert "hld_secret" not in done.output
    assert _credentials.stored_key(URL) == "hld_secret"
    service.first("GET", "/v1/me", _json({"user": "Ada", "key": {"id": "key_1"}}))
    service.first("DELETE", "/v1/keys/key_1", lambda _: httpx2.Response(204))
    assert runner.invoke(_commands.app, ["logout"]).exit_code == 0
    assert service.requests[-1].headers["authorization"] == "Bearer hld_secret"
    assert _credentials.stored_key(URL) is None


def test_a_code_that_nobody_approves_is_one_line(
    service: Scripted, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HELDOUT_BASE_URL", URL)
    monkeypatch.setattr("heldout._login_command.Client", lambda **given: service.client(**{"api_key": None} | given))
    monkeypatch.setattr("sys.argv", ["heldout", "login"])
    _begin(service, *["authorization_pending"] * 200)
    with pytest.raises(SystemExit) as ended:
        _failures.run(_commands.app)
    assert ended.value.code == 1
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("error: AuthenticationError: nobody approved the code in time")
    assert "heldout login shows another code" in last


def test_no_key_is_asked_for_over_plain_http(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HELDOUT_BASE_URL", "http://service.test")
    done = CliRunner().invoke(_commands.app, ["login"])
    assert isinstance(done.exception, Invalid)
