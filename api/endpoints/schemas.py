"""JSON of runs that the service plays."""

import re
from datetime import datetime
from typing import Annotated, Self
from uuid import UUID

from pydantic import AfterValidator, ConfigDict, Field, JsonValue, SecretStr, StringConstraints, model_validator

from api.core.schemas import NUMBER, Model
from api.leaderboard.schemas import ModelInfo, Short

_OURS = {"messages", "model", "n", "stream", "tools"}


def _printable(key: SecretStr) -> SecretStr:
    if not re.fullmatch(r"[!-~]*", key.get_secret_value()):
        raise ValueError("a key has printable ASCII characters alone, and no spaces")
    return key


_Key = Annotated[
    SecretStr, Field(max_length=500, json_schema_extra={"pattern": "^[!-~]*$"}), AfterValidator(_printable)
]
_CAPPED: dict[str, JsonValue] = {
    "anyOf": [
        {"properties": {"cost": {"type": "null"}}},
        {"required": ["input_price"], "properties": {"input_price": {"exclusiveMinimum": 0}}},
        {"required": ["output_price"], "properties": {"output_price": {"exclusiveMinimum": 0}}},
    ]
}
"""A cap on the cost needs a price."""
_NAMED: dict[str, JsonValue] = {
    name: {"required": [name], "properties": {name: {"minLength": 1}}} for name in ("url", "endpoint_model")
}
_BOTH: dict[str, JsonValue] = {"allOf": list(_NAMED.values())}
_NEITHER: dict[str, JsonValue] = {"properties": {name: {"maxLength": 0} for name in _NAMED}}
_CONTAINED: dict[str, JsonValue] = {"required": ["container"], "properties": {"container": {"type": "object"}}}
_ASKED: dict[str, JsonValue] = {"anyOf": [_BOTH, {"allOf": [_NEITHER, _CONTAINED]}]}
"""An endpoint with its model, or a container, or both."""
_Tokens = Annotated[int, Field(ge=1, le=10**12), NUMBER]
_Dollars = Annotated[float, Field(gt=0, le=10**6, allow_inf_nan=False), NUMBER]
_Price = Annotated[float, Field(ge=0, le=10**5, allow_inf_nan=False), NUMBER]


_Command = Annotated[list[Annotated[str, StringConstraints(max_length=4000)]], Field(max_length=100)]


class ContainerOfRun(Model):
    """The container of a run, as it is kept: the upload, the SHA-256 of its archive, what is run in it."""

    upload_id: UUID
    name: str
    sha256: str
    command: list[str]


class ContainerReport(Model):
    """How a container's run went: `starts`, and of the last of them its seconds, exit `status` (None: it was stopped)
    and how much it wrote. `log` has the end of that, on open splits alone. On a hidden split `status` is 0 or 1, the
    seconds are rounded up to the operator's grain and `output_kib` is the largest of 0, 1, 64 and 256 that was reached.
    `tokens` and `cost` of the endpoint are in no item yet."""

    starts: int = 0
    seconds: int = 0
    status: int | None = None
    output_kib: int = 0
    log: str = ""
    tokens: int = 0
    cost: float = 0.0


class ContainerAsked(Model):
    """A container that was uploaded (`POST /v1/containers`), and what is run in it: `command` is required for a bundle
    of files, and replaces an image's own."""

    id: Annotated[str, StringConstraints(max_length=64)]
    command: _Command = Field(default_factory=list)


_EXAMPLE: dict[str, JsonValue] = {
    "benchmark": "rivers",
    "split": "test",
    "model": {"name": "my-model"},
    "url": "https://models.example/v1",
    "endpoint_model": "my-model-1",
    "tokens": 2_000_000,
}


class EndpointRunCreate(Model):
    """An endpoint and what it is asked. `url` ends before `/chat/completions`; `endpoint_model` is the name there.

    With `container` the service runs that, and the endpoint, if any, is what it may ask.

    `tokens` and `cost` (US dollars, by the prices for a million tokens) cap what is spent. `parameters` are sampling
    settings, sent as they are.
    """

    model_config = ConfigDict(json_schema_extra={"allOf": [_CAPPED, _ASKED], "examples": [_EXAMPLE]})

    benchmark: Short
    split: Short
    model: ModelInfo
    url: Annotated[str, StringConstraints(max_length=500, pattern=r"^(https?://[^\s?#]+)?$")] = ""
    endpoint_model: Annotated[str, StringConstraints(max_length=200)] = ""
    container: ContainerAsked | None = None
    key: _Key = SecretStr("")
    system: Annotated[str, StringConstraints(max_length=8000)] = ""
    parameters: Annotated[
        dict[str, JsonValue],
        Field(max_length=20, json_schema_extra={"propertyNames": {"not": {"enum": [*sorted(_OURS)]}}}),
    ] = Field(default_factory=dict)
    tokens: _Tokens | None = None
    cost: _Dollars | None = None
    input_price: _Price = 0.0
    output_price: _Price = 0.0
    requests_per_minute: Annotated[int, Field(ge=1, le=600), NUMBER] = 60

    @model_validator(mode="after")
    def _can_be_kept(self) -> Self:
        if bool(self.url) != bool(self.endpoint_model) or not (self.url or self.container):
            raise ValueError("name the endpoint ('url') and its model ('endpoint_model'), or a 'container'")
        if self.cost is not None and not (self.input_price or self.output_price):
            raise ValueError("a cap on the cost needs 'input_price' and 'output_price', dollars for a million tokens")
        if taken := _OURS & self.parameters.keys():
            raise ValueError(f"'parameters' may not set {', '.join(sorted(taken))}: the service does")
        if len(str(self.parameters)) > 4000:
            raise ValueError("'parameters' has at most 4,000 characters")
        return self


class EndpointRunResume(Model):
    """The endpoint's key, which is forgotten whenever a run ends, and new caps in the place of the old ones."""

    key: _Key = SecretStr("")
    tokens: _Tokens | None = None
    cost: _Dollars | None = None


class EndpointRunPublic(Model):
    """A run that the service plays. `answered` of `expected` problems: for a container on a hidden split in tenths, and
    0 until it has ended; `failure` says why it stopped. `container`: the name of the archive that is run, if any;
    `report`: how that went."""

    id: str
    submission: str
    benchmark: str
    split: str
    model: str
    url: str
    endpoint_model: str
    state: str
    failure: str
    answered: int
    expected: int
    tokens: int
    cost: float
    token_cap: int | None
    cost_cap: float | None
    requests_per_minute: int
    container: str | None
    report: ContainerReport | None
    created_at: datetime
    changed_at: datetime


class EndpointRunPage(Model):
    items: list[EndpointRunPublic]
