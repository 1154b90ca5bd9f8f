"""What `sites.toml` says of a site that its owner runs. Texts may hold `${NAME}` of the environment's variables."""

import os
import string
import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from envs.base import SpecError
from envs.web_sites.site import NAME, SiteDescription
from envs.web_sites.site import names as own_names
from envs.web_sites.site import site as own_site


def gateway_name(address: str) -> str:
    """The host of an address as a session's gateway calls it: with its port, unless that is its scheme's own."""
    parts = urlsplit(address)
    usual = {"http": 80, "https": 443}[parts.scheme]
    host = (parts.hostname or "").lower()
    return host if parts.port in (None, usual) else f"{host}:{parts.port}"


def _address(text: str) -> str:
    try:
        parts = urlsplit(text)
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and not (parts.query or parts.fragment)
        gateway_name(text)
    except (ValueError, KeyError):
        sound = False
    if not sound:
        raise ValueError(f"'{text[:80]}' is no address; write http://HOST:PORT, with a path where the site has one")
    return text.rstrip("/")


def expanded(text: str) -> str:
    """The text with `${NAME}` replaced by the environment's variables. Raises SpecError for one that is not set."""
    try:
        return string.Template(text).substitute(os.environ)
    except KeyError as error:
        raise SpecError(f"sites.toml uses ${{{error.args[0]}}}, which is not set in the environment") from None
    except ValueError:
        raise SpecError("sites.toml holds a '$' that is no ${NAME}; write '$$' for a dollar") from None


Address = Annotated[str, AfterValidator(_address)]
Seconds = Annotated[float, Field(gt=0, le=7200)]
Path_ = Annotated[str, Field(pattern=r"^/")]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


def _one_of(model: Any, *names: str) -> None:
    given = [name for name in names if getattr(model, name) is not None]
    if len(given) != 1:
        raise ValueError(f"give one of {', '.join(names)}, not {len(given)}")


def _host_alone(upstream: str | None) -> None:
    if upstream and urlsplit(upstream).path:
        raise ValueError("'upstream' is a host with its port; the path is the address's")


class Health(_Model):
    """The site is well when `path` answers with `status` (any below 400 without one), and its page holds `says`; it
    gets `seconds` for that."""

    path: Path_ = "/"
    status: int | None = None
    says: str = ""
    seconds: Seconds = 300.0


class Hook(_Model):
    """A request to an address of the owner's, answered with a status below 400."""

    url: str = Field(pattern=r"^(https?://|\{|\$\{)")
    method: Literal["GET", "POST", "PUT", "DELETE"] = "POST"
    headers: dict[str, str] = Field(default_factory=dict)
    body: str = ""


class Container(_Model):
    """A Docker container. With `run`, the arguments of `docker run` after its name, it is removed and made anew;
    without, it is started again."""

    name: str = Field(min_length=1)
    run: tuple[str, ...] = ()


class Volume(_Model):
    """A folder that gets the content of a `snapshot` folder again, while `container` (if named) is stopped."""

    path: Path
    snapshot: Path
    container: str | None = None


class Reset(_Model):
    """How the site is put back to its content: by one of `command`, `http`, `container`, `volume`.

    `after`: every session, or only those that sent more than GET and HEAD (`writes`).
    """

    command: tuple[str, ...] | None = None
    http: Hook | None = None
    container: Container | None = None
    volume: Volume | None = None
    after: Literal["session", "writes"] = "session"
    seconds: Seconds = 900.0

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        _one_of(self, "command", "http", "container", "volume")
        return self


class SignInCheck(_Model):
    """Somebody is signed in when this page is answered with 200 and holds `says`, without leading elsewhere."""

    path: Path_
    says: str = ""


class SignIn(_Model):
    """How somebody signs in: `steps` in a browser (lines of WebArena's second action set, paths taken from the site's
    address), a `command` that prints Playwright's storage state, or a file of it (`cookies`).

    With `check` a login is used again for as long as it holds; without, each session signs in anew.
    """

    about: str = ""
    steps: tuple[str, ...] | None = None
    command: tuple[str, ...] | None = None
    cookies: Path | None = None
    check: SignInCheck | None = None
    seconds: Seconds = 120.0

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        _one_of(self, "steps", "command", "cookies")
        return self


class State(_Model):
    """Where the site's state is read: `database` is `sqlite:///FILE` or `mysql://USER:PASSWORD@HOST:PORT/NAME`, or a
    `command` takes a statement on its input and prints its rows as CSV (or tab-separated) lines below their names.

    `tables` are compared for the probe `state`; all of them where the list is empty. `keys` names the columns by which
    a table's rows are known, where the database does not say it.
    """

    database: str | None = Field(default=None, pattern=r"^(sqlite:///|mysql://|\$\{)")
    command: tuple[str, ...] | None = None
    tables: tuple[str, ...] = ()
    keys: dict[str, tuple[str, ...]] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        _one_of(self, "database", "command")
        if self.command is not None and not self.tables:
            raise ValueError("name the tables: a command cannot be asked for them")
        return self


class HttpQuery(_Model):
    """A question to the site's own interface: `path` (with `{name}` places), and where in its JSON the rows are."""

    path: Path_
    headers: dict[str, str] = Field(default_factory=dict)
    rows: str = ""


class ExternalQuery(_Model):
    """A query by `sql` over the site's `state`, or by `http`."""

    sql: str | None = Field(default=None, pattern=r"(?is)^\s*(select|with)\b")
    http: HttpQuery | None = None

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        _one_of(self, "sql", "http")
        return self


class Magento(_Model):
    """Who may read the shop's REST interface, for the helpers of WebArena's tasks."""

    username: str
    password: str


class Place(_Model):
    """One instance of the site: the `address` that browsers see, `upstream` where requests go (else the same), and
    `values` for `{name}` places of its commands."""

    address: Address
    upstream: Address | None = None
    values: dict[str, str] = Field(default_factory=dict)

    @property
    def target(self) -> str:
        """Where the site itself is: at `upstream`, on the address's path."""
        path = urlsplit(self.address).path
        return f"{self.upstream}{path}" if self.upstream else self.address

    @property
    def host(self) -> str:
        """The `Host` that requests to it carry, as a browser's do: sites such as Magento lead all others away."""
        return gateway_name(self.address)

    @model_validator(mode="after")
    def _upstream_is_a_host(self) -> Self:
        _host_alone(self.upstream)
        return self


class ExternalSite(SiteDescription):
    """A site of `sites.toml`. See docs/sites.md for an example of each field.

    `like`: one of our own sites, whose locators, queries and tables' rules hold here too. `hosts`: further addresses
    that its pages ask. `sharing`: one session at a time at each place, or many at once at the same (`shared`, for what
    nobody changes). `read_only`: nothing but looking goes through. `posts`: paths that may be posted to while looking.
    `scripts`: whether graders run the pages' own scripts. `ready`: an expression that says that a page is ready.
    `endless`: paths whose answers never end (a long poll), which are not waited for.
    """

    title: str = ""
    address: Address | None = None
    upstream: Address | None = None
    instances: tuple[Place, ...] = ()
    hosts: tuple[Address, ...] = ()
    like: str | None = None
    sharing: Literal["exclusive", "shared"] = "exclusive"
    read_only: bool = False
    posts: tuple[Path_, ...] = ()
    scripts: bool = True
    ready: str = ""
    endless: tuple[Path_, ...] = ()
    verify_tls: bool = True
    wait_seconds: Seconds = 3600.0
    health: Health = Field(default_factory=Health)
    reset: Reset | None = None
    sign_in: dict[str, SignIn] = Field(default_factory=dict)
    state: State | None = None
    queries: dict[str, ExternalQuery] = Field(default_factory=dict)
    magento: Magento | None = None

    @model_validator(mode="before")
    @classmethod
    def _filled_in(cls, given: Any) -> Any:
        if not isinstance(given, dict):
            return given
        roles = {name: {"about": one.get("about", "")} for name, one in dict(given.get("sign_in", {})).items()}
        filled = {"title": given.get("name", ""), "roles": roles} | given
        like = given.get("like")
        if like is None:
            return filled
        if like not in own_names():
            raise ValueError(f"'like' names no site of our own; those are: {', '.join(own_names())}")
        model = own_site(like)
        kept = {"title": model.title, "now": model.now, "volatile": model.volatile, "allowed": model.allowed}
        locators = {name: one.model_dump() for name, one in model.locators.items()}
        queries = {name: {"sql": one.sql} for name, one in model.queries.items()}
        filled = kept | {name: value for name, value in filled.items() if name not in kept or name in given}
        filled["locators"] = locators | dict(given.get("locators", {}))
        filled["queries"] = queries | dict(given.get("queries", {}))
        return filled

    @model_validator(mode="after")
    def _sound(self) -> Self:
        if (self.address is None) == (not self.instances):
            raise ValueError("give either 'address' or 'instances'")
        _host_alone(self.upstream)
        if self.instances and self.upstream:
            raise ValueError("'upstream' of instances stands with each of them")
        if self.sharing == "shared" and self.reset:
            raise ValueError('a site that many sessions use at once cannot be put back; say sharing = "exclusive"')
        if any(query.sql for query in self.queries.values()) and not self.state and not self.like:
            raise ValueError("queries by 'sql' need 'state'")
        return self

    @property
    def query_names(self) -> tuple[str, ...]:
        """See `SiteDescription`."""
        return tuple(self.queries)

    def places(self) -> tuple[Place, ...]:
        """Every instance of the site."""
        return self.instances or (Place(address=str(self.address), upstream=self.upstream),)


def read(path: Path) -> dict[str, ExternalSite]:
    """The sites of a file by name. Raises SpecError with the field that is wrong and what would be right."""
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SpecError(f"{path}: {error.strerror or error}") from None
    except ValueError as error:
        raise SpecError(f"{path} is no TOML: {error}") from None
    if set(told) != {"sites"} or not isinstance(told["sites"], dict) or not told["sites"]:
        raise SpecError(f"{path}: it holds tables [sites.NAME] and nothing else")
    return {name: external_site(name, given, path.name, path.parent) for name, given in told["sites"].items()}


def external_site(name: str, given: Any, file: str = "sites.toml", folder: Path | None = None) -> ExternalSite:
    """One site. Paths in it are taken from `folder`. Raises SpecError."""
    if not NAME.fullmatch(name) or not isinstance(given, dict):
        raise SpecError(f"{file}: '{name[:40]}' is no name of a site; write small letters, digits and underscores")
    try:
        made = ExternalSite.model_validate(given | {"name": name})
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, ("sites", name, *first["loc"])))
        raise SpecError(f"{file}, '{place}': {first['msg']}") from None
    return made if folder is None else _from_folder(made, folder.absolute())


def _from_folder(site: ExternalSite, folder: Path) -> ExternalSite:
    sign_in = {
        role: one.model_copy(update={"cookies": folder / one.cookies}) if one.cookies else one
        for role, one in site.sign_in.items()
    }
    reset = site.reset
    if reset and reset.volume:
        moved = {"path": folder / reset.volume.path, "snapshot": folder / reset.volume.snapshot}
        reset = reset.model_copy(update={"volume": reset.volume.model_copy(update=moved)})
    return site.model_copy(update={"sign_in": sign_in, "reset": reset})
