"""Programs and hooks of an owner's: run with a time limit, their failures told in one sentence."""

import asyncio
import contextlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import httpx2

from envs.base import InfrastructureError
from envs.web_sites.external.spec import Hook, expanded

LONGEST_REASON = 600


@dataclass(frozen=True)
class Owner:
    """Whose programs run: the site's name for messages, and the values of the `{name}` places in them."""

    site: str
    values: Mapping[str, str]

    def filled(self, text: str) -> str:
        """A text of the file with its places and variables filled in. Raises SpecError."""
        for name, value in self.values.items():
            text = text.replace(f"{{{name}}}", value)
        return expanded(text)


async def run(owner: Owner, what: str, command: Sequence[str], seconds: float, given: str = "") -> str:
    """What a program prints. Raises InfrastructureError where it fails, is not there, or takes longer."""
    line = [owner.filled(part) for part in command]
    try:
        process = await asyncio.create_subprocess_exec(
            *line,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        raise InfrastructureError(f"{what} of the site '{owner.site}': {line[0]}: {error.strerror}") from error
    try:
        printed, complaint = await asyncio.wait_for(process.communicate(given.encode()), seconds)
    except TimeoutError:
        raise InfrastructureError(f"{what} of the site '{owner.site}' took more than {seconds:g} s") from None
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, 9)
            await process.wait()
    if process.returncode:
        reason = (complaint or printed).decode("utf-8", "replace").strip()[-LONGEST_REASON:]
        raise InfrastructureError(f"{what} of the site '{owner.site}' ended with {process.returncode}: {reason}")
    return printed.decode("utf-8", "replace")


async def call(owner: Owner, what: str, hook: Hook, seconds: float) -> None:
    """Ask an address of the owner's. Raises InfrastructureError for no answer and for a refusal."""
    url, headers = owner.filled(hook.url), {name: owner.filled(value) for name, value in hook.headers.items()}
    try:
        async with httpx2.AsyncClient(timeout=seconds) as client:
            answer = await client.request(hook.method, url, headers=headers, content=owner.filled(hook.body).encode())
    except httpx2.HTTPError as error:
        raise InfrastructureError(f"{what} of the site '{owner.site}': {url}: {type(error).__name__}") from error
    if answer.status_code >= 400:
        raise InfrastructureError(f"{what} of the site '{owner.site}': {url} answered {answer.status_code}")
