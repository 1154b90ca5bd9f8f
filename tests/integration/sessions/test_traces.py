"""One trace spans request, queue, worker and host, and says nothing of what was asked or answered."""

from collections.abc import Iterator

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


async def test_a_failure_is_its_type_alone(spans: InMemorySpanExporter) -> None:
    with pytest.raises(ValueError, match="gold"), traces.span("work"):
        raise ValueError("the gold is xyzzy")
    (failed,) = spans.get_finished_spans()
    assert failed.status.description == "ValueError"
    assert "xyzzy" not in failed.to_json()


def test_without_a_collector_nothing_is_traced() -> None:
    traces.start(Settings())
    with traces.span("work"):
        assert traces.current() == ""
