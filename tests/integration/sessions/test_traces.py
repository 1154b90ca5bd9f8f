"""One trace spans request, queue, worker and host, and says nothing of what was asked or answered."""

from collections.abc import Iterator
from typing import Any

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from api.core import traces
from api.core.settings import Settings
from tests.support.service import Service
from tests.support.sessions import Player


@pytest.fixture
def spans() -> Iterator[InMemorySpanExporter]:
    """Every span of this process while a test runs."""
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    traces.use(provider.get_tracer("heldout"))
    yield exporter
    traces.use(None)


async def test_a_posted_trajectory_is_one_trace_from_request_to_host(
    service: Service, player: Player, spans: InMemorySpanExporter
) -> None:
    problem = (await player.episodes())[0]
    spans.clear()
    item = {"problem": problem, "trajectory": [{"text": "a secret word"}, {"text": "finish[0]"}]}
    body = {"benchmark": "parrot", "split": "dev", "model": {"name": "m"}, "items": [item]}
    (await player.caller.post("/v1/submissions", json=body)).raise_for_status()
    # The first round makes a session of the trajectory, the second plays it.
    await service.work()
    await service.work()
    found = spans.get_finished_spans()
    begun = next(span for span in found if span.name == "POST /v1/submissions")
    whole = {span.name: span for span in found if span.context.trace_id == begun.context.trace_id}
    assert {"grade", "finalize_session", "host play"} <= set(whole), sorted(span.name for span in found)
    grade, finalize, played = whole["grade"], whole["finalize_session"], whole["host play"]
    assert begun.parent is None
    for span, parent in ((grade, begun), (finalize, grade), (played, finalize)):
        assert span.parent
        assert span.parent.span_id == parent.context.span_id, span.name
    said = " ".join(span.to_json() for span in found)
    assert "http.response.status_code" in said
    for word in ("secret", "finish[", problem, "ada@", "lab"):
        assert word not in said


async def test_a_step_is_named_by_its_route_and_holds_what_the_host_was_asked(
    player: Player, spans: InMemorySpanExporter
) -> None:
    session = (await player.opened((await player.episodes())[0]))["id"]
    spans.clear()
    await player.said(session, 1, "a secret word")
    asked, step = spans.get_finished_spans()
    assert (asked.name, step.name) == ("host step", "POST /v1/sessions/{session}/steps")
    assert asked.parent
    assert asked.parent.span_id == step.context.span_id


def test_processes_of_one_environment_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    monkeypatch.setattr(traces, "use", made.append)
    settings = Settings(traces_url="http://127.0.0.1:1/v1/traces")
    traces.start(settings, "worker")
    monkeypatch.setenv("OTEL_SERVICE_NAME", "ours")
    traces.start(settings, "worker")
    assert [tracer.resource.attributes["service.name"] for tracer in made] == ["heldout-worker", "ours"]


async def test_a_failure_is_its_type_alone(spans: InMemorySpanExporter) -> None:
    with pytest.raises(ValueError, match="gold"), traces.span("work"):
        raise ValueError("the gold is xyzzy")
    (failed,) = spans.get_finished_spans()
    assert failed.status.description == "ValueError"
    assert "xyzzy" not in failed.to_json()


def test_without_a_collector_nothing_is_traced() -> None:
    traces.start(Settings(), "worker")
    with traces.span("work"):
        assert traces.current() == ""
