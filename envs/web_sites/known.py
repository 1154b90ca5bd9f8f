"""Every site that sessions can have here: those that an owner runs, and our own."""

from envs.base import SpecError
from envs.web_sites import site as own
from envs.web_sites.external.registry import external_sites
from envs.web_sites.site import SiteDescription


def names() -> list[str]:
    """The names of all sites. Raises SpecError for a wrong `sites.toml`."""
    return sorted({*own.names(), *external_sites()})


def description(name: str) -> SiteDescription:
    """The site of this name; an owner's own comes before ours. Raises SpecError for one that is not served here."""
    external = external_sites().get(name)
    if external:
        return external
    try:
        return own.site(name)
    except SpecError:
        if name in own.names():
            raise
        known = ", ".join(names()) or "none"
        remedy = "an owner's own deployment is named in sites.toml (docs/sites.md)"
        raise SpecError(f"the site '{name[:40]}' is not served here; served are: {known}; {remedy}") from None
