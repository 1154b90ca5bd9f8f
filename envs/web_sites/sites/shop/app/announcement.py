"""What the administration's settings show on the shop's pages."""

from typing import Any

from django.db import connection


def shown(_request: Any) -> dict[str, str]:
    """The announcement on top of every page; empty for none."""
    with connection.cursor() as cursor:
        cursor.execute("select value from administration_setting where name = 'announcement'")
        row = cursor.fetchone()
    return {"announcement": row[0] if row else ""}
