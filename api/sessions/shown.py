"""What a view of a session is made of."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from api.hosting.models import LiveSession
from api.problems.repository import ProblemAccess


@dataclass(frozen=True)
class Shown:
    """A session, its problem, its first observation and its latest, as they are stored; None before it is open."""

    row: LiveSession
    problem: ProblemAccess
    first: Mapping[str, Any] | None
    latest: Mapping[str, Any] | None
