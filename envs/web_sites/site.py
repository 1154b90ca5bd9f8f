"""What is known of a site; our own are folders `envs/web_sites/sites/<name>/` with `site.toml` and `app/`."""

import datetime
import functools
import os
import re
import tomllib
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from envs.base import SpecError

HERE = Path(__file__).resolve()
NAME = re.compile(r"[a-z][a-z0-9_]{0,30}")


class Role(BaseModel):
    """Who a participant may be on a site; `about` is for authors of tasks."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    about: str = ""


class Locator(BaseModel):
    """What of a page a grader may look at: `expression` is JavaScript that gives a text; `path` may hold `{name}`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    path: str
    expression: str


class Query(BaseModel):
    """A question to the site's database: one SELECT with `:name` parameters."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    sql: str = Field(pattern=r"(?is)^\s*(select|with)\b")


class SiteDescription(BaseModel):
    """What is known of a site, whoever runs it.

    `now`: its clock, if that stands still. `volatile`: tables that are no part of its state. `allowed`: changes that
    come with merely using the site (counters, histories), in the words of the reference kind `state_change`; authors
    of tasks copy them into their references.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    title: str
    now: datetime.datetime | None = None
    volatile: tuple[str, ...] = ()
    roles: dict[str, Role] = Field(default_factory=dict)
    locators: dict[str, Locator] = Field(default_factory=dict)
    allowed: tuple[dict[str, JsonValue], ...] = ()

    @property
    def query_names(self) -> tuple[str, ...]:
        """What can be asked of its state."""
        return ()

    @property
    def placeholder(self) -> str:
        """What stands for the site's address in packs, such as `__SHOP__`."""
        return f"__{self.name.upper()}__"


class Site(SiteDescription):
    """A site of our own, as its folder describes it. Its clock stands still.

    `data` names another site on whose content it works: in a session with both they share one database. `python`: the
    least version that it needs, such as "3.12". `extract`: the variable that names a file of an owner's own from which
    its content may be made (see `install.extract`).
    """

    folder: Path
    data: str = ""
    python: str | None = Field(default=None, pattern=r"^3\.\d+$")
    extract: str | None = None
    now: datetime.datetime
    roles: dict[str, Role] = Field(min_length=1)
    queries: dict[str, Query] = Field(default_factory=dict)

    @property
    def query_names(self) -> tuple[str, ...]:
        """See `SiteDescription`."""
        return tuple(self.queries)

    @property
    def source(self) -> "Site":
        """The site that makes its content: itself, unless it works on another's. Raises SpecError."""
        return site(self.data) if self.data else self

    @property
    def requirements(self) -> Path:
        """The locked requirements of the site's own virtual environment."""
        return self.folder / "requirements.txt"

    @property
    def libraries(self) -> Path:
        """The lock file of the site's npm packages, if it has some."""
        return self.folder / "package-lock.json"

    def host(self, tag: str) -> str:
        """The site's host name in a session. Sites of one session share no domain, so that their cookies do not mix."""
        return f"{self.name.replace('_', '-')}-{tag}.test"


def folder() -> Path:
    """Where sites are described: `HELDOUT_SITES`, else `envs/web_sites/sites` of the checkout."""
    named = os.environ.get("HELDOUT_SITES")
    return Path(named) if named else HERE.parent / "sites"


def names() -> list[str]:
    """The names of the sites there are."""
    return sorted(path.parent.name for path in folder().glob("*/site.toml"))


@functools.cache
def _read(path: Path) -> Site:
    described = tomllib.loads(path.read_text(encoding="utf-8"))
    try:
        return Site.model_validate(described | {"name": path.parent.name, "folder": path.parent})
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise SpecError(f"{path.parent.name}/site.toml, '{place}': {first['msg']}") from error


def site(name: str) -> Site:
    """The site of this name. Raises SpecError for one that is not served here."""
    described = folder() / name / "site.toml"
    if not NAME.fullmatch(name) or not described.exists():
        raise SpecError(f"the site '{name[:40]}' is not served here; served are: {', '.join(names()) or 'none'}")
    return _read(described)
