"""JSON of regradings."""

from datetime import datetime

from api.core.schemas import Model


class Mover(Model):
    """An entry whose score on the leaderboard moved; `before` and `after` hold score, low and high as shown there."""

    submission: str
    organisation: str
    model: str
    before: dict[str, float]
    after: dict[str, float]


class RegradePublic(Model):
    """One regrading: why, how far, and who moved by how much."""

    id: str
    reason: str
    total: int
    done: int
    created_at: datetime
    finished_at: datetime | None
    movers: list[Mover]


class RegradePage(Model):
    benchmark: str
    items: list[RegradePublic]
