"""The client without input and output: a flow is a generator that yields what to do and is sent what came of it.

A flow yields `Request` (and is sent `Reply` or `Lost`) or `Pause`. The sync and the async client drive the same flows,
so everything that can be got wrong (retries, paging, chunks, waiting) is written once.
"""

import email.utils
import json
import operator
import random
import time
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from heldout.errors import (
    ConnectionFailed,
    HeldoutError,
    QuotaExceeded,
    ServerError,
    advise,
    from_response,
    out_of_money,
)

T = TypeVar("T")


@dataclass(frozen=True)
class Request:
    """One HTTP request, without host and key."""

    method: str
    path: str
    params: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    public: bool = False


@dataclass(frozen=True)
class Reply:
    """One HTTP response; header names are in lower case. `origin`: who answered, as `https://host`."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    origin: str = ""


@dataclass(frozen=True)
class Lost:
    """No response came; `reason` is a sentence. `first`: this address never answered before."""

    reason: str
    first: bool = False


@dataclass(frozen=True)
class Pause:
    """Wait so many seconds; with a `reason` a request failed, and is sent again after them."""

    seconds: float
    reason: str = ""


Step = Request | Pause
Flow = Generator[Step, Reply | Lost | None, T]
RETRIED = frozenset({429, 502, 503, 504})
# Tries at an address that never answered: it is wrong more often than it is about to come up.
FIRST_TRIES = 4


@dataclass(frozen=True)
class Retries:
    """How often and how long to try again: `attempts` in all, pauses from `base` to `cap` seconds with full jitter.

    A `Retry-After` of the service is honoured up to `longest_wait` seconds; a longer one is an error at once.

    A retry library (stamina, tenacity) has no place here: it calls the function and sleeps by itself, once for threads
    and once for the event loop, while a flow only says that there is to be a pause and the clients, sync and async,
    decide how they wait. What is left to take over would be the line that computes the pause.
    """

    attempts: int = 6
    base: float = 0.25
    cap: float = 8.0
    longest_wait: float = 120.0

    def pause(self, attempt: int, retry_after: float | None) -> float | None:
        """Seconds to wait after the failed attempt number `attempt` (from 1), or None to give up."""
        if attempt >= self.attempts or (retry_after or 0.0) > self.longest_wait:
            return None
        jitter = random.uniform(0.0, min(self.cap, self.base * 2.0**attempt))
        return retry_after + jitter / 4 if retry_after is not None else jitter


def exchange(
    request: Request,
    retries: Retries,
    retried: Callable[[int], bool] = RETRIED.__contains__,
    words: Callable[[HeldoutError], str] = operator.attrgetter("detail"),
) -> Flow[Reply]:
    """Send until there is a success, and raise the error of the last attempt otherwise.

    `retried` says by its status whether a refusal is worth another try, `words` what is said of it meanwhile.

    Every request of this package may be sent twice: reads change nothing, writes carry an Idempotency-Key or are
    idempotent by the service's contract.
    """
    attempt = 0
    while True:
        attempt += 1
        reply = yield request
        error, retry_after = _failure(reply)
        if error is None:
            assert isinstance(reply, Reply)
            return reply
        advise(error, request.path)
        again = isinstance(error, ConnectionFailed) or retried(error.status)
        again &= not (isinstance(reply, Lost) and reply.first and attempt >= FIRST_TRIES)
        seconds = retries.pause(attempt, retry_after) if again and not _spent(error) else None
        if seconds is None:
            raise error
        yield Pause(seconds, words(error))


def parse(reply: Reply, adapter: TypeAdapter[T]) -> T:
    """The typed content of a success. A body of another form is the service's fault (or not our service at all)."""
    try:
        return adapter.validate_json(reply.body)
    except ValidationError as error:
        form = f"the answer has not the expected form ({error.error_count()} fault(s))"
        raise ServerError(
            form if _is_json(reply.body) else f"{reply.origin} is no Heldout service: {form}",
            status=reply.status,
            code="unexpected_answer",
            request_id=reply.headers.get("x-request-id", ""),
            advice="check HELDOUT_BASE_URL; if it is right, update this package",
        ) from None


def seconds_of(value: str | None, now: Callable[[], float] = time.time) -> float | None:
    """Seconds from a Retry-After header: a number or an HTTP date."""
    if value is None:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - now())
    except ValueError:
        return None


def _failure(reply: Reply | Lost | None) -> tuple[HeldoutError | None, float | None]:
    if isinstance(reply, Reply):
        if reply.status < 300:
            return None, None
        retry_after = seconds_of(reply.headers.get("retry-after"))
        error = from_response(reply.status, reply.headers, reply.body, retry_after)
        error.origin = reply.origin
        return error, retry_after
    reason = reply.reason if isinstance(reply, Lost) else "no answer"
    return ConnectionFailed(reason, code="connection_failed"), None


def _is_json(body: bytes) -> bool:
    try:
        json.loads(body)
    except ValueError:
        return False
    return True


def _spent(error: HeldoutError) -> bool:
    return isinstance(error, QuotaExceeded) or out_of_money(error)
