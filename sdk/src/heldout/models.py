"""Typed models of what the service sends and takes. Unknown fields are kept out, so a newer service does no harm."""

from base64 import b64decode
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Generic, Self, TypeVar

from pydantic import Field, JsonValue

from heldout._records import Received, Sent
from heldout._releases import SplitRules, SubmissionFeedback
from heldout.keys import Key as Key

T = TypeVar("T")


class Choice(Received):
    """An option of a multiple-choice problem; an answer names its `label`."""

    label: str
    text: str


class Image(Received):
    """A picture of a statement. `url` is absolute or relative to the service; `Client.image` fetches it."""

    url: str
    alt: str = ""


class Problem(Received):
    """One problem. `id` is an alias that only your organisation has. `gold` and `solution` come on dev splits alone."""

    id: str
    benchmark: str
    split: str
    type: str
    subject: str
    statement: str
    version: str = ""
    choices: tuple[Choice, ...] = ()
    answer_format: str = ""
    images: tuple[Image, ...] = ()
    episode: bool = False
    gold: str | None = None
    solution: str | None = None

    @property
    def prompt(self) -> str:
        """Statement, choices and the form of the answer as one text."""
        options = "\n".join(f"{choice.label}) {choice.text}" for choice in self.choices)
        return "\n\n".join(part for part in (self.statement, options, self.answer_format) if part)


class Budget(Received):
    """Problems of a split that the key may see on one day (UTC), and when the next day starts."""

    limit: int
    used: int
    resets_at: datetime


class Column(Received):
    """A column of a table: its heading, how its values are written, and where the service shows it.

    `format` is `text`, `integer`, `score`, `percent`, `money`, `seconds`, `date`, `flag`, `interval` or `gap`;
    `shown_in` names `csv`, `page`, `terminal`; an `optional` one is left out where it is empty in all rows.
    """

    name: str
    label: str
    format: str = "text"
    hint: str = ""
    shown_in: tuple[str, ...] = ()
    optional: bool = False


class Page(Received, Generic[T]):
    """One page of a listing; `next` is the cursor of the following page.

    A leaderboard's page also says what it is of, how many problems the split has (`count`), its `columns`,
    and on a hidden split by which `rules` it releases what.
    """

    items: tuple[T, ...]
    next: str | None = None
    budget: Budget | None = None
    benchmark: str = ""
    version: str = ""
    split: str = ""
    feedback: str = ""
    rules: SplitRules | None = None
    count: int | None = None
    columns: tuple[Column, ...] = ()


class Split(Received):
    """A split's name, who may see it (`dev`, `test`, `private`), what feedback it gives, and its size.

    With `people`, some of its problems are graded by a rubric: a score may take days.
    """

    name: str
    visibility: str
    feedback: str
    count: int
    problems_per_day: int | None = None
    submissions_per_organisation: int | None = None
    people: bool = False


class Agreement(Received):
    """A data-use agreement in Markdown; with `approval` the owner decides about each applicant."""

    text: str
    digest: str = ""
    approval: bool = False


class Benchmark(Received):
    """A benchmark. The list has it up to `splits`, the rest comes with `Client.benchmark`.

    `versions` are all that were published; `digest` is that of this version's content. `admission` sums up the check
    that it passed before publication; `sandbox_images` are the digests of the images that its episodes run in.
    """

    slug: str
    title: str
    version: str
    owner: str = ""
    licence: str = ""
    summary: str = ""
    splits: tuple[Split, ...] = ()
    card: str = ""
    source: str = ""
    scoring: dict[str, Any] = Field(default_factory=dict)
    agreement: Agreement | None = None
    digest: str = ""
    published_at: datetime | None = None
    versions: tuple[str, ...] = ()
    admission: dict[str, Any] | None = None
    sandbox_images: dict[str, tuple[str, ...]] = Field(default_factory=dict)


class AgreementState(Received):
    """An accepted agreement: `state` is `accepted`, or `requested` until the owner decides, or `declined`.

    `digest` is the SHA-256 of the text that was accepted.
    """

    benchmark: str
    version: str
    state: str
    name: str = ""
    reason: str = ""
    digest: str = ""
    accepted_at: datetime | None = None
    decided_at: datetime | None = None


class DeviceCode(Received):
    """What to show to who logs in (RFC 8628): they open `verification_uri` and type `user_code` in."""

    device_code: str = Field(repr=False)
    user_code: str
    verification_uri: str
    verification_uri_complete: str
    expires_in: int
    interval: int = 5


class Login(Received):
    """A key that was approved. `expires_in` seconds, None for a key without an end."""

    access_token: str = Field(repr=False)
    token_type: str = "Bearer"  # noqa: S105 - the name of a scheme (RFC 6750)
    scope: str
    organisation: str
    expires_in: int | None = None


class Model(Sent):
    """What was evaluated. `parameters` are sampling settings; `access` is open, api or closed."""

    name: str
    version: str = ""
    organisation: str = ""
    url: str = ""
    parameters: dict[str, JsonValue] = Field(default_factory=dict)
    access: str = ""

    @classmethod
    def of(cls, model: "Model | Mapping[str, Any] | str") -> Self:
        """A model from `"name"`, `"name@version"`, a mapping or a Model."""
        if isinstance(model, str):
            name, _, version = model.partition("@")
            return cls(name=name, version=version)
        return cls.model_validate(model.model_dump() if isinstance(model, Model) else dict(model))


class Usage(Sent):
    """What answering cost: tokens, US dollars, seconds."""

    tokens: int | None = None
    cost: float | None = None
    seconds: float | None = None


class Item(Sent):
    """An answer: `answer` is a response or a bare answer, `data` structured, `trajectory` an episode's actions."""

    problem: str
    answer: str | None = None
    data: JsonValue = None
    trajectory: tuple[dict[str, JsonValue], ...] | None = None
    usage: Usage | None = None


class Interval(Received):
    """A 95 % confidence interval."""

    low: float
    high: float


class ItemResult(Received):
    """One graded item; sent on splits with full feedback alone. `score` is None while nobody has decided."""

    problem: str
    score: float | None = None
    outcome: str | None = None
    reason: str | None = None
    grader: str | None = None
    gold: str | None = None


class ServiceLimits(Received):
    """What one request may hold, in characters, items and bytes; and seconds until an idle episode ends."""

    answer_characters: int
    items: int
    body_bytes: int
    session_idle_seconds: int


class SubmissionStatus(Received):
    """A submission as far as the split's feedback `policy` shows it.

    On a hidden split `feedback` is what was released of it, `score` what the board says, and `next_release` when there
    is more to read at the earliest.

    `state` is open, queued, grading, graded, awaiting_review or failed; `coverage` is the share of the split's problems
    with an answer; `attempt` is the number of this submission among the organisation's on the split; `place` and
    `estimate_seconds` are about the queue.
    """

    id: str
    benchmark: str
    split: str
    state: str
    model: Model
    version: str = ""
    policy: str = ""
    received: int = 0
    expected: int = 0
    graded: int | None = None
    coverage: float = 0.0
    attempt: int = 1
    place: int | None = None
    estimate_seconds: float | None = None
    created_at: datetime | None = None
    finalised_at: datetime | None = None
    graded_at: datetime | None = None
    score: float | None = None
    interval: Interval | None = None
    breakdown: dict[str, Any] | None = None
    usage: dict[str, Any] | None = None
    items: tuple[ItemResult, ...] | None = None
    failure: str = ""
    note: str = ""
    feedback: SubmissionFeedback | None = None
    next_release: datetime | None = None

    @property
    def settled(self) -> bool:
        """Whether waiting is of no use: graded, failed, or in the hands of people."""
        return self.state in {"graded", "awaiting_review", "failed"}


class Entry(Received):
    """A row of the leaderboard. Equal scores share a rank; a run that did not answer every problem has none.

    `adjusted` is the score less the expected luck of the best of `attempts` runs. `declared`: model and commit were
    named before the run. `correction` holds the judge's raw score and the reviews behind the corrected one, and
    `judge_weak` says that the score should not be relied on yet. `contamination` compares exposed with held-back items.
    On a hidden split `score` is the middle of a band, None near guessing; `overfit`: the feedback part beyond chance.
    `cells` are the values of all `columns` of the page by name, flat: rows for a data frame.
    """

    rank: int | None
    submission: str = ""
    model: Model
    organisation: str = ""
    organisation_slug: str = ""
    organisation_verified: bool = False
    score: float | None = None
    interval: Interval | None = None
    coverage: float = 1.0
    attempts: int = 1
    adjusted: float | None = None
    overfit: bool = False
    contaminated: bool = False
    verified: bool = False
    declared: bool = False
    contamination: dict[str, Any] | None = None
    correction: dict[str, Any] | None = None
    judge_weak: bool = False
    hidden: bool = False
    created_at: datetime | None = None
    breakdown: dict[str, Any] = Field(default_factory=dict)
    usage: dict[str, Any] = Field(default_factory=dict)
    cells: dict[str, JsonValue] = Field(default_factory=dict)


class Membership(Received):
    """An organisation you belong to."""

    slug: str
    name: str
    role: str = ""
    verified: bool = False


class Me(Received):
    """Who the key belongs to, and what it may do. An `operator` runs the service."""

    key: Key | None = None
    user: str
    operator: bool = False
    organisation: str = ""
    organisations: tuple[Membership, ...] = ()
    scopes: tuple[str, ...] = ()


class Tool(Received):
    """A tool of an episode; `parameters` is a JSON Schema of its arguments."""

    name: str
    description: str = ""
    parameters: dict[str, JsonValue] = Field(default_factory=dict)


class Observation(Received):
    """What an episode shows: text, plain data, base64 PNGs by name (`picture` gives the bytes)."""

    text: str = ""
    data: dict[str, Any] = Field(default_factory=dict)
    images: dict[str, str] = Field(default_factory=dict)

    def picture(self, name: str = "screenshot") -> bytes:
        """A picture as the bytes of its PNG. Raises KeyError where there is none of this name."""
        return b64decode(self.images[name])


class Limits(Received):
    """How long an episode may be: actions, seconds of wall clock, seconds without an action."""

    steps: int
    seconds: int
    idle_seconds: int = 0


class Action(Sent):
    """One action: `text` in the published protocol of the benchmark, or a `tool` call {name, arguments}."""

    text: str | None = None
    tool: dict[str, JsonValue] | None = None

    @classmethod
    def of(cls, action: "Action | Mapping[str, Any] | str") -> "Action":
        """An action from text, from {"name": ..., "arguments": {...}}, or as it is."""
        if isinstance(action, Action):
            return action
        if isinstance(action, str):
            return cls(text=action)
        return cls(tool=dict(action)) if "name" in action else cls.model_validate(dict(action))


class StepResult(Received):
    """The reply to an action. `finish_reason` is set by the last one."""

    session: str = ""
    number: int
    observation: Observation
    finish_reason: str | None = None
    answer: str | None = None
    error: str | None = None
    steps_left: int = 0
    deadline: datetime | None = None


class TranscriptStep(Received):
    """One entry of a transcript; number 0 is the first observation and has no action."""

    number: int
    action: dict[str, Any] | None = None
    observation: Observation
    finish_reason: str | None = None
    answer: str | None = None
    error: str | None = None
    at: datetime | None = None


class Verdict(Received):
    """How an episode was judged; sent on splits with full feedback alone."""

    score: float | None = None
    outcome: str
    reason: str = ""
    grader: str = ""


class SessionStatus(Received):
    """A live episode. `state` is opening or running until it ends; `steps` counts the actions taken.

    `takeovers` counts how often another host took the episode over and played it again up to where it was, and
    `divergence` holds the steps at which what it then observed was not the same.
    """

    id: str
    problem: str
    benchmark: str
    split: str
    state: str
    version: str = ""
    instruction: str = ""
    answer_format: str = ""
    submission: str | None = None
    tools: tuple[Tool, ...] = ()
    limits: Limits | None = None
    steps: int = 0
    created_at: datetime | None = None
    deadline: datetime | None = None
    observation: Observation | None = None
    finish_reason: str | None = None
    answer: str | None = None
    takeovers: int = 0
    divergence: tuple[dict[str, Any], ...] = ()
    verdict: Verdict | None = None
    transcript: tuple[TranscriptStep, ...] | None = None


class Episode(Received):
    """An episode that may be opened; what it asks comes when it is."""

    id: str
    type: str = ""
    subject: str = ""
