"""What is wrong with an episode on sites beyond its models. A site that is not served here is taken at its word."""

from collections.abc import Iterable, Iterator, Sequence

from envs.definition import NamedProbe, SpecFault
from envs.web_sites.known import description, names
from envs.web_sites.site import SiteDescription
from envs.web_sites.spec import PageProbe, QueryProbe, SiteProbe, WebSitesSpec


def check(spec: WebSitesSpec, probes: Sequence[NamedProbe]) -> Iterable[SpecFault]:
    """Roles, queries and locators that a site does not have, and probes of a site that is none of the task's."""
    served = {name: description(name) for name in set(spec.sites) & set(names())}
    if isinstance(spec.signed_in, dict):
        for name, role in spec.signed_in.items():
            if name in served:
                yield from _one_of(f"spec.signed_in.{name}", "role", role, served[name].roles)
    if len({one.now for one in served.values() if one.now}) > 1:
        yield SpecFault("spec.sites", "their clocks differ", "take sites with the same 'now' in site.toml")
    for place, (_, asked) in enumerate(probes):
        field = f"probes[{place}].arguments"
        if isinstance(asked, SiteProbe):
            yield from _one_of(f"{field}.site", "site", asked.site, spec.sites)
            if isinstance(asked, QueryProbe) and asked.site in served:
                yield from _one_of(f"{field}.query", "query", asked.query, served[asked.site].query_names)
        elif isinstance(asked, PageProbe):
            yield from _page(field, asked, spec, served)


def _page(field: str, asked: PageProbe, spec: WebSitesSpec, served: dict[str, SiteDescription]) -> Iterator[SpecFault]:
    if asked.page.site is not None and asked.locator.named is not None:
        yield from _one_of(f"{field}.page.site", "site", asked.page.site, spec.sites)
        if asked.page.site in served:
            yield from _one_of(
                f"{field}.locator.named", "locator", asked.locator.named, served[asked.page.site].locators
            )
    if asked.role is not None and len(served) == len(set(spec.sites)):
        yield from _one_of(f"{field}.role", "role", asked.role, {role for one in served.values() for role in one.roles})


def _one_of(field: str, what: str, name: str, there_are: Iterable[str]) -> Iterator[SpecFault]:
    if name not in there_are:
        known_ones = ", ".join(sorted(there_are)) or "none"
        yield SpecFault(field, f"there is no {what} '{name}' here", f"known are: {known_ones}")
