"""What an operator asks: is it ready, do the settings work, what can be set."""

import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import start_http_server

from api.cli.baselines.throwaway import enrol, unlimited
from api.core.providers import LoginProvider
from api.core.ratelimit import RATES, make_limiter
from api.core.settings import Settings
from api.operations import machine
from api.operations.check import Check
from api.operations.reference import PAGE, reference
from api.operations.variables import INTERNAL
from api.worker.importing import import_pack
from tests.support.mail import mail_server
from tests.support.redis_server import redis_server
from tests.support.service import Caller, Service, choice_pack
from tests.support.sql import sql
from tests.unit.api.judge_server import Reply, judge_server

NOWHERE = Path("/nowhere/password")
CLOSED = 1  # nobody listens at a port that only root may have
MOVES = dict.fromkeys(("inline", "judges", "processes", "sandboxes"), "moves")
PROVIDER = LoginProvider(name="work", issuer=f"http://127.0.0.1:{CLOSED}", client_id="heldout")


async def test_a_migrated_instance_is_ready(service: Service) -> None:
    reply = await service.client.get("/readyz")
    assert reply.status_code == 200
    assert reply.json() == {"ready": True, "queue": MOVES}
    assert (await service.client.get("/healthz")).text == "ok\n"


async def test_a_queue_that_no_worker_takes_stands_and_how_much_waits_is_not_told(service: Service) -> None:
    """Answers to hidden splits wait there too: a number that falls would tell when they are graded."""
    async with service.admin.session() as session:
        await import_pack(session, service.settings, unlimited(choice_pack()))
        key = (await enrol(session, service.settings, "lab"))[1]
    caller = Caller(service.client, key)
    problems = await caller.problems("quiz", "dev")
    await caller.submit("quiz", "dev", {problem["id"]: "A" for problem in problems})
    assert (await service.client.get("/readyz")).json() == {"ready": True, "queue": MOVES}
    async with service.admin.session() as session:
        await sql(session, "update grading_job set free_at = free_at - interval '31 minutes'")
    reply = await service.client.get("/readyz")
    assert (reply.status_code, reply.json()) == (200, {"ready": True, "queue": MOVES | {"inline": "stands"}})


async def test_tables_of_another_release_are_not_ready_but_alive(service: Service) -> None:
    async with service.admin.session() as session:
        await sql(session, "update alembic_version set version_num = '0001'")
    reply = await service.client.get("/readyz")
    assert reply.status_code == 503
    assert "heldout-server migrate" in reply.json()["faults"][0]
    assert (await service.client.get("/healthz")).status_code == 200


async def test_the_release_before_stays_ready_on_the_tables_of_the_next(service: Service) -> None:
    """`migrate` runs first: an orchestrator would take every web process away at once."""
    async with service.admin.session() as session:
        await sql(session, "update alembic_version set version_num = '9999'")
    reply = await service.client.get("/readyz")
    assert (reply.status_code, reply.json()["ready"]) == (200, True)
    found = (await faulty(service.settings, port=0))["database"]
    assert "a later release brought the tables to 9999" in f"{found.detail} {found.remedy}"


async def test_every_check_of_a_good_instance_passes_and_a_lost_password_is_named(service: Service) -> None:
    checks = {check.name: check async for check in machine.examine(service.settings)}
    assert all(check.ok for name, check in checks.items() if name != "sandbox"), checks
    async with service.admin.session() as session:
        await sql(session, "alter role heldout_host password 'another'")
    try:
        checks = {check.name: check async for check in machine.examine(service.settings)}
        assert not checks["role heldout_host"].ok
        assert checks["role heldout_web"].ok
    finally:
        secret = service.settings.host_secrets.database_host
        async with service.admin.session() as session:
            await sql(session, f"alter role heldout_host password '{secret}'")


async def faulty(settings: Settings, **wrong: Any) -> dict[str, Check]:
    """The checks that find a fault, each with what to do."""
    # A copy would keep the keys that were read already.
    chosen = Settings.model_validate(settings.model_dump() | wrong)
    checks = [check async for check in machine.examine(chosen)]
    return {check.name: check for check in checks if not check.ok}


@pytest.mark.parametrize(
    ("name", "wrong", "words"),
    [
        ("database", {"database_url": f"postgresql://me:pw@127.0.0.1:{CLOSED}/x"}, "HELDOUT_DATABASE_URL"),
        ("database", {"database_url": "postgresql://me@db/x", "database_password_file": NOWHERE}, "PASSWORD_FILE"),
        ("pooler", {"database_pooler_url": f"postgresql://127.0.0.1:{CLOSED}/x"}, "config pooler-users"),
        ("rate storage", {"rate_storage": f"redis://:secret@127.0.0.1:{CLOSED}"}, "nothing answers there"),
        ("mail", {"smtp_host": "127.0.0.1", "smtp_port": CLOSED, "mail_from": "a@x.org"}, "HELDOUT_SMTP_HOST"),
        ("judge", {"judge_url": f"http://127.0.0.1:{CLOSED}", "judge_model": "m"}, "HELDOUT_JUDGE_URL"),
        ("judge", {"judge_url": "http://x", "judge_model": "m", "judge_key_file": NOWHERE}, "JUDGE_KEY_FILE"),
        ("traces", {"traces_url": f"http://127.0.0.1:{CLOSED}"}, "HELDOUT_TRACES_URL"),
        ("sign-in with work", {"login_providers": (PROVIDER,)}, "issuer right?"),
        (
            "sign-in with work",
            {"login_providers": (PROVIDER.model_copy(update={"client_secret_file": NOWHERE}),)},
            "HELDOUT_LOGIN_PROVIDERS' client_secret_file",
        ),
        ("sandbox", {"sandbox": "docker"}, "HELDOUT_SANDBOX=auto"),
        ("listening", {"host": "192.0.2.1"}, "HELDOUT_HOST"),
        ("public address", {"public_url": "http://bench.example.org"}, "https://"),
        ("public address", {"public_url": "https://bench.example.org/heldout"}, "PUBLIC_URL=https://bench.example.org"),
        ("proxies", {"trusted_proxies": "0.0.0.0/0"}, "HELDOUT_TRUSTED_PROXIES"),
        ("keys", {"key_store": "environment"}, "HELDOUT_KEY_STORE"),
        ("keys", {"key_store": "vaults"}, "known are file, age, environment"),
        ("data directory", {"data_dir": Path(__file__)}, "HELDOUT_DATA_DIR"),
        ("metrics", {"metrics_port": 9999, "metrics_host": "192.0.2.1"}, "HELDOUT_METRICS_HOST"),
        ("hosts", {"host_address": "192.0.2.1"}, "HELDOUT_HOST_ADDRESS"),
    ],
)
async def test_each_service_that_is_wrong_is_named_with_what_to_do(
    service: Service, name: str, wrong: dict[str, Any], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere")
    found = (await faulty(service.settings, port=0, **wrong))[name]
    assert words in f"{found.detail} {found.remedy}"
    assert "secret" not in found.detail
    assert "\n" not in found.detail


async def test_a_port_that_something_else_has_is_a_fault_and_ours_is_none(service: Service) -> None:
    with mail_server() as other:
        assert "not Heldout" in (await faulty(service.settings, port=other.port))["listening"].remedy


async def test_a_port_of_metrics_that_something_else_has_is_a_fault_and_ours_is_none(service: Service) -> None:
    with mail_server() as other:
        said = (await faulty(service.settings, port=0, metrics_port=other.port))["metrics"]
    assert "taken by something else" in said.detail
    assert "HELDOUT_METRICS_PORT" in said.remedy
    ours, serving = start_http_server(0)
    try:
        assert "metrics" not in await faulty(service.settings, port=0, metrics_port=ours.server_port)
    finally:
        ours.shutdown()
        serving.join()
        ours.server_close()


async def test_what_answers_and_takes_no_spans_is_no_collector(service: Service) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), SimpleHTTPRequestHandler) as pages:
        serving = threading.Thread(target=pages.serve_forever)
        serving.start()
        address = f"http://127.0.0.1:{pages.server_port}/"
        assert "HELDOUT_TRACES_URL" in (await faulty(service.settings, port=0, traces_url=address))["traces"].remedy
        pages.shutdown()
        serving.join()


async def test_a_judge_is_asked_as_a_worker_asks_it(service: Service, tmp_path: Path) -> None:
    """A wrong path or key was found by the first answer that needed the judge."""
    status, key = 400, tmp_path / "key"
    key.write_text("a key\n")
    with judge_server(lambda *_: Reply("", status=status)) as judge:
        asked = {"port": 0, "judge_url": judge.url, "judge_model": "m", "judge_key_file": key}
        assert "judge" not in await faulty(service.settings, **asked), "it has no messages, and says so"
        assert (judge.requests[-1]["path"], judge.keys[-1]) == ("/v1/chat/completions", "Bearer a key")
        assert judge.requests[-1]["messages"] == []
        for status, words in ((401, "HELDOUT_JUDGE_KEY_FILE"), (404, "HELDOUT_JUDGE_URL"), (500, "HELDOUT_JUDGE_URL")):
            found = (await faulty(service.settings, **asked))["judge"]
            assert (f"answers {status}" in found.detail, words in found.remedy) == (True, True)


@pytest.mark.parametrize(
    ("held", "words"), [("", "is empty"), ("two\nlines", "holds more than one line"), ("\udcff", "is no text")]
)
async def test_a_file_without_a_key_is_named_and_not_quoted(
    service: Service, tmp_path: Path, held: str, words: str
) -> None:
    key = tmp_path / "key"
    key.write_text(held, errors="surrogateescape")
    asked = {"port": 0, "judge_url": f"http://127.0.0.1:{CLOSED}", "judge_model": "m", "judge_key_file": key}
    assert (await faulty(service.settings, **asked))["judge"].detail.startswith(f"{key} {words}")


async def test_what_worlds_are_given_by_variables_is_tried_too(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HELDOUT_CHROMIUM", "/nowhere/chromium")
    assert "HELDOUT_CHROMIUM" in (await faulty(service.settings, port=0))["browser"].remedy


async def test_a_folder_that_is_not_there_is_looked_for_and_not_made(service: Service, tmp_path: Path) -> None:
    slip = tmp_path / "slip"
    found = await faulty(service.settings, port=0, data_dir=slip)
    assert "is not there" in found["data directory"].detail
    assert "keys" not in found
    assert "database" not in found
    assert not slip.exists()


async def test_mail_is_tried_with_its_password_and_no_letter_is_sent(service: Service, tmp_path: Path) -> None:
    password = tmp_path / "password"
    with mail_server() as box:
        way = {"smtp_host": "127.0.0.1", "smtp_port": box.port, "smtp_security": "none", "mail_from": "a@x.org"}
        known = way | {"smtp_user": "heldout", "smtp_password_file": password}
        password.write_text("wrong\n")
        assert "refuses 'heldout'" in (await faulty(service.settings, **known))["mail"].detail
        assert "starttls" in (await faulty(service.settings, **way | {"smtp_security": "starttls"}))["mail"].detail
        password.write_text("right\n")
        assert "mail" not in await faulty(service.settings, **known)
        assert box.letters == []


def test_every_variable_that_anything_reads_is_on_the_page() -> None:
    root = Path(__file__).parents[2]
    settings = {f"HELDOUT_{name.upper()}" for name in Settings.model_fields}
    # The page itself, and names that are none.
    lists = {root / "api/operations/variables.py", root / "tests/unit/api/test_misnamed.py"}
    read: dict[str, set[str]] = {}
    for folder in ("api", "envs", "grading", "packs", "protection", "sdk", "tools", "infra", "tests"):
        files = {path for kind in ("*.py", "*.sh") for path in (root / folder).rglob(kind)}
        for path in files - lists:
            # HTTP_X_HELDOUT_...: a header, as WSGI hands it over.
            for name in re.findall(r"(?<![A-Z_])HELDOUT_[A-Z_]*[A-Z](?![A-Z_*])", path.read_text("utf-8")):
                read.setdefault(name, set()).add(str(path.relative_to(root)))
    rows = re.findall(r"^\| `(HELDOUT_[A-Z_]+)` \|", reference(), re.MULTILINE)
    assert len(rows) == len(set(rows)), "one row each"
    others = {name: files for name, files in read.items() if name not in settings | INTERNAL}
    assert others.keys() == set(rows) - settings, others


def test_the_page_of_settings_is_current_and_describes_each() -> None:
    assert PAGE.read_text(encoding="utf-8") == reference(), "run make schema"
    assert all(field.description for field in Settings.model_fields.values())


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("HELDOUT_PORT", "many", "HELDOUT_PORT"),
        ("HELDOUT_RATE_STORAGE", "mongodb://x", "memory:// and redis://"),
        ("HELDOUT_RATE_STORAGE", "redis://:secret@127.0.0.1:port", "HELDOUT_RATE_STORAGE: "),
        ("HELDOUT_DATABASE_URL", "mysql://me:secret@db/x", "begins with postgresql://"),
        ("HELDOUT_DATABASE_URL", "postgresql://me:secret@db/x?sslmod=require", 'query parameter: "sslmod"'),
        ("HELDOUT_DATABASE_URL", "postgresql://me:secret@[db/x", "HELDOUT_DATABASE_URL: "),
        ("HELDOUT_LOGIN_PROVIDERS", "google", "HELDOUT_LOGIN_PROVIDERS: it is not JSON"),
        (
            "HELDOUT_LOGIN_PROVIDERS",
            '[{"name": "work", "issuer": "https://x"}]',
            "PROVIDERS 1 'client_id': Field required",
        ),
        ("HELDOUT_SMTP_HOST", "mail.example.org", "set HELDOUT_MAIL_FROM"),
        ("HELDOUT_PUBLIC_URL", "bench.example.org", "HELDOUT_PUBLIC_URL: it begins with http:// or https://"),
        ("HELDOUT_LOG_LEVEL", "loud", "HELDOUT_LOG_LEVEL: "),
        ("HELDOUT_DATA_DIR", "/proc/heldout", "/proc/heldout/secrets cannot be made"),
        ("HELDOUT_TRUSTED_PROXIES", "proxy", "HELDOUT_TRUSTED_PROXIES 1: Input is not a valid IPv4 network; "),
    ],
)
def test_a_setting_that_cannot_be_is_a_sentence(name: str, value: str, words: str) -> None:
    code = "from api.cli.main import main; main()"
    command = [sys.executable, "-c", code, "migrate"]
    done = subprocess.run(command, env=os.environ | {name: value}, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert "HELDOUT_" * 2 not in done.stderr
    assert "secret@" not in done.stderr
    assert "lax-or-strict" not in done.stderr


@pytest.mark.parametrize("command", [["up"], ["demo", "--once"]])
def test_a_port_that_is_taken_is_said_with_the_setting_before_anything_is_started(
    tmp_path: Path, command: list[str]
) -> None:
    data = tmp_path / "data"
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        more = {"HELDOUT_PORT": str(port), "HELDOUT_DATA_DIR": str(data), "COLUMNS": "300"}
        code = "from api.cli.main import main; main()"
        asked = [sys.executable, "-c", code, *command]
        done = subprocess.run(asked, env=os.environ | more, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert all(word in done.stderr for word in (f":{port}: Address already in use", "HELDOUT_PORT", "--port"))
    assert not data.exists(), "no database was made"
    assert done.stdout == ""


@pytest.mark.parametrize("command", ["up", "worker", "host"])
def test_a_port_of_metrics_that_is_taken_is_a_sentence_with_the_setting(tmp_path: Path, command: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        more = {"HELDOUT_METRICS_PORT": str(port), "HELDOUT_PORT": "0", "HELDOUT_DATA_DIR": str(tmp_path / "data")}
        asked = [sys.executable, "-c", "from api.cli.main import main; main()", command]
        variables = os.environ | more | {"COLUMNS": "300"}
        done = subprocess.run(asked, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert all(word in done.stderr for word in (f":{port}: Address already in use", "HELDOUT_METRICS_PORT"))
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "data").exists(), "nothing was made"


def test_up_says_where_its_data_are_before_it_serves(tmp_path: Path) -> None:
    data = tmp_path / "data"
    nobody = {"DATABASE_URL": "postgresql://heldout@127.0.0.1:1/heldout", "HELDOUT_PORT": "0"}
    asked = [sys.executable, "-c", "from api.cli.main import main; main()", "up"]
    variables = os.environ | nobody | {"HELDOUT_DATA_DIR": str(data), "COLUMNS": "40"}
    done = subprocess.run(asked, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert done.stdout == f"starting the service, data in {data}\n"


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[str]:
    with redis_server(tmp_path) as address:
        yield address


async def test_a_process_without_its_limits_refuses_and_is_not_ready_but_alive(
    service: Service, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever watches /healthz ends what is not alive, and the next process would have no limits either."""
    away = {"rate_storage": f"redis+unix://{tmp_path}/none.sock", "rate_limits_enabled": True}
    async with Service.running(Settings.model_validate(service.settings.model_dump() | away)) as without:
        found = {path: await without.client.get(path) for path in ("/healthz", "/readyz", "/v1/benchmarks")}
    assert {path: reply.status_code for path, reply in found.items()} == {
        "/healthz": 200,
        "/readyz": 503,
        "/v1/benchmarks": 503,
    }
    assert found["/readyz"].json()["code"] == "limiter_unavailable"
    said = capsys.readouterr()
    assert "limits.unreachable" in said.out + said.err


def test_processes_share_their_limits_through_redis(redis: str) -> None:
    from limits import parse

    item = parse(RATES["login"])
    first, second = (make_limiter(Settings(rate_storage=redis)).limiter for _ in range(2))
    taken = sum(limiter.hit(item, "login", "address:x") for limiter in (first, second) * item.amount)
    assert taken == item.amount
    assert make_limiter(Settings()).limiter.hit(item, "login", "address:x"), "memory is each process's own"
