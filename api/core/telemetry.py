"""What a process counts about itself, for Prometheus. Routes, lanes and codes: nothing of people or answers."""

import time

from prometheus_client import Counter, Gauge, Histogram, disable_created_metrics, start_http_server
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.core import audit, routes, traces
from api.core.logging import access
from api.core.settings import Settings

disable_created_metrics()  # type: ignore[no-untyped-call]
_SECONDS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
_LONG = (0.05, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 300.0, 1800.0, 7200.0)

HTTP_REQUESTS = Counter("heldout_http_requests", "Requests answered.", ["method", "route", "status"])
HTTP_SECONDS = Histogram(
    "heldout_http_request_seconds", "From a request's headers to the end of its reply.", ["route"], buckets=_SECONDS
)
HTTP_OPEN = Gauge("heldout_http_requests_open", "Requests being answered.")
CHANNELS_OPEN = Gauge("heldout_channels_open", "Open WebSocket channels.")
PAGES = Counter(
    "heldout_pages", "Pages and boards for nobody in particular: made, kept (sent again), same (304).", ["found"]
)
HTTP_ERRORS = Counter("heldout_http_errors", "Errors answered, by the code in their body.", ["code"])
JOBS = Counter("heldout_jobs", "Grading jobs a worker had, by lane and how they ended.", ["lane", "result"])
JOB_SECONDS = Histogram("heldout_job_seconds", "A batch of grading jobs, taken to done.", ["lane"], buckets=_LONG)
ITEMS_GRADED = Counter("heldout_items_graded", "Answers that a worker graded.", ["lane"])
ITEMS_UNSCORED = Counter("heldout_items_unscored", "Answers left for a person or another try.", ["grader"])
SWEEP_FAILURES = Counter("heldout_sweep_failures", "Rounds of upkeep that failed; each is tried again.")
# A counter with labels has no value before its first count, and an alert on what is absent never fires.
for _lane in ("inline", "processes", "judges", "sandboxes"):
    ITEMS_GRADED.labels(_lane)
    for _result in ("done", "failed", "interrupted"):
        JOBS.labels(_lane, _result)


class MetricsPortError(OSError):
    """The port of a process's metrics cannot be had; the message names the settings."""


def expose(settings: Settings, process: str) -> None:
    """Answer Prometheus, and send traces as `process`, where the settings name a port and a collector.

    Raises MetricsPortError.
    """
    traces.start(settings, process)
    if settings.metrics_port:
        try:
            start_http_server(settings.metrics_port, settings.metrics_host)
        except OSError as error:
            where = f"{settings.metrics_host}:{settings.metrics_port}"
            words = f"cannot tell metrics on {where}: {error.strerror or error}"
            raise MetricsPortError(f"{words}; HELDOUT_METRICS_HOST and HELDOUT_METRICS_PORT name another") from None


class Measured:
    """Counts and times what is answered, logs who changed what, and with `access_log` every request. Plain ASGI."""

    def __init__(self, app: ASGIApp, *, access_log: bool) -> None:
        self._app = app
        self._log = access_log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            with CHANNELS_OPEN.track_inprogress():
                await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status, began = 500, time.perf_counter()

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            with HTTP_OPEN.track_inprogress():
                await self._app(scope, receive, noting)
        finally:
            self._count(scope, status, time.perf_counter() - began)

    def _count(self, scope: Scope, status: int, seconds: float) -> None:
        method, route = routes.named(scope)
        HTTP_REQUESTS.labels(method, route, str(status)).inc()
        HTTP_SECONDS.labels(route).observe(seconds)
        audit.note(scope.get("state", {}), method, route, status, scope.get("path_params", {}))
        if self._log:
            access(method, route, status, seconds)
