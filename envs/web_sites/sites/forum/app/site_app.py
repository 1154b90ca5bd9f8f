"""The forum: django-spirit over one database a session."""

import json
import threading
import time
from typing import Any

import tenancy
from heldout_django import app

ROLES = "roles.json"
application = app.application("app.forum_settings")


class _EachRequest(threading.local):
    values: dict[str, Any] | None = None


def _apart() -> None:
    """Keep Spirit's settings (site name, topics a page) of one session from showing up in another.

    djconfig keeps them once a process, and reads them again when a time stamp has moved, which here it never does.
    """
    from djconfig import conf

    kept = _EachRequest()
    conf.Config._cache = property(lambda _: kept.values or {}, lambda _, values: setattr(kept, "values", values))
    conf.Config._reload_maybe = conf.Config._reload
    conf.reload_maybe = conf.config._reload


_apart()


def make(seed: int, size: str) -> None:
    """Fill the template's database."""
    from django.db import transaction

    from . import seeding
    from .content import SIZES
    from .drawing import Maker

    app.tables()
    app.seeded(seed)
    forum = Maker(seed, SIZES[size], int(time.time())).forum()
    with transaction.atomic():
        seeding.write(forum)
    names = {member.id: member.name.username for member in forum.members}
    roles = {role: names[number] for role, number in forum.roles.items()}
    (tenancy.folder() / ROLES).write_text(json.dumps(roles, indent=1))
    app.tidy()


def sign_in(role: str) -> dict[str, str]:
    """The cookies of the member who has this role in the session's content; a visitor has none."""
    if role == "visitor":
        return {}
    return app.signed_in(json.loads((tenancy.folder() / tenancy.TEMPLATE / ROLES).read_text())[role])
