"""Values that are sealed under a key that has been replaced, sealed anew under the present one.

A batch is a transaction of its own and a value that is under the present key is left alone, so that it can be ended at
any moment and begun again. The service runs on meanwhile: each of its processes opens with both keys.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import psycopg
from psycopg import sql

from api.core.crypto import IntakeSeal, SealError, intake_public_key, seal, unseal, unseal_intake
from api.core.keys import Key
from api.core.settings import Settings
from api.disputes.service import answer_binding as dispute_answer_binding
from api.disputes.service import reason_binding as dispute_reason_binding
from api.endpoints.sealing import key_binding
from api.hosting.sealing import episode_binding, evidence_binding
from api.owner_jobs.sealing import file_binding, result_binding
from api.reviews.agreement import agreement_binding
from api.reviews.measured import measure_binding
from api.reviews.service import sheet_binding
from api.reviews.votes import score_binding, vote_binding
from api.rubrics.sealing import rubric_binding
from api.submissions.answers import answer_binding
from api.submissions.verdicts import verdict_binding
from api.uploads.sealing import part_binding, pictures_binding, report_binding
from api.vault.feedback import state_binding
from api.vault.judge_replies import reply_binding
from api.vault.repository import reference_binding

_BATCH = 500
_INTAKE = "update intake_key set public = %(public)s where public <> %(public)s"


@dataclass(frozen=True)
class SealedColumn:
    """A column of sealed values: its table's primary key, the key it is under, what a value is bound to.

    `taken_in`: sealed by the web process under the public half of the vault's key.
    """

    table: str
    ids: tuple[str, ...]
    column: str
    kind: Literal["vault", "review", "episode"]
    binding: Callable[..., str]
    taken_in: bool = False


COLUMNS = (
    SealedColumn("vault.reference", ("problem_id",), "sealed", "vault", reference_binding),
    SealedColumn("vault.judge_reply", ("digest",), "sealed", "vault", reply_binding),
    SealedColumn("vault.feedback_state", ("benchmark_id", "split", "receiver"), "sealed", "vault", state_binding),
    SealedColumn("vault.verdict", ("submission_id", "problem_id"), "sealed", "vault", verdict_binding),
    SealedColumn("review", ("id",), "score", "vault", score_binding),
    SealedColumn("vault.pack_part", ("upload_id", "number"), "sealed", "vault", part_binding, taken_in=True),
    SealedColumn("vault.endpoint_key", ("run_id",), "sealed", "vault", key_binding, taken_in=True),
    SealedColumn("submission_item", ("submission_id", "problem_id"), "sealed", "vault", answer_binding, taken_in=True),
    SealedColumn("review_vote", ("review_id", "user_id"), "sealed", "vault", vote_binding, taken_in=True),
    SealedColumn("review", ("id",), "sheet", "review", sheet_binding),
    SealedColumn("calibration_report", ("benchmark_id",), "sealed", "review", measure_binding),
    SealedColumn("reviewer_agreement", ("benchmark_id", "user_id"), "sealed", "review", agreement_binding),
    SealedColumn("pack_upload", ("id",), "report", "review", report_binding),
    SealedColumn("pack_upload", ("id",), "pictures", "review", pictures_binding),
    SealedColumn("owner_job", ("id",), "result", "review", result_binding),
    SealedColumn("owner_job", ("id",), "file", "review", file_binding),
    SealedColumn("rubric", ("id",), "sealed", "review", rubric_binding),
    SealedColumn("gold_dispute", ("id",), "reason", "review", dispute_reason_binding),
    SealedColumn("gold_dispute", ("id",), "answer", "review", dispute_answer_binding),
    SealedColumn("vault.episode", ("problem_id",), "sealed", "episode", episode_binding),
    SealedColumn("vault.evidence", ("session_id",), "sealed", "episode", evidence_binding),
)
"""Everything in the database that is sealed."""


@dataclass(frozen=True)
class Resealed:
    """A column, how many values it has, and how many of them were under a key before the present one."""

    column: SealedColumn
    values: int
    earlier: int


def renew_intake_key(connection: psycopg.Connection, settings: Settings) -> None:
    """What is taken in from now on is sealed under the public half of the present key."""
    connection.execute(_INTAKE, {"public": intake_public_key(settings.vault_secrets.raw("vault"))})


def reseal(connection: psycopg.Connection, settings: Settings, kind: str, *, write: bool = True) -> Iterator[Resealed]:
    """Seal anew what is not under the present key of this kind, column by column; without `write` count it only.

    `connection`: the owner's, with autocommit. Raises SealError for a value that no key opens.
    """
    key = _key(settings, kind)
    for column in COLUMNS:
        if column.kind == kind:
            yield _column(connection, column, key, write=write)


def _key(settings: Settings, kind: str) -> Key:
    if kind == "vault":
        return settings.vault_secrets.raw("vault")
    return settings.secrets.raw("review") if kind == "review" else settings.host_secrets.raw("episode")


def _column(connection: psycopg.Connection, column: SealedColumn, key: Key, *, write: bool) -> Resealed:
    values = earlier = 0
    last: tuple[Any, ...] | None = None
    while True:
        with connection.transaction():
            rows = connection.execute(_page(column, lock=write, first=last is None), last).fetchall()
            again = IntakeSeal(intake_public_key(key)).seal if column.taken_in else partial(seal, key)
            changed = [(again(plain, bound_to), *ids) for plain, bound_to, ids in _earlier(column, key, rows)]
            if write and changed:
                connection.cursor().executemany(_update(column), changed)
        values, earlier = values + len(rows), earlier + len(changed)
        if len(rows) < _BATCH:
            return Resealed(column, values, earlier)
        last = tuple(rows[-1][:-1])


def _earlier(
    column: SealedColumn, key: Key, rows: list[tuple[Any, ...]]
) -> Iterator[tuple[bytes, str, tuple[Any, ...]]]:
    """Of the values that are not under the present key: what they say, what they are bound to, their ids."""
    opened = unseal_intake if column.taken_in else unseal
    for *ids, sealed in rows:
        bound_to = column.binding(*ids)
        try:
            opened(bytes(key), sealed, bound_to)
        except SealError:
            yield opened(key, sealed, bound_to), bound_to, tuple(ids)


def _names(column: SealedColumn) -> tuple[sql.Composable, sql.Composable, sql.Composable]:
    table = sql.Identifier(*column.table.split("."))
    return table, sql.SQL(", ").join(map(sql.Identifier, column.ids)), sql.Identifier(column.column)


def _page(column: SealedColumn, *, lock: bool, first: bool) -> sql.Composed:
    table, ids, value = _names(column)
    after = sql.SQL("") if first else sql.SQL("and ({}) > ({})").format(ids, _marks(column))
    return sql.SQL("select {}, {} from {} where {} is not null {} order by {} limit {} {}").format(
        ids, value, table, value, after, ids, sql.Literal(_BATCH), sql.SQL("for update" if lock else "")
    )


def _update(column: SealedColumn) -> sql.Composed:
    table, ids, value = _names(column)
    return sql.SQL("update {} set {} = %s where ({}) = ({})").format(table, value, ids, _marks(column))


def _marks(column: SealedColumn) -> sql.Composable:
    return sql.SQL(", ").join([sql.Placeholder()] * len(column.ids))
