"""Rate limits: slowapi's Limiter as configuration and storage, applied by a router dependency after authentication.

slowapi's middleware does not see included routers on this FastAPI and lets everything through; a dependency cannot
be skipped. A storage that fails is a refusal (503), never a free pass.
"""

import time
from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Response
from limits import RateLimitItem, RateLimitItemPerMinute, parse
from slowapi import Limiter
from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection

from api.core.client_address import client_address, throttled_address
from api.core.errors import ServiceError
from api.core.settings import Settings

RATES = {
    "public": "300/minute",
    "login": "20/minute",
    "problems": "120/minute",
    "submissions": "120/minute",
    "read": "600/minute",
    "write": "120/minute",
    "steps": "1200/minute",
    "owner": "120/minute",
}


class RateLimitedError(ServiceError):
    status = 429
    code = "rate_limited"
    title = "Too many requests"


class LimiterDownError(ServiceError):
    status = 503
    code = "limiter_unavailable"
    title = "The rate limiter is unavailable, so the request was refused"


def make_limiter(settings: Settings) -> Limiter:
    """The limiter of one application."""
    return Limiter(
        key_func=client_address,
        storage_uri=settings.rate_storage,
        strategy="moving-window",
        enabled=settings.rate_limits_enabled,
        swallow_errors=False,
    )


def _who(request: HTTPConnection) -> str:
    principal = getattr(request.state, "principal", None)
    if principal:
        # Keys cost nothing, and nor do organisations before somebody has verified them.
        return f"organisation:{principal.capped_by}"
    viewer = getattr(request.state, "viewer", None)
    return f"user:{viewer.user_id}" if viewer else f"address:{throttled_address(client_address(request))}"


def _hit(limiter: Limiter, item: RateLimitItem, name: str, who: str) -> tuple[bool, int, int]:
    allowed = bool(limiter.limiter.hit(item, name, who))
    reset, remaining = limiter.limiter.get_window_stats(item, name, who)
    return allowed, max(0, remaining), max(1, int(reset - time.time()) + 1)


def limited(name: str) -> Callable[[HTTPConnection, Response], Coroutine[Any, Any, None]]:
    """A dependency that counts the request under the rate called `name`, by organisation, by user, or by address."""
    item = parse(RATES[name])

    async def check(request: HTTPConnection, response: Response) -> None:
        if not request.app.state.limiter.enabled:
            return
        principal = getattr(request.state, "principal", None)
        if principal and principal.requests_per_minute:
            own = RateLimitItemPerMinute(principal.requests_per_minute)
            await _count(request, own, "key", f"key:{principal.key_id}")
        response.headers.update(await _count(request, item, name, _who(request)))

    check.__dict__["rate"] = name
    return check


def counted_ahead(name: str, count: int, unlimited: int) -> Callable[[HTTPConnection], Coroutine[Any, Any, int]]:
    """Counts `count` requests before they come; how many may come uncounted. 0: each has to be counted by itself.

    `unlimited` where nothing is counted at all.
    """
    item = parse(RATES[name])

    async def ahead(request: HTTPConnection) -> int:
        limiter: Limiter = request.app.state.limiter
        if not limiter.enabled:
            return unlimited
        principal = getattr(request.state, "principal", None)
        asked = [(item, name, _who(request))]
        if principal and principal.requests_per_minute:
            asked.insert(0, (RateLimitItemPerMinute(principal.requests_per_minute), "key", f"key:{principal.key_id}"))
        try:
            if request.app.state.settings.rate_storage.startswith("memory"):
                hits = [limiter.limiter.hit(*one, cost=count) for one in asked]
            else:
                hits = [await run_in_threadpool(limiter.limiter.hit, *one, cost=count) for one in asked]
        except Exception:  # noqa: BLE001 - the next request is counted by itself, and refused where that fails
            return 0
        return count if all(hits) else 0

    return ahead


async def _count(request: HTTPConnection, item: RateLimitItem, name: str, who: str) -> dict[str, str]:
    """Count the request. Returns what its headers say of the limit. Raises RateLimitedError, LimiterDownError."""
    limiter: Limiter = request.app.state.limiter
    try:
        if request.app.state.settings.rate_storage.startswith("memory"):
            allowed, remaining, reset = _hit(limiter, item, name, who)
        else:
            allowed, remaining, reset = await run_in_threadpool(_hit, limiter, item, name, who)
        request.app.state.limits_away.worked()
    except Exception as error:
        request.app.state.limits_away.failed(error)
        raise LimiterDownError("try again in a moment", retry_after=5) from error
    headers = {
        "RateLimit-Policy": f'"{name}";q={item.amount};w={item.get_expiry()}',
        "RateLimit": f'"{name}";r={remaining};t={reset}',
    }
    if not allowed:
        raise RateLimitedError(f"the limit is {item}; wait {reset} s", headers=headers, retry_after=reset)
    return headers
