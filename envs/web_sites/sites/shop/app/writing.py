"""Writing many rows at once, with dates of the past."""

import datetime
import random
from collections.abc import Iterable
from typing import Any

NOW = datetime.datetime(2026, 1, 15, 12, 0, tzinfo=datetime.UTC)


def store(rows: Iterable[Any], dated: tuple[str, ...] = ("date_created", "date_updated")) -> list[Any]:
    """Insert rows of one model; the named dates are kept as they were given instead of being set to now."""
    listed = list(rows)
    if not listed:
        return []
    model = type(listed[0])
    fields = [field for field in model._meta.fields if field.name in dated]
    before = [(getattr(f, "auto_now_add", False), getattr(f, "auto_now", False)) for f in fields]
    for field in fields:
        field.auto_now_add = field.auto_now = False
    try:
        return list(model._default_manager.bulk_create(listed, batch_size=200))
    finally:
        for field, (added, changed) in zip(fields, before, strict=True):
            field.auto_now_add, field.auto_now = added, changed


def moment(draw: random.Random, days_ago: int) -> datetime.datetime:
    """A minute of the day that was so long ago, always before now."""
    start = (NOW - datetime.timedelta(days=days_ago)).replace(hour=6, minute=0)
    return start + datetime.timedelta(minutes=draw.randrange(300))
