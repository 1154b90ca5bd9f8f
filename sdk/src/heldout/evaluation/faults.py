"""What goes wrong in an evaluation: whose fault it is, and whether the same task may be tried again."""

import re

from heldout.errors import (
    AuthenticationError,
    ConnectionFailed,
    HeldoutError,
    NotFound,
    PermissionDenied,
    QuotaExceeded,
    RateLimited,
    ServerError,
    out_of_money,
    unexplained,
)
from heldout.evaluation.pace import overloaded

_PASSING = (
    AuthenticationError,
    ConnectionError,
    ConnectionFailed,
    NotFound,
    PermissionDenied,
    RateLimited,
    ServerError,
    TimeoutError,
)
_REFUSED = (AuthenticationError, NotFound, PermissionDenied, QuotaExceeded)
_FULL = re.compile(r"context.{0,20}(length|window|limit|size)|maximum context|prompt is too long|too many tokens", re.I)


class EndpointError(HeldoutError):
    """The model's endpoint refused or failed. `passing`: nothing about this task; a later run may succeed. `spent`:
    there is no more money behind the key."""

    default_advice = "read what the endpoint said; check --url, the key and the model's name"

    def __init__(self, detail: str, *, passing: bool = False, status: int = 0, spent: bool = False) -> None:
        super().__init__(detail, status=status, code="model_endpoint")
        self.passing, self.spent = passing, spent


class ContextLimitError(EndpointError):
    """The conversation does not fit into the model's context any more."""


def endpoint_error(url: str, error: HeldoutError) -> EndpointError:
    """The endpoint's error in its own words, from `{"error": {"message": ...}}` where it sent that."""
    reply = error.extensions.get("error")
    message = reply.get("message") if isinstance(reply, dict) else reply
    words = str(message or error.detail)
    if words == unexplained(error.status):
        words = f"nothing that says why ({error.excerpt}); the address may be a page's or a proxy's"
    spent = out_of_money(error)
    detail = f"the model's endpoint {url} answered {error.status}: {words}" if error.status else words
    detail = detail if url in detail else f"{url}: {words}"
    if error.status in {400, 413, 422} and _FULL.search(words):
        return ContextLimitError(detail, status=error.status)
    return EndpointError(detail, passing=spent or isinstance(error, _PASSING), status=error.status, spent=spent)


def passing(error: Exception) -> bool:
    """Whether the fault lies with an endpoint, a network or the service, and not with this task."""
    return error.passing if isinstance(error, EndpointError) else isinstance(error, _PASSING)


def unavailable(error: Exception) -> bool:
    """Whether it is worth waiting: nobody answered, or the answer is that of a server that is down or has no room."""
    if isinstance(error, EndpointError):
        return error.passing and not error.spent and (error.status == 0 or overloaded(error.status))
    return passing(error) and not isinstance(error, _REFUSED)


def answered(error: Exception) -> bool:
    """Whether the endpoint was there and failed at what it was asked: a server's fault, or a reply that is none."""
    status = error.status if isinstance(error, EndpointError) and error.passing else 0
    return status == 200 or status >= 500


def final(error: Exception) -> bool:
    """Whether the next request can only be refused alike: nobody pays for it."""
    return isinstance(error, EndpointError) and error.spent


def outside(error: Exception) -> bool:
    """Whether the agent's own code did nothing wrong: an endpoint refused, or nobody was there. Many of them in a row
    say that nothing else is to be expected, whereas an agent that fails has failed its task."""
    return passing(error) or (isinstance(error, EndpointError) and not isinstance(error, ContextLimitError))


def sentence(error: Exception) -> str:
    """Class and first line, short enough for a table."""
    lines = str(error.detail if isinstance(error, HeldoutError) else error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0]}"[:300] if lines else type(error).__name__
