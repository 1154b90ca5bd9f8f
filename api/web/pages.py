"""Public pages: the list of benchmarks, a benchmark with its leaderboard, robots.txt."""

from fastapi import APIRouter, Depends
from fastapi.responses import PlainTextResponse

from api.accounts.principal import Public
from api.core.ratelimit import limited

router = APIRouter(
    tags=["pages"], dependencies=[Depends(Public()), Depends(limited("public"))], include_in_schema=False
)

_ROBOTS = """# Requests to honest crawlers; what is hidden is behind keys and not on these pages.
User-agent: *
Content-Usage: train-ai=n
Disallow: /v1/
Allow: /
"""


@router.get("/robots.txt", response_class=PlainTextResponse)
async def robots() -> str:
    """What crawlers are asked for."""
    return _ROBOTS


@router.get("/healthz", response_class=PlainTextResponse)
async def health() -> str:
    """The process answers."""
    return "ok\n"
