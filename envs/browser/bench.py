"""`make bench-web`: what the browser costs here. Ratios of one run count; absolute times are this machine's.

One page of about 1,200 accessibility nodes is observed in our way (one tree, one snapshot) and in the published way
(two calls for the rectangle of each node), in turns. Then sessions are opened, and steps taken at 1, 8 and 16 of them.
"""

import asyncio
import os
import statistics
import time
from collections.abc import Awaitable, Callable
from typing import Any

import psutil

from envs.browser import chromium
from envs.browser.actions import from_text
from envs.browser.http1 import Request, Response
from envs.browser.observe import observe
from envs.browser.perform import perform
from envs.browser.session import BrowserSession

ROUNDS = int(os.environ.get("ROUNDS", "5"))
STEPS = 5
RECT = (
    "function () { const r = document.createRange(); r.selectNode(this);"
    " return JSON.stringify(r.getBoundingClientRect()) }"
)


async def site(request: Request) -> Response:
    """A page with a table of 170 links and texts."""
    rows = "".join(f"<tr><td><a href=/{n}>item {n}</a></td><td>text of {n}</td></tr>" for n in range(170))
    return Response.html(f"<title>{request.path}</title><h1>Items</h1><table>{rows}</table>")


def cpu() -> float:
    """CPU seconds of this process, the driver and the browser."""
    total = 0.0
    for process in [psutil.Process(), *psutil.Process().children(recursive=True)]:
        try:
            times = process.cpu_times()
        except psutil.Error:
            continue
        total += times.user + times.system
    return total


async def per_node(session: BrowserSession) -> int:
    """The published way: a rectangle for each node of the tree. Returns the number of nodes."""
    cdp = session.tab.cdp
    nodes = (await cdp.send("Accessibility.getFullAXTree"))["nodes"]
    for node in nodes:
        if "backendDOMNodeId" not in node:
            continue
        thing = (await cdp.send("DOM.resolveNode", {"backendNodeId": node["backendDOMNodeId"]}))["object"]["objectId"]
        asked = {"objectId": thing, "functionDeclaration": RECT, "returnByValue": True}
        await cdp.send("Runtime.callFunctionOn", asked)
    return len(nodes)


async def timed(work: Callable[[], Awaitable[Any]]) -> tuple[float, float, Any]:
    """Wall and CPU seconds, and the result."""
    before, begun = cpu(), time.perf_counter()
    result = await work()
    return time.perf_counter() - begun, cpu() - before, result


async def opened() -> BrowserSession:
    """A session with the page in front."""
    session = BrowserSession({"bench.test": site})
    await session.open()
    await perform(session, from_text("goto [http://bench.test/]"))
    return session


async def observations() -> None:
    """Our way against the published way, in turns."""
    session = await opened()
    ours, theirs, nodes = [], [], 0
    for _ in range(ROUNDS):
        ours.append((await timed(lambda: observe(session, whole=True)))[:2])
        wall, seconds, nodes = await timed(lambda: per_node(session))
        theirs.append((wall, seconds))
    for name, rows in (("one tree and one snapshot", ours), ("a rectangle a node", theirs)):
        wall, seconds = (statistics.median(column) for column in zip(*rows, strict=True))
        print(f"observe, {name}: {wall:.3f} s, {seconds:.3f} CPU s (median of {ROUNDS}, {nodes} nodes)")
    ratios = [b[1] / max(a[1], 1e-3) for a, b in zip(ours, theirs, strict=True)]
    print(f"CPU ratio: {statistics.median(ratios):.1f} (from {min(ratios):.1f} to {max(ratios):.1f})")
    await session.close()


async def openings() -> None:
    """A cold start against a session in a running browser."""
    cold: list[float] = []
    warm: list[float] = []
    for _ in range(ROUNDS):
        await chromium.shared().close()
        for walls in (cold, warm):
            wall, _, session = await timed(opened)
            walls.append(wall)
            await session.close()
    print(f"open a session: cold {statistics.median(cold):.3f} s, warm {statistics.median(warm):.3f} s")


async def steps(count: int) -> None:
    """Steps a second at `count` sessions, each a navigation and an observation; memory."""
    sessions = [await opened() for _ in range(count)]

    async def walk(session: BrowserSession) -> None:
        for number in range(STEPS):
            await perform(session, from_text(f"goto [http://bench.test/{number}]"))
            await observe(session)

    wall, seconds, _ = await timed(lambda: asyncio.gather(*(walk(session) for session in sessions)))
    memory = sum(process.memory_info().rss for process in psutil.Process().children(recursive=True)) / 1e6
    done = count * STEPS
    print(f"{count} sessions: {done / wall:.2f} steps/s, {seconds / done:.2f} CPU s a step, {memory:.0f} MB resident")
    for session in sessions:
        await session.close()


async def main() -> None:
    """Everything, in order."""
    print(f"load at the start: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    await observations()
    await openings()
    for count in (1, 8, 16):
        await steps(count)
    await chromium.shared().close()


if __name__ == "__main__":
    asyncio.run(main())
