"""What works of a site that its owner runs, part by part."""

import tempfile
from collections.abc import Awaitable
from dataclasses import dataclass, field
from pathlib import Path

from envs.base import EpisodeError
from envs.browser import chromium
from envs.browser.http1 import Request
from envs.web_sites.difference import TooManyChangesError
from envs.web_sites.external import deployment, served, state
from envs.web_sites.external.deployment import Turn
from envs.web_sites.external.served import External
from envs.web_sites.external.spec import ExternalSite, gateway_name


@dataclass
class Checked:
    """A site's parts, each with what is wrong with it; an empty text means that it works."""

    site: str
    parts: dict[str, str] = field(default_factory=dict)

    @property
    def works(self) -> bool:
        """Whether all of it works."""
        return not any(self.parts.values())

    async def part(self, name: str, work: Awaitable[object]) -> None:
        """Try one part."""
        try:
            await work
            self.parts[name] = ""
        except (EpisodeError, TooManyChangesError, OSError) as error:
            self.parts[name] = str(error)


async def check(site: ExternalSite, *, reset: bool) -> Checked:
    """Try every part of a site at each of its places; it is put back only with `reset`."""
    checked = Checked(site.name)
    for number, place in enumerate(site.places()):
        where = f" at {place.address}" if number else ""
        turn = Turn(site, place)
        external = External.at(turn)
        if reset and site.reset:
            await checked.part(f"reset{where}", deployment.put_back_alone(turn))
        await checked.part(f"address{where}", deployment.well(turn))
        if checked.parts[f"address{where}"]:
            continue
        for role in site.sign_in:
            await checked.part(f"sign-in as {role}{where}", external.sign_in(role))
        for host in site.hosts:
            await checked.part(f"host {host}{where}", _asked(external, host))
        if site.state:
            await checked.part(f"state{where}", _state(turn))
        if site.magento:
            await checked.part(f"shop's interface{where}", external.helper(ORDER, ()))
    return checked


ORDER = "shopping_get_latest_order_url"


async def _asked(external: External, host: str) -> None:
    await external.forward(Request("GET", gateway_name(host), "/"))
    external.check()


async def _state(turn: Turn) -> None:
    assert turn.site.state
    with tempfile.TemporaryDirectory(prefix="hld-check-") as folder:
        await state.remember(turn, turn.site.state, Path(folder))


async def close() -> None:
    """End the browser and the connections that checking has used."""
    await chromium.shared().close()
    await served.close()
