"""`make bench-web`, third part: what a step with an accessibility observation costs on our shop, and beside BrowserGym.

    python -m tools.bench_web [--rounds 5] [--sessions 16] [--beside INTERPRETER]

The table says where processor time goes. With the interpreter of an environment that has browsergym-core, it takes the
same steps on the same session of the shop, over the same gateway, in turns with ours; its time is that of its own
processes, ours that of all but the shop's. Ratios of one run count, not absolute times.
"""

import argparse
import asyncio
import json
import re
import statistics
import time
from pathlib import Path
from typing import Any

from envs.base import Action
from envs.browser import chromium
from envs.browser.gateway import Gateway
from envs.web_sites import close
from envs.web_sites.environment import WebSites
from tools.bench_web.processes import Family
from tools.bench_web.stages import Stages

SEED = 20261121
TURNS = 3
SPEC: dict[str, Any] = {"sites": ["shop"], "seed": SEED, "signed_in": {"shop": "customer"}}
PAGES = ("/catalogue/", "/accounts/orders/", "/catalogue/category/kitchen_1/", "/search/?q=kettle", "/basket/")
ROOT = Path(__file__).parents[2]
Step = dict[str, Any]


async def opened(session: int = 0) -> WebSites:
    """A session on the shop, and its first page."""
    world = WebSites()
    await world.reset(SPEC, session)
    return world


def walk(address: str) -> list[Step]:
    """Each page, scrolled, and left by a link that all of them have."""
    steps: list[Step] = []
    for page in PAGES:
        steps += [{"goto": address + page}, {"scroll": 600}, {"scroll": -600}, {"click": "Home"}]
    return steps


async def take(world: WebSites, step: Step, shown: str) -> str:
    """One step by our session; what is shown then."""
    if "goto" in step:
        text = f"goto [{step['goto']}]"
    elif "scroll" in step:
        text = f"scroll [{'down' if step['scroll'] > 0 else 'up'}]"
    else:
        found = re.search(rf"\[(\d+)\] link '{step['click']}'", shown)
        if not found:
            raise SystemExit(f"no link {step['click']!r} is shown")
        text = f"click [{found[1]}]"
    result = await world.step(Action(text=text))
    if result.error:
        raise SystemExit(f"{text}: {result.error}")
    return result.observation.text


async def by_stage(rounds: int) -> None:
    """The table."""
    world = await opened()
    steps = walk(world._instances["shop"].address)
    shown = ""
    for step in steps:
        shown = await take(world, step, shown)
    family = Family()
    stages = Stages(family)
    with stages.measuring():
        for _ in range(rounds):
            for step in steps:
                with stages.stage("acting, and lines of text"):
                    shown = await take(world, step, shown)
    print("\n".join(stages.table(rounds * len(steps))))
    await world.close()


async def ours(world: WebSites, steps: list[Step], rounds: int) -> tuple[float, float]:
    """Processor seconds of a step without the shop's, and wall seconds."""
    shown, family = "", Family()
    for step in steps:
        shown = await take(world, step, shown)
    family.look()
    before, begun = family.microseconds(), time.perf_counter()
    for _ in range(rounds):
        for step in steps:
            shown = await take(world, step, shown)
    family.look()
    spent = family.microseconds()
    spent.subtract(before)
    spent.pop("site", None)
    count = rounds * len(steps)
    return sum(spent.values()) / 1e6 / count, (time.perf_counter() - begun) / count


async def theirs(world: WebSites, interpreter: str, steps: list[Step], rounds: int) -> dict[str, Any]:
    """What BrowserGym says of the same steps in the same session."""
    shop = world._instances["shop"]
    gateway = Gateway(dict.fromkeys(shop.hosts, shop))
    given = {
        "executable": str(chromium.executable()),
        "proxy": f"http://127.0.0.1:{await gateway.start()}",
        "storage_state": (await shop.sign_in("customer")).storage_state(),
        "rounds": rounds,
        "steps": steps,
    }
    process = await asyncio.create_subprocess_exec(
        interpreter,
        "-m",
        "tools.bench_web.beside",
        cwd=ROOT,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    said, _ = await process.communicate(json.dumps(given).encode())
    await gateway.close()
    if process.returncode:
        raise SystemExit("BrowserGym did not take the steps")
    return dict(json.loads(said))


async def compared(interpreter: str, rounds: int) -> None:
    """Ours and BrowserGym's in turns."""
    ratios = []
    for _ in range(TURNS):
        world = await opened()
        steps = walk(world._instances["shop"].address)
        cpu, wall = await ours(world, steps, rounds)
        other = await theirs(world, interpreter, steps, rounds)
        await world.close()
        their_cpu, their_wall = other["cpu"] / other["steps"], other["wall"] / other["steps"]
        ratios.append(their_cpu / cpu)
        print(f"a step here: {cpu:.3f} CPU s, {wall:.2f} s")
        said = f"{their_cpu:.3f} CPU s, {their_wall:.2f} s, {other['failed']} too slow for it"
        print(f"a step of BrowserGym {other['version']}: {said}")
    found = f"{statistics.median(ratios):.1f} (from {min(ratios):.1f} to {max(ratios):.1f})"
    print(f"steps a CPU second, ours over BrowserGym's (the shop's own time is in neither): {found}")


async def memory(sessions: int) -> None:
    """Megabytes that a session adds."""
    family = Family()
    first = await opened()
    family.look()
    before = family.megabytes()
    worlds = [await opened(number) for number in range(1, sessions)]
    family.look()
    together = family.megabytes()
    each = (together - before) / len(worlds)
    print(f"{sessions} sessions, shared memory divided: {together:.0f} MB, {each:.0f} MB a session besides the first")
    for world in [first, *worlds]:
        await world.close()


async def main() -> None:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(prog="tools.bench_web")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sessions", type=int, default=16)
    parser.add_argument("--beside", help="an interpreter with browsergym-core")
    options = parser.parse_args()
    await by_stage(options.rounds)
    await memory(options.sessions)
    if options.beside:
        await compared(options.beside, options.rounds)
    await close()


if __name__ == "__main__":
    asyncio.run(main())
