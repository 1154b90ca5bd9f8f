"""Whether two versions of the code show the same pages, byte for byte: `python -m tools.same_pages FILE PACK...`.

Every `--each`-th oracle of the packs is played; with `--clicker`, from every start somebody clicks at random, too, each
time the same way. FILE gets a line for each step: what was shown, and digests of the page as HTML, whole, and as a
picture. With `--against OTHER` it is then compared with what another version wrote.
"""

import argparse
import asyncio
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from api.admission import policies
from api.admission.player import Policy
from envs import registry
from envs.base import View
from envs.web_sites.environment import WebSites
from packs.problem import ReferenceLine
from packs.read import read_pack
from tools.check_web import clicker, seed
from tools.web_starts import shared_starts

VIEWS = {
    "html": View(mode="html", whole_page=True),
    "whole": View(mode="accessibility", whole_page=True),
    "picture": View(mode="screenshot"),
}


def plays(packs: list[Path], each: int, clicks: bool) -> Iterator[tuple[str, ReferenceLine, Policy]]:
    """Name, task and policy of each play."""
    for folder in packs:
        pack = read_pack(folder, registry)
        for line in pack.references[::each]:
            yield f"{folder.name} {line.id}", line, policies.gold(line)
        for start in shared_starts(pack) if clicks else ():
            name = f"clicker {start.lines[0].id}"
            yield f"{folder.name} {name}", start.line(start.lines[0], as_text=True), clicker(name)


def digest(text: str) -> str:
    """Twelve hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


async def played(name: str, line: ReferenceLine, policy: Policy) -> list[dict[str, Any]]:
    """A line for each step."""
    assert line.episode
    world = WebSites()
    rows = []
    try:
        seen, number = await world.reset(dict(line.episode.spec), seed(line.id)), 0
        while True:
            views = {key: await world.view(view) for key, view in VIEWS.items()}
            rows.append(
                {"play": name, "step": number, "text": seen.text, "data": seen.data}
                | {key: digest(view.text + json.dumps(view.images)) for key, view in views.items()}
            )
            action = policy(seen, number)
            if action is None:
                return rows
            result = await world.step(action)
            if result.finish:
                return rows
            seen, number = result.shown(), number + 1
    finally:
        await world.close()


async def record(file: Path, chosen: Iterator[tuple[str, ReferenceLine, Policy]], at_once: int) -> None:
    """Play everything and write what was shown."""
    slots = asyncio.Semaphore(at_once)
    file.write_text("")

    async def one(play: tuple[str, ReferenceLine, Policy]) -> None:
        async with slots:
            rows = await played(*play)
        with file.open("a", encoding="utf-8") as out:
            out.writelines(json.dumps(row) + "\n" for row in rows)

    try:
        await asyncio.gather(*(one(play) for play in chosen))
    finally:
        await registry.close()


def compare(first: Path, second: Path) -> dict[str, Any]:
    """How many steps both have, and which parts of which differ."""
    ours, theirs = (
        {(row["play"], row["step"]): row for row in map(json.loads, file.read_text("utf-8").splitlines())}
        for file in (first, second)
    )
    parts = ("text", "data", *VIEWS)
    differ = {part: [key for key in ours if key in theirs and ours[key][part] != theirs[key][part]] for part in parts}
    return {
        "steps": len(ours),
        "only in one": len(set(ours) ^ set(theirs)),
        "differ": {part: len(keys) for part, keys in differ.items()},
        "examples": {part: keys[:5] for part, keys in differ.items() if keys},
    }


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Whether two versions of the code show the same pages.")
    parser.add_argument("file", type=Path)
    parser.add_argument("packs", type=Path, nargs="*")
    parser.add_argument("--each", type=int, default=1, help="every so many tasks")
    parser.add_argument("--clicker", action="store_true", help="and a random play from every start")
    parser.add_argument("--at-once", type=int, default=4)
    parser.add_argument("--against", type=Path, help="what another version wrote")
    given = parser.parse_args()
    if given.packs:
        chosen = plays(given.packs, given.each, given.clicker)
        asyncio.run(record(given.file, chosen, given.at_once))
    if given.against:
        found = compare(given.file, given.against)
        print(json.dumps(found))
        raise SystemExit(bool(found["only in one"] or any(found["differ"].values())))


if __name__ == "__main__":
    main()
