"""Verdicts of hidden splits go into the vault's schema, sealed; no plain one can be written beside an answer again."""

import json
from typing import Any

import sqlalchemy as sa
from alembic import context, op

from api.core.crypto import seal, unseal

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

WORKER = "heldout_worker"
COLUMNS = ("score", "outcome", "reason", "grader", "grader_version", "reference_digest", "detail")
_NEW_IS_FILLED = " or ".join(f"new.{name} is not null" for name in COLUMNS)
_EMPTY = ", ".join(f"{name} = null" for name in COLUMNS)
_BATCH = 1000
_PLAIN = """select i.submission_id, i.problem_id, i.score, i.outcome, i.reason, i.grader, i.grader_version,
                   i.reference_digest, i.detail
            from submission_item i join submission u on u.id = i.submission_id join split s on s.id = u.split_id
            where s.visibility <> 'dev' and i.outcome is not null limit :batch"""
_GUARD = f"""create function no_plain_verdict() returns trigger language plpgsql as $$
begin
  if ({_NEW_IS_FILLED}) and exists (
    select from submission u join split s on s.id = u.split_id
    where u.id = new.submission_id and s.visibility <> 'dev')
  then raise exception 'a verdict of a hidden split is kept sealed, in vault.verdict';
  end if;
  return new;
end $$"""


def upgrade() -> None:
    op.create_table(
        "verdict",
        sa.Column("submission_id", sa.Uuid(), nullable=False),
        sa.Column("problem_id", sa.Uuid(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["submission_id", "problem_id"],
            ["submission_item.submission_id", "submission_item.problem_id"],
            name=op.f("fk_verdict_submission_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("submission_id", "problem_id", name=op.f("pk_verdict")),
        schema="vault",
    )
    op.execute(f"grant insert, update on vault.verdict to {WORKER}")
    while rows := op.get_bind().execute(sa.text(_PLAIN), {"batch": _BATCH}).all():
        _seal(rows)
    op.execute(
        """update live_session l set score = null, outcome = null, reason = null, grader = null
           from split s where s.id = l.split_id and s.visibility <> 'dev'"""
    )
    op.execute(_GUARD)
    op.execute(
        f"""create trigger no_plain_verdict before insert or update on submission_item
            for each row when ({_NEW_IS_FILLED}) execute function no_plain_verdict()"""
    )


def _seal(rows: Any) -> None:
    key, connection = context.config.attributes["vault_key"], op.get_bind()
    sealed = [
        {"submission": row.submission_id, "problem": row.problem_id, "sealed": seal(key, _text(row), _binding(row))}
        for row in rows
    ]
    connection.execute(sa.text("insert into vault.verdict values (:submission, :problem, :sealed)"), sealed)
    connection.execute(
        sa.text(
            f"""update submission_item set {_EMPTY}
                where submission_id = :submission and problem_id = :problem"""
        ),
        [{name: row[name] for name in ("submission", "problem")} for row in sealed],
    )


def _text(row: Any) -> bytes:
    verdict = {
        "score": row.score,
        "outcome": row.outcome,
        "reason": row.reason or "",
        "grader": row.grader or "",
        "version": row.grader_version or "",
        "reference_digest": row.reference_digest or "",
        "detail": row.detail or {},
    }
    return json.dumps(verdict).encode()


def _binding(row: Any) -> str:
    return f"vault.verdict:{row.submission_id}:{row.problem_id}:1"


def downgrade() -> None:
    op.execute("drop trigger no_plain_verdict on submission_item")
    op.execute("drop function no_plain_verdict")
    key, connection = context.config.attributes["vault_key"], op.get_bind()
    for row in connection.execute(sa.text("select submission_id, problem_id, sealed from vault.verdict")).all():
        verdict = json.loads(unseal(key, bytes(row.sealed), _binding(row)))
        connection.execute(
            sa.text(
                """update submission_item set score = :score, outcome = :outcome, reason = :reason, grader = :grader,
                     grader_version = :version, reference_digest = :reference_digest, detail = cast(:detail as jsonb)
                   where submission_id = :submission and problem_id = :problem"""
            ),
            {
                **verdict,
                "detail": json.dumps(verdict["detail"]),
                "submission": row.submission_id,
                "problem": row.problem_id,
            },
        )
    op.drop_table("verdict", schema="vault")
