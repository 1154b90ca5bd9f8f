"""Real sites in a browser: each session has its own copy of a site's content, and the state it leaves is judged."""

from envs.base import Environment
from envs.definition import EnvironmentDefinition
from envs.web_sites.check import check
from envs.web_sites.spec import PROBES, WebSitesSpec


def _create() -> Environment:
    from envs.web_sites.environment import WebSites

    return WebSites()


async def close() -> None:
    """End the browser and the sites' processes of the running loop."""
    from envs.browser import chromium
    from envs.web_sites import process
    from envs.web_sites.external import served

    await chromium.shared().close()
    await served.close()
    await process.shared().close()


ENVIRONMENT = EnvironmentDefinition(
    name="web_sites", spec=WebSitesSpec, probes=PROBES, check=check, create=_create, close=close
)
