"""Operators' metrics: each one that a dashboard or an alert names is there, and nothing of people or problems is."""

import json
import logging
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
import structlog
import yaml
from prometheus_client import REGISTRY, generate_latest
from prometheus_client.parser import text_string_to_metric_families

from api.accounts.models import Scope
from api.app import create_app
from api.cli.running import Instance
from api.core import logging as service_logging
from api.core.settings import Settings
from tests.support.external_postgres import free_ports
from tests.support.scratch import scratch
from tests.support.service import OPEN, Caller, Service, choice_pack

MONITORING = Path(__file__).parents[2] / "infra" / "monitoring"
_METRIC = re.compile(r"\b(?:heldout|process)_[a-z_]+\b")
_PARTS = ("_bucket", "_sum", "_count")


def expressions() -> list[str]:
    dashboard = json.loads((MONITORING / "grafana.json").read_text())
    rules = yaml.safe_load((MONITORING / "alerts.yml").read_text())["groups"][0]["rules"]
    shown = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    adapter = yaml.safe_load((MONITORING.parent / "kubernetes" / "by-queue" / "adapter.yaml").read_text())
    scaled = [rule["seriesQuery"] for rule in adapter["rules"]["external"]]
    return shown + [rule["expr"] for rule in rules] + scaled


def families(text: str) -> set[str]:
    """The names under which Prometheus keeps what a page exposes."""
    names = set()
    for family in text_string_to_metric_families(text):
        if family.type == "counter":
            names.add(family.name.removesuffix("_total") + "_total")
        elif family.type == "histogram":
            names |= {family.name + part for part in _PARTS}
        else:
            names.add(family.name)
    return names


@pytest.fixture
async def operator(service: Service) -> Caller:
    return await service.reader("root@example.org", "operators", scopes=[Scope.ADMIN], operator=True)


async def test_what_dashboard_and_alerts_name_is_exposed(service: Service, operator: Caller) -> None:
    instance = (await operator.get("/v1/metrics")).raise_for_status().text
    known = families(instance) | families(generate_latest(REGISTRY).decode())
    named = {name for expression in expressions() for name in _METRIC.findall(expression)}
    assert len(named) > 30
    assert named <= known, sorted(named - known)
    ours = {name for name in known if name.startswith("heldout_")}
    pages = (MONITORING.parents[1] / "docs" / "operating.md").read_text()
    for name in ours:
        short = name.removesuffix("_total").removesuffix("_bucket").removesuffix("_sum").removesuffix("_count")
        assert short in pages, f"{short} is not in docs/operating.md"


async def test_requests_and_grading_are_counted_by_route_and_lane(service: Service, operator: Caller) -> None:
    def value(name: str, **labels: str) -> float:
        return REGISTRY.get_sample_value(name, labels) or 0.0

    board = {"method": "GET", "route": "/v1/benchmarks/{slug}/leaderboard", "status": "200"}
    before = value("heldout_http_requests_total", **board), value("heldout_items_graded_total", lane="inline")
    refused, strange = value("heldout_http_errors_total", code="unauthenticated"), {"method": "any", "route": "none"}
    lost = value("heldout_http_requests_total", **strange, status="404")
    await service.publish(choice_pack(count=8, hidden=OPEN))
    reader = await service.reader()
    problems = await reader.problems("quiz", "test")
    await reader.submit("quiz", "test", {problem["id"]: "A" for problem in problems})
    waiting = families_of((await operator.get("/v1/metrics")).text)
    assert waiting["heldout_queue_items", "inline"] == 8
    assert waiting["heldout_waiting", "submissions"] == 1
    await service.work()
    assert families_of((await operator.get("/v1/metrics")).text)["heldout_queue_items", "inline"] == 0
    await service.client.get("/v1/benchmarks/quiz/leaderboard", params={"split": "test"})
    await service.client.get("/v1/me")
    await service.client.request("SECRETVERB", "/of/no/such/address")
    assert value("heldout_http_requests_total", **board) == before[0] + 1
    assert value("heldout_items_graded_total", lane="inline") == before[1] + 8
    assert value("heldout_http_errors_total", code="unauthenticated") == refused + 1
    assert value("heldout_http_requests_total", **strange, status="404") == lost + 1
    page = generate_latest(REGISTRY).decode()
    for secret in ("quiz", "SECRETVERB", "no/such", problems[0]["id"], reader.key):
        assert secret not in page


def families_of(text: str) -> dict[tuple[str, str], float]:
    """Values by name and the last label's value."""
    return {
        (sample.name, list(sample.labels.values())[-1]): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if sample.labels
    }


async def test_the_access_log_names_routes_and_never_addresses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    service_logging.configure("info")
    try:
        for chosen in (False, True):
            app = create_app(Settings(data_dir=tmp_path, rate_limits_enabled=False, access_log=chosen))
            transport = httpx2.ASGITransport(app=app)
            async with httpx2.AsyncClient(transport=transport, base_url="http://heldout.test") as client:
                assert (await client.get("/v1/limits")).status_code == 200
                reply = await client.get("/somebody/else?answer=42")
            lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
            found = [line for line in lines if line["event"] == "request"]
            assert len(found) == (2 if chosen else 0)
        assert [(line["route"], line["status"]) for line in found] == [("/v1/limits", 200), ("none", 404)]
        assert found[1]["request_id"] == reply.headers["x-request-id"]
        assert "somebody" not in json.dumps(found)
    finally:
        structlog.reset_defaults()


def test_a_library_s_message_is_json_and_without_the_exception_s_text(capsys: pytest.CaptureFixture[str]) -> None:
    service_logging.configure("error")
    structlog.contextvars.bind_contextvars(request_id="req_1")
    try:
        try:
            raise ValueError("duplicate key (answer)=(forty-two)")
        except ValueError:
            logging.getLogger("procrastinate").exception("job failed")
        (line,) = capsys.readouterr().err.splitlines()
        shown = json.loads(line)
        assert (shown["event"], shown["level"], shown["error"], shown["request_id"]) == (
            "job failed",
            "error",
            "ValueError",
            "req_1",
        )
        assert shown["place"][0].startswith(__file__)
        assert "forty-two" not in line
    finally:
        structlog.contextvars.clear_contextvars()
        structlog.reset_defaults()
        logging.basicConfig(force=True)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A data directory that the server's user can reach."""
    with tempfile.TemporaryDirectory(prefix="hld", dir=scratch()) as made:
        Path(made).chmod(0o755)
        yield Path(made)


async def test_each_process_has_metrics_of_its_own(folder: Path) -> None:
    """The three processes of `up` on three ports; the web process's own requests are on the first alone."""
    port = free_ports(3)
    settings = Settings(data_dir=folder, port=0, metrics_port=port)
    async with Instance(settings) as instance, httpx2.AsyncClient(timeout=30) as client:
        (await client.get(f"{instance.address}/v1/limits")).raise_for_status()
        transport = httpx2.AsyncHTTPTransport(retries=20)
        async with httpx2.AsyncClient(transport=transport, timeout=30) as patient:
            pages = [(await patient.get(f"http://127.0.0.1:{port + n}/metrics")).text for n in range(3)]
    assert ['route="/v1/limits"' in page for page in pages] == [True, False, False]
    assert all("process_resident_memory_bytes" in page for page in pages)


needs_promtool = pytest.mark.skipif(
    shutil.which("promtool") is None, reason="promtool is not installed: make test-packages"
)


@needs_promtool
def test_prometheus_reads_configuration_and_rules_and_each_alert_fires(tmp_path: Path) -> None:
    for file in MONITORING.iterdir():
        (tmp_path / file.name).write_text(
            file.read_text().replace("/etc/prometheus/heldout-key", str(tmp_path / "key"))
        )
    (tmp_path / "key").write_text("key")
    for arguments in (("check", "config", "prometheus.yml"), ("test", "rules", "alerts_test.yml")):
        done = subprocess.run(["promtool", *arguments], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    rules = yaml.safe_load((MONITORING / "alerts.yml").read_text())["groups"][0]["rules"]
    assert f"value: {len(rules)}}}" in (MONITORING / "alerts_test.yml").read_text(), "all of them fire in the test"
    changed = (
        (tmp_path / "alerts.yml").read_text().replace('job="heldout-instance"} == 1', 'job="heldout-instance"} == 2')
    )
    (tmp_path / "alerts.yml").write_text(changed)
    spoilt = subprocess.run(
        ["promtool", "test", "rules", "alerts_test.yml"], cwd=tmp_path, capture_output=True, check=False
    )
    assert spoilt.returncode != 0, "a rule that cannot fire is seen"


@needs_promtool
@pytest.mark.parametrize("expression", sorted(set(expressions())))
def test_prometheus_understands_each_query(tmp_path: Path, expression: str) -> None:
    rules = {
        "groups": [{"name": "q", "rules": [{"record": "q", "expr": expression.replace("$__rate_interval", "5m")}]}]
    }
    (tmp_path / "q.yml").write_text(yaml.safe_dump(rules))
    done = subprocess.run(["promtool", "check", "rules", str(tmp_path / "q.yml")], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
