"""One thing that `config check` tried, and what several of its checks need."""

import re
from dataclasses import dataclass
from pathlib import Path

import httpx2

SECONDS = 10.0


@dataclass(frozen=True)
class Check:
    """One thing tried. `remedy` says what to do; empty when it works."""

    name: str
    detail: str
    remedy: str = ""

    @property
    def ok(self) -> bool:
        return not self.remedy


def secret_fault(file: Path) -> str:
    """What is wrong with a file that holds a key; empty where it holds one. The key itself is never in it."""
    try:
        secret = file.read_text().strip()
    except OSError as error:
        return f"{file} cannot be read: {error.strerror}"
    except ValueError:
        return f"{file} is no text"
    if not secret:
        return f"{file} is empty"
    # It goes into a header, and what cannot go there would be quoted in the error.
    return "" if secret.isascii() and secret.isprintable() else f"{file} holds more than one line of ASCII"


def without_password(address: str) -> str:
    """An address as it may be shown."""
    return re.sub(r"//[^/@]*@", "//", address)


async def answers(name: str, address: str, remedy: str, *, issuer: str | None = None) -> Check:
    """Whether anything answers; with `issuer` the provider's own description of itself."""
    try:
        async with httpx2.AsyncClient(timeout=SECONDS) as client:
            reply = await client.get(address)
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        return Check(name, f"{address}: {type(error).__name__} {error}".strip(), remedy)
    ok = reply.status_code < 400
    if ok and issuer and _issuer(reply) != issuer:
        return Check(name, f"{address} does not name {issuer} as its issuer", remedy)
    return Check(name, f"{address} answers {reply.status_code}", "" if ok else remedy)


def _issuer(reply: httpx2.Response) -> object:
    try:
        return reply.json()["issuer"]
    except (ValueError, TypeError, KeyError):
        return None
