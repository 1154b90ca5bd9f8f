"""What an episode on sites is made of. None of it tells what is right."""

from collections.abc import Mapping
from typing import Literal, Self, TypeVar

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, JsonValue, model_validator

from envs.base import NoArguments
from envs.browser.spec import BrowserSpec

Model = TypeVar("Model", bound=BaseModel)


class Start(BaseModel):
    """A tab that is open at the start."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    site: str
    path: str = "/"


class WebSitesSpec(BrowserSpec):
    """`sites` with the content of `seed` and `size`, `start` tabs (the first is in front), `signed_in`: role by site.

    `extracts`: SHA-256 of the owner's file from which a site's content is made, such as a map's.
    `signed_in` may also be a list of sites, each entered in its first role. `timeout` is the seconds a page may take
    for one action. `require_login`, `require_reset`, `geolocation`, `template` and `revision` are what WebArena's
    files say of a task; every session here starts from a fresh copy anyhow.
    """

    sites: tuple[str, ...] = Field(min_length=1, max_length=8)
    seed: int = 0
    size: Literal["full", "small"] = "full"
    extracts: dict[str, str] = Field(default_factory=dict)
    start: tuple[Start, ...] = ()
    signed_in: dict[str, str] | tuple[str, ...] = ()
    timeout: float = Field(default=90.0, ge=1, le=600, validation_alias=AliasChoices("timeout", "patience"))
    require_login: bool = False
    require_reset: bool = False
    geolocation: JsonValue = None
    template: dict[str, JsonValue] = Field(default_factory=dict)
    revision: int | None = None

    @model_validator(mode="after")
    def _about_its_sites(self) -> Self:
        named = {tab.site for tab in self.start} | set(self.signed_in) | set(self.extracts)
        if unknown := sorted(named - set(self.sites)):
            raise ValueError(f"'{unknown[0]}' is not among the task's sites: {', '.join(self.sites)}")
        return self

    def tabs(self) -> tuple[Start, ...]:
        """The tabs to open: the front page of the first site when none is named."""
        return self.start or (Start(site=self.sites[0]),)


def _one_of(model: Model, *names: str) -> Model:
    if sum(getattr(model, name) is not None for name in names) != 1:
        raise ValueError(f"give one of {', '.join(names)}")
    return model


class PageAddress(BaseModel):
    """The page to look at: the `last` one, an `address` such as `__SHOP__/basket/`, the `site` of a named locator, or a
    `helper` with `arguments` of a published task."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    last: Literal[True] | None = None
    address: str | None = None
    site: str | None = None
    helper: str | None = None
    arguments: tuple[JsonValue, ...] = ()

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        return _one_of(self, "last", "address", "site", "helper")


class PageLocator(BaseModel):
    """What of the page is taken: the `whole` of it, what an `expression` of JavaScript gives, the site's locator that
    is `named` so, with `values` for the places of its path, or what a `helper` of a published task gives."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    whole: Literal[True] | None = None
    expression: str | None = None
    named: str | None = None
    values: dict[str, JsonValue] = Field(default_factory=dict)
    helper: str | None = None
    arguments: tuple[JsonValue, ...] = ()

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        return _one_of(self, "whole", "expression", "named", "helper")


class PageProbe(BaseModel):
    """Arguments of `page_content`.

    `scripts`: whether the page's own scripts run. By default they do not, so that nothing a participant planted
    changes what is seen. `role`: whose eyes; by default the participant's.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    page: PageAddress
    locator: PageLocator = PageLocator(whole=True)
    prep_actions: tuple[str, ...] = ()
    scripts: bool = False
    role: str | None = None

    @model_validator(mode="after")
    def _a_named_locator_has_its_site(self) -> Self:
        if (self.page.site is None) != (self.locator.named is None):
            raise ValueError("a named locator goes with 'site' as its page, and only there")
        return self


class SiteProbe(BaseModel):
    """Arguments of `state`: the site."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    site: str


class QueryProbe(SiteProbe):
    """Arguments of `query`: one of the site's queries, with `values` of its parameters."""

    query: str
    values: dict[str, JsonValue] = Field(default_factory=dict)


PROBES: Mapping[str, type[NoArguments | PageProbe | SiteProbe]] = {
    "page": NoArguments,
    "network": NoArguments,
    "page_content": PageProbe,
    "state": SiteProbe,
    "query": QueryProbe,
}
