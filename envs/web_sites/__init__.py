"""Real sites in a browser: each session has its own copy of a site's content, and the state it leaves is judged."""

from envs.web_sites.environment import WebSites
from envs.web_sites.spec import WebSitesSpec


def create() -> WebSites:
    """A fresh environment."""
    return WebSites()


__all__ = ["WebSites", "WebSitesSpec", "create"]
