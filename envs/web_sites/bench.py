"""`make bench-web`, second part: what sessions on the shop cost here. Ratios of one run count, not absolute times.

A cold start (the site's process and the browser are started first) against a session beside running ones, in turns;
putting the content back; steps a second and resident memory at 1, 8 and 16 sessions.
"""

import asyncio
import os
import statistics
import time
from collections.abc import Awaitable
from typing import Any

import psutil

from envs.base import Action
from envs.web_sites import close, install
from envs.web_sites.environment import WebSites
from envs.web_sites.instance import Instance
from envs.web_sites.site import site

ROUNDS = int(os.environ.get("ROUNDS", "5"))
STEPS = 5
SEED = 20261121
SPEC: dict[str, Any] = {"sites": ["shop"], "seed": SEED, "signed_in": {"shop": "customer"}}
PAGES = ("/catalogue/", "/accounts/orders/", "/catalogue/category/kitchen_1/", "/search/?q=kettle", "/basket/")


async def opened(seed: int = 0) -> WebSites:
    """A session on the shop: a copy of its content, a signed-in customer, a browser on the front page."""
    world = WebSites()
    await world.reset(SPEC, seed)
    return world


async def wall(work: Awaitable[Any]) -> tuple[float, Any]:
    """Seconds, and the result."""
    begun = time.perf_counter()
    result = await work
    return time.perf_counter() - begun, result


async def openings() -> None:
    """Cold against warm."""
    cold: list[float] = []
    warm: list[float] = []
    for _ in range(ROUNDS):
        await close()
        first = await wall(opened())
        second = await wall(opened(1))
        cold.append(first[0])
        warm.append(second[0])
        for world in (first[1], second[1]):
            await world.close()
    a, b = statistics.median(cold), statistics.median(warm)
    print(f"open a session (site, role, browser, front page): cold {a:.2f} s, warm {b:.2f} s, ratio {a / b:.1f}")


async def resets() -> None:
    """Putting a session's content back to the start."""
    one = await Instance.open(site("shop"), "shop-bench.test", SEED, "full")
    times = [(await wall(one.restore()))[0] for _ in range(10 * ROUNDS)]
    size = one.database.stat().st_size / 1e6
    await one.close()
    print(f"put {size:.1f} MB of content back: {1000 * statistics.median(times):.1f} ms (median of {len(times)})")


def resident() -> float:
    """Megabytes of all processes that this one has started."""
    total = 0
    for process in psutil.Process().children(recursive=True):
        try:
            total += process.memory_info().rss
        except psutil.Error:
            continue
    return total / 1e6


async def steps(count: int) -> None:
    """Steps a second at `count` sessions; each step is a page of the shop and an observation of it."""
    before = resident()
    worlds = [await opened(number) for number in range(count)]
    each = (resident() - before) / count

    async def walk(world: WebSites) -> None:
        address = world.session.page.url.removesuffix("/catalogue/")
        for page in PAGES[:STEPS]:
            await world.step(Action(text=f"goto [{address}{page}]"))

    seconds, _ = await wall(asyncio.gather(*map(walk, worlds)))
    print(f"{count} sessions: {count * STEPS / seconds:.2f} steps/s, {each:.0f} MB resident a session")
    for world in worlds:
        await world.close()


async def main() -> None:
    """Everything, in order."""
    print(f"load at the start: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    await install.template(site("shop"), SEED)
    await openings()
    await resets()
    for count in (1, 8, 16):
        await steps(count)
    await close()


if __name__ == "__main__":
    asyncio.run(main())
