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

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


class Choice(Model):
    """One option of a multiple-choice question; `label` is what an answer names."""

    label: Annotated[str, StringConstraints(pattern=r"^[A-Z]$")]
    """What an answer names: one capital letter."""
    text: Text
    """What is to be chosen, in Markdown with LaTeX between dollar signs."""


class Image(Model):
    """A file under `assets/` shown with the statement."""

    path: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._/-]*$")]
    """Its path below `assets/`."""
    alt: str = ""
    """What is to be seen, for who cannot see it; say nothing that gives the answer away."""

    @model_validator(mode="after")
    def _stays_inside(self) -> Self:
        if ".." in re.split(r"[/\\]", self.path):
            raise ValueError("an asset's path stays inside assets/")
        return self


class Problem(Model):
    """One line of `problems.jsonl`: the public side, nothing from which the gold follows."""

    id: Identifier
    """Its name in the pack, unique in it; joins it to its line of `references.jsonl`."""
    split: Slug
    """One of the splits of `benchmark.toml`."""
    type: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,63}$")]
    """Your own word for the kind of task, like `multiple_choice`; it groups results and has no part in grading."""
    subject: Annotated[str, StringConstraints(min_length=1, max_length=100)]
    """What it is about; results are grouped by it, and `macro` scoring is the mean over it."""
    statement: Text
    """The question in Markdown with LaTeX between dollar signs; of an episode its instruction."""
    choices: tuple[Choice, ...] = ()
    """The options of a multiple-choice question, in the order in which they are shown."""
    answer_format: Annotated[str, StringConstraints(max_length=2000)] = ""
    """What the participant is asked to write, and where; shown below the statement."""
    images: tuple[Image, ...] = ()
    """Pictures that are shown with the statement."""
    group: Identifier | None = None
    """Joins siblings: variants of one template, of which an organisation may be shown only some."""
    source: str = ""
    """Where the problem comes from."""
    episode: bool = False
    """Whether it is played live in an environment; its reference then has an `episode`."""


class Probe(Model):
    """What to look at when an episode ends; see `envs.base.Probe`."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=100)]
    """What the reference calls its evidence."""
    kind: Annotated[str, StringConstraints(min_length=1, max_length=100)]
    """Which probe of the environment."""
    arguments: dict[str, JsonValue] = Field(default_factory=dict)
    """What it takes; the environment declares it."""


class Episode(Model):
    """The environment of an episode: its name, its secret specification, its probes and its limit of steps."""

    environment: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,63}$")]
    """The name of an installed environment, like `database`."""
    spec: dict[str, JsonValue] = Field(default_factory=dict)
    """What the episode is built from, as the environment declares it. Secret."""
    probes: tuple[Probe, ...] = ()
    """What is looked at when it ends."""
    steps: Annotated[int, Field(ge=1, le=500)] = 30
    """After how many actions it ends."""
    seconds: Annotated[int, Field(ge=5, le=24 * 3600)] = 900
    """After how many seconds it ends."""


class ConstantRange(Model):
    """Values that a constant may take, as decimal strings: a range, or a list."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    start: Annotated[str | None, Field(alias="from")] = None
    """The first value."""
    stop: Annotated[str | None, Field(alias="to")] = None
    """The last value."""
    step: str = "1"
    """The distance between values."""
    values: tuple[str, ...] = ()
    """Listed values, in the place of a range."""


class Variation(Model):
    """How a problem may vary without changing what it measures. Secret: it tells the canonical form."""

    choices: bool = False
    """The order of choices may change; labels move with it, and so does the gold."""
    constants: dict[str, ConstantRange] = Field(default_factory=dict)
    """Names that stand as `{{name}}` in statement, choices, solution and reference, with the values that each may
    take."""
    constraints: tuple[str, ...] = ()
    """Expressions of the constants that must hold, like `a > b`."""
    gold: str | None = None
    """The gold as an expression of the constants; it stands as `{{gold}}` in the reference."""
    slots: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    """Paraphrases: names that stand as `{{name}}` in the statement, with the texts of which one is shown."""


class ReferenceLine(Model):
    """One line of `references.jsonl`: the secret side of the problem with the same id."""

    id: Identifier
    """The problem's."""
    reference: dict[str, Any]
    """How an answer is graded: its `kind` picks the grader, see [reference-kinds.md](reference-kinds.md)."""
    solution: str = ""
    """How it is solved, in Markdown; shown with the gold on dev splits."""
    gold: str | None = None
    """The answer as people read it. Must be graded correct by `reference`."""
    answers: tuple[str, ...] = ()
    """Further answers that you know to be right. The check grades each and says which is refused."""
    episode: Episode | None = None
    """The environment that an episode is played in."""
    oracle: tuple[dict[str, JsonValue], ...] = ()
    """Actions that solve the episode, for checking it."""
    variation: Variation | None = None
    """How the problem may vary from one organisation to the next."""
