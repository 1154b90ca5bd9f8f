"""Traces through request, queue, worker and host, in OpenTelemetry's form; off unless HELDOUT_TRACES_URL is set.

A span has a name, a route's pattern, a lane or an operation, numbers and codes: no address, no id of a person, and
nothing of a problem or an answer. An exception is its type alone. What a client says of traces of its own is not taken.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.core import routes
from api.core.settings import Settings

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

_FIELD = "traceparent"
_tracers: list["Tracer"] = []
"""The process's tracer; empty: nothing is traced."""


def start(settings: Settings, process: str) -> None:
    """Send the spans of `process` to the collector that the settings name; nothing where they name none."""
    if not settings.traces_url:
        return
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    # Under `up` all processes have one environment, and are told apart all the same.
    name = os.environ.get("OTEL_SERVICE_NAME") or f"heldout-{process}"
    provider = TracerProvider(resource=Resource.create({"service.name": name}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(endpoint=settings.traces_url)))
    use(provider.get_tracer("heldout"))


def use(tracer: "Tracer | None") -> None:
    """Trace with this tracer from now on; None: not at all."""
    _tracers[:] = [tracer] if tracer else []


def enabled() -> bool:
    """Whether anything is traced."""
    return bool(_tracers)


def current() -> str:
    """What a part of the present span's work that is done elsewhere is handed (W3C's traceparent); empty: no span."""
    if not _tracers:
        return ""
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    carrier: dict[str, str] = {}
    TraceContextTextMapPropagator().inject(carrier)
    return carrier.get(_FIELD, "")


@contextmanager
def span(name: str, *, parent: str = "", **attributes: str | int) -> Iterator[None]:
    """One piece of work; `parent`: what `current` gave where it was asked for."""
    if not _tracers:
        yield
        return
    from opentelemetry.trace import Status, StatusCode
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    context = TraceContextTextMapPropagator().extract({_FIELD: parent}) if parent else None
    with _tracers[0].start_as_current_span(
        name, context, attributes=attributes, record_exception=False, set_status_on_exception=False
    ) as made:
        try:
            yield
        except BaseException as error:
            # Its text may quote what somebody sent.
            made.set_status(Status(StatusCode.ERROR, type(error).__name__))
            raise


@contextmanager
def spans(name: str, parents: Iterable[str], **attributes: str | int) -> Iterator[None]:
    """One piece of work that several asked for: a span in the trace of each; without any in none."""
    with ExitStack() as stack:
        for parent in sorted({parent for parent in parents if parent}):
            stack.enter_context(span(name, parent=parent, **attributes))
        yield


class Traced:
    """A span for each request, named by method and route's pattern. Plain ASGI."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not _tracers or scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        from opentelemetry.trace import get_current_span

        async def noting(message: Message) -> None:
            if message["type"] == "http.response.start":
                get_current_span().set_attribute("http.response.status_code", message["status"])
            await send(message)

        with span("request"):
            try:
                await self._app(scope, receive, noting)
            finally:
                get_current_span().update_name(" ".join(routes.named(scope)))
