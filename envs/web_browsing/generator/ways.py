"""Ways over a site's own links, for oracles that go to an address by themselves."""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any
from urllib.parse import parse_qsl, urldefrag, urlsplit

from envs.browser.episode import BrowserEpisode

MOST_PAGES = 150
AT_ONCE = 4
# Pages that end the visit or change something when they are opened, and what is no page.
AVOIDED = re.compile(r"logout|signout|delete|remove|/(?:media|static)/|\.(?:png|jpe?g|css|js|svg|xml|ico)$|rss|feed")
FETCH = """
(addresses) => Promise.all(addresses.map(async (address) => {
  try {
    const reply = await fetch(address);
    const page = new DOMParser().parseFromString(await reply.text(), "text/html");
    const whole = (path) => new URL(path || "", reply.url).href;
    const asks = (form) => (form.getAttribute("method") || "get").toLowerCase() === "get";
    const forms = [...page.querySelectorAll("form")].filter(asks);
    return {
      links: [...page.querySelectorAll("a[href]")].map((one) => whole(one.getAttribute("href"))),
      forms: forms.map((one) => ({
        action: whole(one.getAttribute("action")),
        names: [...one.querySelectorAll("input:not([type=hidden]), select")].map((field) => field.name),
      })),
    };
  } catch { return { links: [], forms: [] }; }
}))
"""


@dataclass(frozen=True)
class Follow:
    """Click a link to this address."""

    url: str


@dataclass(frozen=True)
class Ask:
    """Fill in these fields of a form that leads to the address, and send it."""

    fields: Mapping[str, str]
    url: str


Move = Follow | Ask


@dataclass
class _Page:
    links: Sequence[str]
    forms: Sequence[Mapping[str, Any]]


@dataclass
class Scout:
    """Looks at the pages of a task's sites in a session of its own, so that the recorded one is left alone.

    One scout serves all tasks that see the same: `world` is an episode with their sites and roles.
    """

    world: BrowserEpisode
    _pages: dict[str, _Page] = field(default_factory=dict)

    @staticmethod
    def sign(spec: Mapping[str, Any]) -> str:
        """What tasks that can share a scout have in common."""
        return json.dumps([spec.get(name) for name in ("sites", "seed", "size", "signed_in")], sort_keys=True)

    async def way(self, start: str, target: str, barred: Collection[str] = ()) -> list[Move] | None:
        """The shortest way from one address to another that does not use those that are barred; None where none is
        found within MOST_PAGES pages."""
        start, target = urldefrag(start).url, urldefrag(target).url
        before: dict[str, str] = {start: ""}
        level, seen = [start], 0
        while level and seen < MOST_PAGES:
            # Of pages that are as far away, those whose address is like the target's come first.
            level.sort(key=lambda address: -_alike(address, target))
            further: list[str] = []
            for first in range(0, min(len(level), MOST_PAGES - seen), AT_ONCE):
                here = level[first : first + AT_ONCE]
                await self._look(here)
                for address in here:
                    end = self._end(address, target, barred)
                    if end is not None:
                        return [*_back(before, address), end]
                    links = [one for one in self._pages[address].links if one not in before and one not in barred]
                    found = [one for one in dict.fromkeys(links) if _worth_a_look(one, address)]
                    before |= dict.fromkeys(found, address)
                    further += found
            seen += len(level)
            level = further
        return None

    async def _look(self, addresses: Sequence[str]) -> None:
        new = [address for address in addresses if address not in self._pages]
        if new:
            session = self.world.session
            found = await session.run(session.page.evaluate(FETCH, new)) or []
            for address, one in zip(new, found, strict=True):
                links = dict.fromkeys(urldefrag(link).url for link in one["links"])
                self._pages[address] = _Page(list(links), one["forms"])

    def _end(self, address: str, target: str, barred: Collection[str]) -> Move | None:
        page = self._pages[address]
        if target in page.links and target not in barred:
            return Follow(target)
        parts = urlsplit(target)
        wanted = dict(parse_qsl(parts.query))
        for form in page.forms:
            sent_to = urlsplit(form["action"])
            if wanted and sent_to[:3] == parts[:3] and set(wanted) <= set(form["names"]):
                return Ask(wanted, target)
        return None


def _alike(address: str, target: str) -> int:
    """How many characters both have at their beginnings."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(address, target, strict=False)))


def _worth_a_look(link: str, page: str) -> bool:
    one, other = urlsplit(link), urlsplit(page)
    return one[:2] == other[:2] and not AVOIDED.search(one.path) and (not one.query or one.query.startswith("page="))


def _back(before: Mapping[str, str], address: str) -> list[Move]:
    steps: list[Move] = []
    while before[address]:
        steps.insert(0, Follow(address))
        address = before[address]
    return steps
