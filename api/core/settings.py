"""Settings from the environment (`HELDOUT_*`); where the keys are kept is one of them (`api.core.key_stores`)."""

import importlib.util
import json
import re
from functools import cached_property
from ipaddress import IPv4Network, IPv6Network
from pathlib import Path
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import AliasChoices, Field, field_validator, model_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from api.core.key_stores import KeyStore, key_store
from api.core.places import default_data_dir
from api.core.providers import LoginProvider
from api.core.secrets import HostSecrets, LiveSecrets, ServiceSecrets, VaultSecrets


def variable(name: str) -> str:
    """The variable that a setting is read from."""
    return f"{Settings.model_config['env_prefix']}{name.upper()}"


class Settings(BaseSettings):
    """Everything that can be set. Made by the caller (`create_app(settings)`), never at import."""

    model_config = SettingsConfigDict(env_prefix="HELDOUT_", extra="ignore", frozen=True, populate_by_name=True)

    data_dir: Path = Field(
        default_factory=default_data_dir,
        description="database, keys, assets; default: .heldout, or below /var/lib/heldout for root in a closed folder",
    )
    database_url: str | None = Field(
        default=None,
        validation_alias=AliasChoices("HELDOUT_DATABASE_URL", "DATABASE_URL"),
        description="address of a PostgreSQL 15 or newer, as its owner; default: DATABASE_URL, else the embedded one",
    )
    database_password_file: Path | None = Field(
        default=None, description="file that holds the owner's password, where the address has none"
    )
    database_pooler_url: str | None = Field(
        default=None,
        description="address of a pgbouncer in transaction mode before that PostgreSQL; user and password are left out",
    )
    key_store: str = Field(
        default="file",
        description="where keys are kept: file, age, environment, or a plug-in's name (docs/operating.md)",
    )
    age_identity_file: Path | None = Field(default=None, description="file that opens the keys of the store 'age'")
    host: str = Field(default="127.0.0.1", description="address the web process listens on")
    port: int = Field(default=8080, ge=0, le=65535, description="port the web process listens on; 0: any free one")
    public_url: str = Field(
        default="", description="address people reach the service at, for links and sign-in; without a path"
    )
    trusted_proxies: Annotated[tuple[IPv4Network | IPv6Network, ...], NoDecode] = Field(
        default=(),
        description="addresses or networks whose X-Forwarded-For is believed; nobody's by default",
    )
    rate_storage: str = Field(default="memory://", description="a `limits` address; redis:// for many processes")
    rate_limits_enabled: bool = Field(default=True, description="off only for tests and measurements")
    max_body_bytes: int = Field(default=8 * 1024 * 1024, ge=1024, description="bytes of a request's body")
    database_pool: int = Field(
        default=10, ge=1, description="connections each process holds to the database; up to twice as many when busy"
    )
    database_name: str = Field(
        default="heldout", pattern=r"^[a-z_][a-z0-9_]{0,40}$", description="database on the embedded server"
    )
    worker_concurrency: int = Field(default=4, ge=1, description="jobs one worker process does at once")
    worker_lanes: Annotated[
        tuple[Literal["inline", "processes", "judges", "sandboxes"], ...], NoDecode, Field(min_length=1)
    ] = Field(
        default=("inline", "processes", "judges", "sandboxes"),
        description="lanes a worker grades, with commas; all of them have to be some worker's (docs/lanes.md)",
    )
    up_workers: int = Field(
        default=1, ge=1, le=16, description="worker processes that `up` runs; each grades simple kinds on one core"
    )
    grading_processes: int = Field(default=2, ge=1, description="child processes of a worker that grade formulas")
    waiting_items: int = Field(
        default=50_000,
        ge=1,
        description="answers of one organisation that may wait to be graded; more are refused",
    )
    judge_url: str | None = Field(default=None, description="OpenAI-compatible endpoint of the judge model")
    judge_model: str | None = Field(default=None, description="name of the judge model at that endpoint")
    judge_key_file: Path | None = Field(default=None, description="file that holds the judge endpoint's key")
    judge_calls: int = Field(default=20_000, ge=0, description="how often one benchmark may ask the judge, in all")
    calibration_width: float = Field(
        default=0.1, gt=0, le=1, description="people are asked until a sample's interval is so wide"
    )
    sandbox: str = Field(
        default="auto",
        pattern=r"^(auto|docker|docker-runsc|bubblewrap|bubblewrap-user)$",
        description="backend of live environments; auto takes the first that works",
    )
    host_slots: int = Field(default=64, ge=1, description="live environments one host process holds at once")
    session_share: float = Field(
        default=0.5,
        gt=0,
        le=1,
        description="of all slots, how many one organisation may hold; the rest stays for others who come",
    )
    pool_ready: int = Field(default=4, ge=0, description="sandboxes of each kind a host keeps ready; 0: none")
    pool_memory: int | None = Field(
        default=None, ge=1024, description="MiB a host's sandboxes may be promised in all; default: 1.5 x the machine's"
    )
    host_address: str = Field(
        default="127.0.0.1", description="where a host process listens; a private network's address"
    )
    feedback_delay_seconds: int | None = Field(
        default=None,
        ge=0,
        description="submissions to hidden splits are decided so long after their end; default: by their graders",
    )
    feedback_clock_seconds: int = Field(default=600, ge=1, description="decisions are made on full steps of this clock")
    feedback_pause_seconds: int = Field(
        default=86_400, ge=0, description="between two decisions for one organisation on one split"
    )
    release_every_seconds: int | None = Field(
        default=None, ge=1, description="between scheduled releases of ranking parts; default: monthly"
    )
    declaration_lead_seconds: int = Field(
        default=86_400, ge=0, description="so long before a submission its run has to be declared to carry the mark"
    )
    match_seconds: int = Field(
        default=120, ge=1, description="for a reply in a match of two participants; who takes longer loses it"
    )
    session_idle_seconds: int = Field(default=900, ge=1, description="a live session without a step ends after these")
    keep_steps_days: int = Field(
        default=0,
        ge=0,
        description="steps of episodes are dropped, a month at a time, when all of it ended so many days ago; 0: never",
    )
    pack_bytes: int = Field(default=512 * 1024 * 1024, ge=1024, description="bytes of an uploaded pack's archive")
    pack_uploads: int = Field(
        default=10, ge=0, description="packs an organisation may have uploaded and not published; 0: no uploads"
    )
    pack_uploads_verified: bool = Field(default=False, description="only verified organisations may upload packs")
    pack_check_seconds: int = Field(default=3600, ge=10, description="checks of an uploaded pack may take so long")
    endpoint_runs: int = Field(
        default=2, ge=0, description="runs against endpoints that are played at once for an organisation; 0: none"
    )
    container_bytes: int = Field(
        default=512 * 1024 * 1024, ge=0, description="bytes of a participant's container; 0: none are run"
    )
    container_seconds: int = Field(default=3600, ge=1, description="seconds that a container may run in one go")
    container_end_seconds: int = Field(
        default=60,
        ge=1,
        le=3600,
        description="the end of a container's run on a hidden split is told on whole multiples of so many seconds",
    )
    container_memory_mb: int = Field(
        default=2048, ge=64, description="MiB that a container's processes and files may take together"
    )
    container_cpus: float = Field(default=1.0, gt=0.05, le=64, description="processors that a container may use")
    endpoint_networks: Annotated[tuple[IPv4Network | IPv6Network, ...], NoDecode] = Field(
        default=(),
        description="private networks in which participants' endpoints may be, over plain HTTP too; none by default",
    )
    smtp_host: str = Field(default="", description="mail server; letters are written only where there is one")
    smtp_port: int = Field(default=587, ge=1, le=65535, description="the mail server's port")
    smtp_security: Literal["starttls", "tls", "none"] = Field(
        default="starttls", description="how the way to the mail server is encrypted: starttls, tls, none"
    )
    smtp_user: str = Field(default="", description="name at the mail server, if it wants one")
    smtp_password_file: Path | None = Field(default=None, description="file that holds the password at the mail server")
    mail_from: str = Field(
        default="", description="address that letters come from, such as Heldout <no-reply@example.org>"
    )
    login_providers: tuple[LoginProvider, ...] = Field(default=(), description="JSON; see docs/accounts.md")
    login_open: bool = Field(default=True, description="people whom nobody invited may sign in and make an account")
    web_session_days: int = Field(default=14, ge=1, le=90, description="a sign-in on the pages lasts so long")
    log_level: str = Field(
        default="info", pattern=r"^(?i:debug|info|warning|error|critical)$", description="debug, info, warning or error"
    )
    access_log: bool = Field(
        default=False, description="a line for each request: method, route, status, milliseconds; never an address"
    )
    traces_url: str = Field(
        default="", description="OTLP address (HTTP) that spans are sent to; none by default (docs/operating.md)"
    )
    metrics_host: str = Field(default="127.0.0.1", description="address of each process's own metrics")
    metrics_port: int = Field(
        default=0,
        ge=0,
        le=65518,
        description="port of each process's own metrics; `up` gives worker, host and more workers the next; 0: none",
    )

    @field_validator("database_url", "database_pooler_url")
    @classmethod
    def _is_an_address_of_postgresql(cls, value: str | None) -> str | None:
        """What libpq takes; refused here, where it is said which setting it is, and without the password in it."""
        if value is None:
            return None
        from psycopg import ProgrammingError
        from psycopg.conninfo import conninfo_to_dict
        from sqlalchemy.engine import make_url
        from sqlalchemy.exc import ArgumentError

        scheme, separator, rest = value.partition("://")
        if not separator or not scheme.startswith("postgres"):
            raise ValueError("it begins with postgresql://")
        try:
            conninfo_to_dict(f"postgresql://{rest}")
            make_url(value)
        except ProgrammingError as error:
            # Of an address that it cannot take apart it quotes the whole.
            raise ValueError(str(error).split(': "postgresql://')[0].strip()) from None
        except (ArgumentError, ValueError):
            raise ValueError("postgresql://USER@HOST:PORT/DATABASE?sslmode=... is how it is written") from None
        return value

    @field_validator("public_url", "traces_url", "judge_url")
    @classmethod
    def _is_an_address_of_the_web(cls, value: str | None) -> str | None:
        if value and not re.match(r"https?://[^\s/?#]+", value):
            raise ValueError("it begins with http:// or https:// and a name")
        return value

    @field_validator("traces_url")
    @classmethod
    def _traces_have_their_library(cls, value: str) -> str:
        if value and importlib.util.find_spec("opentelemetry") is None:
            raise ValueError("traces need the extra 'traces': uv sync --extra traces")
        return value

    @field_validator("keep_steps_days")
    @classmethod
    def _steps_outlive_what_reads_them(cls, value: int) -> int:
        if 0 < value < 30:
            raise ValueError("at least 30 days, as reviews and disputes read them; 0 keeps them for ever")
        return value

    @model_validator(mode="after")
    def _mail_is_whole(self) -> Self:
        if self.smtp_host and "@" not in self.mail_from:
            raise ValueError("letters need a sender: set HELDOUT_MAIL_FROM")
        if self.smtp_user and self.smtp_password_file is None:
            raise ValueError("a name at the mail server needs its password: set HELDOUT_SMTP_PASSWORD_FILE")
        return self

    @field_validator("rate_storage")
    @classmethod
    def _storage_has_its_library(cls, value: str) -> str:
        scheme = value.split(":")[0]
        if scheme.startswith("redis") and importlib.util.find_spec("redis") is None:
            raise ValueError("a redis:// address needs the extra 'redis': uv sync --extra redis")
        if not scheme.startswith(("redis", "memory")):
            raise ValueError("memory:// and redis:// (or rediss://, redis+sentinel://) are the storages it can use")
        if scheme in ("redis", "rediss"):
            # Raises ValueError where the port is none, which the library would meet in every process's start.
            _ = urlsplit(value).port
        return value

    @cached_property
    def kept_keys(self) -> KeyStore:
        """Where the instance's keys are kept. Raises SecretFileError."""
        return key_store(self.key_store, self.data_dir, self.age_identity_file)

    @cached_property
    def _service(self) -> LiveSecrets[ServiceSecrets]:
        return LiveSecrets(ServiceSecrets, self.kept_keys)

    @cached_property
    def _vault(self) -> LiveSecrets[VaultSecrets]:
        return LiveSecrets(VaultSecrets, self.kept_keys)

    @cached_property
    def _host(self) -> LiveSecrets[HostSecrets]:
        return LiveSecrets(HostSecrets, self.kept_keys)

    @property
    def secrets(self) -> ServiceSecrets:
        """Keys of the web process: pepper, aliases, cursors, cookies, fingerprints, reviews, its database password."""
        return self._service.get()

    @property
    def vault_secrets(self) -> VaultSecrets:
        """Keys of worker and administration alone: the vault's encryption key and their database passwords."""
        return self._vault.get()

    @property
    def host_secrets(self) -> HostSecrets:
        """Keys of the host of environments; the worker reads them too, to seal episodes and to open evidence."""
        return self._host.get()

    @field_validator("trusted_proxies", "worker_lanes", "endpoint_networks", mode="before")
    @classmethod
    def _listed(cls, value: object) -> object:
        """A list as people write it, with commas, or as a process hands it to its children, in JSON."""
        if not isinstance(value, str):
            return value
        return (
            json.loads(value) if value.startswith("[") else [part.strip() for part in value.split(",") if part.strip()]
        )

    @field_validator("login_providers")
    @classmethod
    def _named_once(cls, providers: tuple[LoginProvider, ...]) -> tuple[LoginProvider, ...]:
        if len({item.name for item in providers}) != len(providers):
            raise ValueError("two login providers have the same name")
        return providers

    @property
    def base_url(self) -> str:
        """Address under which the service is reached."""
        return self.public_url.rstrip("/") or f"http://{self.host}:{self.port}"
