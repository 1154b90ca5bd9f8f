"""What an episode on sites is made of. None of it tells what is right."""

from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue, model_validator

from envs.browser.episode import BrowserSpec


class Start(BaseModel):
    """A tab that is open at the start."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    site: str
    path: str = "/"


class WebSitesSpec(BrowserSpec):
    """`sites` with the content of `seed` and `size`, `start` tabs (the first is in front), `signed_in`: role by site.

    `signed_in` may also be a list of sites, each entered in its first role. `files` (base64) may be uploaded.
    `patience` is the seconds a page may take for one action. `require_login`, `require_reset`, `geolocation` and
    `template` are what WebArena's file says of a task; every session here starts from a fresh copy anyhow.
    """

    sites: tuple[str, ...] = Field(min_length=1, max_length=8)
    seed: int = 0
    size: Literal["full", "small"] = "full"
    start: tuple[Start, ...] = ()
    signed_in: dict[str, str] | tuple[str, ...] = ()
    files: dict[str, str] = Field(default_factory=dict)
    patience: float = Field(default=90.0, ge=1, le=600)
    require_login: bool = False
    require_reset: bool = False
    geolocation: JsonValue = None
    template: dict[str, JsonValue] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _about_its_sites(self) -> Self:
        named = {tab.site for tab in self.start} | set(self.signed_in)
        if unknown := sorted(named - set(self.sites)):
            raise ValueError(f"'{unknown[0]}' is not among the task's sites: {', '.join(self.sites)}")
        return self

    def tabs(self) -> tuple[Start, ...]:
        """The tabs to open: the front page of the first site when none is named."""
        return self.start or (Start(site=self.sites[0]),)


class PageProbe(BaseModel):
    """Arguments of `page_content`.

    `page`: `{"last": true}`, `{"address": "__SHOP__/basket/"}` or, for a named locator, `{"site": "shop"}`.
    `locator`: `{"whole": true}`, `{"expression": "document..."}` or `{"named": name, "values": {}}` of the site.
    `scripts`: whether the page's own scripts run. By default they do not, so that nothing a participant planted
    changes what is seen. `role`: whose eyes; by default the participant's.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    page: dict[str, JsonValue] = Field(default_factory=dict)
    locator: dict[str, JsonValue] = Field(default={"whole": True})
    prep_actions: tuple[str, ...] = ()
    scripts: bool = False
    role: str | None = None
