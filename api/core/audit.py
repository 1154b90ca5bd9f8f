"""Who changed what, as lines of the log: accounts, keys and organisations by their ids, never a name or a content.

A participant's own play (submissions, steps, matches) is left out: it is in the database, and there is much of it.
"""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

import structlog

_log = structlog.get_logger("audit")
_CHANGES = frozenset(("POST", "PUT", "PATCH", "DELETE"))
_PLAY = ("/v1/submissions", "/v1/sessions", "/v1/matches", "/v1/challenges")
_PART = "/parts/{number}"
ACTOR = "actor"
"""Under this name the state of a request has its Actor."""


@dataclass(frozen=True)
class Actor:
    """The account behind a request. `key`: the API key it asks with; None: a browser. `enters`: it signs in by it."""

    account: UUID
    key: UUID | None = None
    organisation: UUID | None = None
    enters: bool = False


def note(state: dict[str, Any], method: str, route: str, status: int, path: dict[str, Any]) -> None:
    """Write a line where a known account changed something, signed in, or was not allowed to; `path`: what on."""
    actor = state.get(ACTOR)
    if not isinstance(actor, Actor) or not (method in _CHANGES or actor.enters):
        return
    if (status >= 400 and status != 403) or route.startswith(_PLAY) or route.endswith(_PART):
        return
    _log.info(
        "audit",
        account=str(actor.account),
        key=str(actor.key) if actor.key else None,
        organisation=str(actor.organisation) if actor.organisation else None,
        method=method,
        route=route,
        # An address of a person is in some paths.
        on={name: str(value) for name, value in path.items() if name != "email"},
        status=status,
    )
