"""JSON of problems as they are served."""

from datetime import datetime

from api.core.schemas import Model


class ChoicePublic(Model):
    label: str
    text: str


class ImagePublic(Model):
    url: str
    alt: str


class ProblemPublic(Model):
    """One problem. `id` is this organisation's own alias; `gold` and `solution` are there on dev splits alone."""

    id: str
    benchmark: str
    version: str
    split: str
    type: str
    subject: str
    statement: str
    choices: list[ChoicePublic]
    answer_format: str
    images: list[ImagePublic]
    episode: bool
    gold: str | None = None
    solution: str | None = None


class Budget(Model):
    """Problems of a split that a key may see on one day (UTC)."""

    limit: int
    used: int
    resets_at: datetime


class ProblemPage(Model):
    items: list[ProblemPublic]
    next: str | None
    budget: Budget | None
