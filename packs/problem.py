"""The format of a problem: one line of `problems.jsonl` and its secret side, one line of `references.jsonl`."""

import re
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints, model_validator

SLUG = r"^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$"
Slug = Annotated[str, StringConstraints(pattern=SLUG)]
Identifier = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$")]
Version = Annotated[str, StringConstraints(pattern=r"^\d+\.\d+\.\d+$")]
Text = Annotated[str, StringConstraints(min_length=1, max_length=200_000)]
ImageDigest = Annotated[str, StringConstraints(pattern=r"^(docker|rootfs) sha256:[0-9a-f]{64}$")]


class Model(BaseModel):
    """Base: unknown fields are errors, so that a misspelt field is told and not ignored."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Choice(Model):
    """One option of a multiple-choice question; `label` is what an answer names."""

    label: Annotated[str, StringConstraints(pattern=r"^[A-Z]$")]
    text: Text


class Image(Model):
    """A file under `assets/` shown with the statement."""

    path: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._/-]*$")]
    alt: str = ""

    @model_validator(mode="after")
    def _stays_inside(self) -> Self:
        if ".." in re.split(r"[/\\]", self.path):
            raise ValueError("an asset's path stays inside assets/")
        return self


class Problem(Model):
    """One line of `problems.jsonl`: the public side, nothing from which the gold follows.

    `type` is the benchmark's own word for the kind of task (it groups results); `group` joins siblings
    (templates of tasks, randomised exposure). An episode's `statement` is its instruction.
    """

    id: Identifier
    split: Slug
    type: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,63}$")]
    subject: Annotated[str, StringConstraints(min_length=1, max_length=100)]
    statement: Text
    choices: tuple[Choice, ...] = ()
    answer_format: Annotated[str, StringConstraints(max_length=2000)] = ""
    images: tuple[Image, ...] = ()
    group: Identifier | None = None
    source: str = ""
    episode: bool = False


class Probe(Model):
    """What to look at when an episode ends; see `envs.base.Probe`."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=100)]
    kind: Annotated[str, StringConstraints(min_length=1, max_length=100)]
    arguments: dict[str, JsonValue] = Field(default_factory=dict)


class Episode(Model):
    """The environment of an episode: its name, its secret specification, its probes and its limit of steps."""

    environment: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,63}$")]
    spec: dict[str, JsonValue] = Field(default_factory=dict)
    probes: tuple[Probe, ...] = ()
    steps: Annotated[int, Field(ge=1, le=500)] = 30
    seconds: Annotated[int, Field(ge=5, le=24 * 3600)] = 900


class ConstantRange(Model):
    """Values a template's constant may take: `from`, `to`, `step` (decimal strings allowed), or listed `values`."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    start: Annotated[str | None, Field(alias="from")] = None
    stop: Annotated[str | None, Field(alias="to")] = None
    step: str = "1"
    values: tuple[str, ...] = ()


class Variation(Model):
    """How a problem may vary without changing what it measures. Secret: it tells the canonical form.

    `choices`: the order of choices may change. `constants`: names used as `{{name}}` in statement and choices;
    `gold` is an expression of them; `constraints` are expressions that must hold. `slots`: named paraphrases,
    `{{name}}` in the statement, one of the listed texts each.
    """

    choices: bool = False
    constants: dict[str, ConstantRange] = Field(default_factory=dict)
    constraints: tuple[str, ...] = ()
    gold: str | None = None
    slots: dict[str, tuple[str, ...]] = Field(default_factory=dict)


class ReferenceLine(Model):
    """One line of `references.jsonl`: the secret side of the problem with the same id.

    `reference` is a tagged union of `grading` (its `kind` picks the grader). `oracle` is a sequence of actions that
    solves the episode; `answers` are further answers known to be right, used to check the pack.
    """

    id: Identifier
    reference: dict[str, Any]
    solution: str = ""
    gold: str | None = None
    answers: tuple[str, ...] = ()
    episode: Episode | None = None
    oracle: tuple[dict[str, JsonValue], ...] = ()
    variation: Variation | None = None
