"""Answers to hidden splits and what reviewers say are sealed for the worker; those who take them in cannot open them.

`intake_key` is the public half of a key derived from the vault's. What was taken in before is sealed here, and what
people had settled on; digests of requests, which hold answers, are keyed by what no backup has.
"""

import json
from collections.abc import Callable
from typing import Any

import sqlalchemy as sa
from alembic import context, op
from sqlalchemy.dialects.postgresql import JSONB

from api.core.crypto import IntakeSeal, intake_public_key, keyed_digest, seal, unseal, unseal_intake

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

WEB, WORKER, HOST = "heldout_web", "heldout_worker", "heldout_host"
_BATCH = 1000
_PLAIN = """select i.submission_id, i.problem_id, i.answer, i.data, i.trajectory
            from submission_item i join submission u on u.id = i.submission_id join split s on s.id = u.split_id
            where s.visibility <> 'dev' and num_nonnulls(i.answer, i.data, i.trajectory) > 0 limit :batch"""
_GUARD = """create function no_plain_answer() returns trigger
language plpgsql security definer set search_path = public as $$
begin
  if exists (
    select from added a join submission u on u.id = a.submission_id join split s on s.id = u.split_id
    where s.visibility <> 'dev' and num_nonnulls(a.answer, a.data, a.trajectory) > 0)
  then raise insufficient_privilege using message = 'an answer to a hidden split is sealed before it is taken in';
  end if;
  return null;
end $$"""
_CAST = """create function cast_vote(voted uuid, voter uuid, given bytea, took double precision)
returns table (votes bigint, votes_needed integer)
language plpgsql security definer set search_path = public as $$
begin
  update review r set lease_user = null, lease_until = null
    where r.id = voted and r.lease_user = voter and r.settled_at is null;
  if not found
  then raise insufficient_privilege using message = 'whoever holds a review votes on it';
  end if;
  insert into review_vote (review_id, user_id, sealed, seconds, created_at) values (voted, voter, given, took, now());
  return query select (select count(*) from review_vote v where v.review_id = voted), r.votes_needed
    from review r where r.id = voted;
end $$"""
_OLD_CAST = """create function cast_vote(
  voted uuid, voter uuid, given jsonb, points double precision, remark text, took double precision)
returns table (votes integer, settled boolean, votes_needed integer)
language plpgsql security definer set search_path = public as $$
declare
  cast_so_far integer; spread double precision; middle double precision; final double precision;
begin
  if not exists (select from review r where r.id = voted and r.lease_user = voter and r.settled_at is null)
  then raise insufficient_privilege using message = 'whoever holds a review votes on it';
  end if;
  insert into review_vote (review_id, user_id, credits, score, comment, seconds, created_at)
    values (voted, voter, given, points, remark, took, now());
  select count(*), max(v.score) - min(v.score), percentile_cont(0.5) within group (order by v.score)
    into cast_so_far, spread, middle from review_vote v where v.review_id = voted;
  -- Of two votes the median is their mean.
  if cast_so_far >= 3 or (cast_so_far = 2 and spread <= 0.05) then final := middle; end if;
  return query update review r set lease_user = null, lease_until = null, score = coalesce(final, r.score),
      settled_at = case when final is not null then now() end, sheet = case when final is null then r.sheet end,
      votes_needed = case when cast_so_far = 2 and final is null then 3 else r.votes_needed end
    where r.id = voted returning cast_so_far, final is not null, r.votes_needed;
end $$"""
_NAME = "cast_vote(uuid, uuid, bytea, double precision)"
_OLD_NAME = "cast_vote(uuid, uuid, jsonb, double precision, text, double precision)"


def upgrade() -> None:
    key = context.config.attributes["vault_key"]
    public = intake_public_key(key)
    op.create_table("intake_key", sa.Column("public", sa.LargeBinary(), nullable=False, primary_key=True))
    op.execute(f"revoke all on intake_key from {WEB}, {WORKER}, {HOST}")
    op.execute(f"grant select on intake_key to {WEB}, {WORKER}")
    op.get_bind().execute(sa.text("insert into intake_key values (:public)"), {"public": public})
    _answers(IntakeSeal(public))
    _votes(IntakeSeal(public), key)
    _requests(context.config.attributes["pepper"])


def _answers(sealer: IntakeSeal) -> None:
    op.add_column("submission_item", sa.Column("sealed", sa.LargeBinary(), nullable=True))
    op.execute(f"grant insert (sealed) on submission_item to {WEB}")
    connection = op.get_bind()
    while rows := connection.execute(sa.text(_PLAIN), {"batch": _BATCH}).all():
        connection.execute(
            sa.text(
                """update submission_item set sealed = :sealed, answer = null, data = null, trajectory = null
                   where submission_id = :submission and problem_id = :problem"""
            ),
            [
                {
                    "submission": row.submission_id,
                    "problem": row.problem_id,
                    "sealed": sealer.seal(
                        _json(answer=row.answer, data=row.data, trajectory=row.trajectory), _answer_binding(row)
                    ),
                }
                for row in rows
            ],
        )
    op.execute(_GUARD)
    op.execute(
        """create trigger no_plain_answer after insert on submission_item referencing new table as added
           for each statement execute function no_plain_answer()"""
    )


def _votes(sealer: IntakeSeal, key: bytes) -> None:
    op.add_column("review_vote", sa.Column("sealed", sa.LargeBinary(), nullable=True))
    _rewrite(
        "select review_id, user_id, credits, score, comment from review_vote",
        "update review_vote set sealed = :value where review_id = :review_id and user_id = :user_id",
        lambda row: sealer.seal(_json(credits=row.credits, score=row.score, comment=row.comment), _vote_binding(row)),
        "review_id",
        "user_id",
    )
    op.alter_column("review_vote", "sealed", nullable=False)
    for name in ("credits", "score", "comment"):
        op.drop_column("review_vote", name)
    op.alter_column("review", "score", new_column_name="plain")
    op.add_column("review", sa.Column("score", sa.LargeBinary(), nullable=True))
    _rewrite(
        "select id, plain from review where plain is not null",
        "update review set score = :value where id = :id",
        lambda row: seal(key, repr(row.plain).encode(), f"review.score:{row.id}:1"),
        "id",
    )
    op.drop_column("review", "plain")
    op.execute(f"drop function {_OLD_NAME}")
    op.execute(_CAST)
    op.execute(f"revoke all on function {_NAME} from public")
    op.execute(f"grant execute on function {_NAME} to {WEB}")


def _requests(pepper: bytes) -> None:
    _rewrite(
        "select id, request_digest from submission where request_digest <> ''",
        "update submission set request_digest = :value where id = :id",
        lambda row: keyed_digest(pepper, "request", row.request_digest).hex(),
        "id",
    )


def _rewrite(rows: str, change: str, value: Callable[[Any], object], *keys: str) -> None:
    """Give every row another value, which the database cannot make."""
    connection = op.get_bind()
    made = [
        {name: getattr(row, name) for name in keys} | {"value": value(row)}
        for row in connection.execute(sa.text(rows)).all()
    ]
    if made:
        connection.execute(sa.text(change), made)


def _json(**fields: object) -> bytes:
    return json.dumps(fields).encode()


def _answer_binding(row: Any) -> str:
    return f"submission_item:{row.submission_id}:{row.problem_id}:1"


def _vote_binding(row: Any) -> str:
    return f"review_vote:{row.review_id}:{row.user_id}:1"


def downgrade() -> None:
    """Everything is opened again but the digests of requests: nobody can say what they were made of."""
    key = context.config.attributes["vault_key"]
    op.execute("drop trigger no_plain_answer on submission_item")
    op.execute("drop function no_plain_answer")
    _rewrite(
        "select submission_id, problem_id, sealed from submission_item where sealed is not null",
        """update submission_item i set answer = g->>'answer', data = nullif(g->'data', 'null'),
             trajectory = nullif(g->'trajectory', 'null')
           from cast(:value as jsonb) g where i.submission_id = :submission_id and i.problem_id = :problem_id""",
        lambda row: unseal_intake(key, bytes(row.sealed), _answer_binding(row)).decode(),
        "submission_id",
        "problem_id",
    )
    op.drop_column("submission_item", "sealed")
    op.add_column("review_vote", sa.Column("credits", JSONB(), nullable=True))
    op.add_column("review_vote", sa.Column("score", sa.Float(), nullable=True))
    op.add_column("review_vote", sa.Column("comment", sa.String(4000), nullable=True))
    _rewrite(
        "select review_id, user_id, sealed from review_vote",
        """update review_vote v set credits = g->'credits', score = cast(g->>'score' as double precision),
             comment = g->>'comment'
           from cast(:value as jsonb) g where v.review_id = :review_id and v.user_id = :user_id""",
        lambda row: unseal_intake(key, bytes(row.sealed), _vote_binding(row)).decode(),
        "review_id",
        "user_id",
    )
    op.drop_column("review_vote", "sealed")
    for name in ("credits", "score", "comment"):
        op.alter_column("review_vote", name, nullable=False)
    op.alter_column("review", "score", new_column_name="opaque")
    op.add_column("review", sa.Column("score", sa.Float(), nullable=True))
    _rewrite(
        "select id, opaque from review where opaque is not null",
        "update review set score = :value where id = :id",
        lambda row: float(unseal(key, bytes(row.opaque), f"review.score:{row.id}:1")),
        "id",
    )
    op.drop_column("review", "opaque")
    op.execute(f"drop function {_NAME}")
    op.execute(_OLD_CAST)
    op.execute(f"revoke all on function {_OLD_NAME} from public")
    op.execute(f"grant execute on function {_OLD_NAME} to {WEB}")
    op.drop_table("intake_key")
