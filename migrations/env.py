"""Alembic's environment: runs on the connection of `api.core.migrate`, never in offline mode."""

import re

from alembic import context
from sqlalchemy import create_engine, text

from api import tables
from api.core.db import SEARCH_PATH


def include_object(item: object, name: str | None, kind: str, reflected: bool, compare_to: object) -> bool:
    """The queue's schema is the library's own."""
    return not (getattr(item, "schema", None) == "queue" or re.match("procrastinate_|alembic_", name or ""))


def run() -> None:
    url = context.config.attributes["url"]
    engine = create_engine(url, connect_args={"options": f"-c search_path={SEARCH_PATH}"})
    with engine.connect() as connection:
        connection.execute(text("set lock_timeout = '60s'"))
        connection.commit()
        context.configure(
            connection=connection,
            target_metadata=tables.metadata,
            include_schemas=True,
            include_name=lambda name, kind, parents: kind != "schema" or name in (None, "vault"),
            include_object=include_object,
            compare_type=True,
        )
        with context.begin_transaction():
            context.run_migrations()
    engine.dispose()


run()
