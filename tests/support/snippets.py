"""The snippets of a page as somebody would copy them, and how they are run beside a service in this process."""

import asyncio
import re
from pathlib import Path
from typing import Any

from tests.support.service import Service

ROOT = Path(__file__).parents[2]


def snippets(page: str, language: str) -> list[str]:
    """The fenced blocks of one language in a page of the repository, in their order."""
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), flags=re.DOTALL)


async def working(service: Service, task: asyncio.Future[Any]) -> Any:
    """What the task gives, with the service's jobs done until it has ended."""
    while not task.done():
        await service.work()
        await asyncio.wait([task], timeout=0.2)
    return await task


async def executed(service: Service, snippet: str, names: dict[str, Any]) -> None:
    """Run a snippet of Python as it stands, in a thread, with these names known."""
    await working(service, asyncio.ensure_future(asyncio.to_thread(exec, snippet, names)))
