"""A version of what public pages show of each benchmark, changed in the transaction that changes what is shown.

Pages are kept by the web processes and served while their version is the present one (`api/page_cache`). A version is
the set of the rows of a topic: whoever changes what is shown adds a row with a new id, and takes away those rows that
nobody else is at, so a set never comes again, not even after a fail-over that lost the last changes. Nobody waits for
anybody: rows that another transaction is taking away are left to it. `changes` counts, for the test that it depends on
no verdict; ids are random, so the web role learns them by a function.
"""

import sqlalchemy as sa
from alembic import op

revision = "0050"
down_revision = "0049"
branch_labels = None
depends_on = None

WEB, WORKER, HOST = "heldout_web", "heldout_worker", "heldout_host"
_MARK = """create function mark_pages(changed text[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  one text;
begin
  if cardinality(changed) = 0 then return; end if;
  foreach one in array changed || '*'::text loop
    -- Once for a transaction. A savepoint has a number of its own and marks again: it may be rolled back alone.
    continue when exists (
      select from page_version v where v.topic = one and v.xmin = pg_current_xact_id()::xid);
    with free as (select v.id from page_version v where v.topic = one for update skip locked),
      gone as (delete from page_version v using free where v.id = free.id returning v.changes)
      insert into page_version (id, topic, changes)
        select gen_random_uuid(), one, 1 + coalesce(sum(gone.changes), 0) from gone;
  end loop;
end $$"""
_READ = """create function page_versions(asked text[]) returns table (topic text, ids uuid[])
language sql stable security definer set search_path = public, pg_temp as $$
  select v.topic, array_agg(v.id order by v.id) from page_version v where v.topic = any(asked) group by v.topic
$$"""
_PUBLISHED = "where c.release_id is not null"
_OF_BENCHMARK = "join benchmark b on b.id = c.benchmark_id"
_OF_RELEASE = "join release r on r.id = c.release_id join benchmark b on b.id = r.benchmark_id"
_OF_SPLIT = (
    "join split s on s.id = c.split_id join release r on r.id = s.release_id join benchmark b on b.id = r.benchmark_id"
)
# Of each table what pages show, whose topic it is, and which events matter. The empty topic is everybody's.
_SHOWN = {
    "benchmark": ("id, slug, organisation_id, release_id, deleted_at", "c.slug", _PUBLISHED, "insert update delete"),
    "release": ("*", "b.slug", _OF_BENCHMARK, "insert update delete"),
    "split": ("*", "b.slug", _OF_RELEASE, "insert update delete"),
    "entry": ("*", "b.slug", f"{_OF_SPLIT} where not c.hidden", "insert update delete"),
    "feedback_release": ("id, split_id, receiver, part, bits", "b.slug", _OF_SPLIT, "insert update delete"),
    "match_rating": ("benchmark_id", "b.slug", _OF_BENCHMARK, "insert delete"),
    "organisation": ("id, slug, name, verified_at", "''", "", "update"),
}
_ROWS = {
    "insert": "select {columns} from fresh",
    "delete": "select {columns} from stale",
    "update": """(select {columns} from fresh except select {columns} from stale) union all
                 (select {columns} from stale except select {columns} from fresh)""",
}
_NAMED = {
    "insert": "new table as fresh",
    "delete": "old table as stale",
    "update": "new table as fresh old table as stale",
}


def _watch(table: str, event: str) -> None:
    columns, topic, joined, _ = _SHOWN[table]
    name = f"page_of_{table}_{event}"
    op.execute(
        f"""create function {name}() returns trigger
        language plpgsql security definer set search_path = public, pg_temp as $$
        begin
          perform mark_pages(array(select distinct {topic} from ({_ROWS[event].format(columns=columns)}) c {joined}));
          return null;
        end $$"""
    )
    op.execute(
        f"""create trigger {name} after {event} on {table} referencing {_NAMED[event]}
            for each statement execute function {name}()"""
    )


def upgrade() -> None:
    op.create_table(
        "page_version",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("topic", sa.String(64), nullable=False),
        sa.Column("changes", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_page_version")),
    )
    op.create_index(op.f("ix_page_version_topic"), "page_version", ["topic"])
    op.execute(f"revoke all on page_version from {WEB}, {WORKER}, {HOST}")
    op.execute(f"grant select (topic, changes) on page_version to {WEB}")
    op.execute(_MARK)
    op.execute(_READ)
    op.execute("revoke all on function mark_pages(text[]), page_versions(text[]) from public")
    op.execute(f"grant execute on function page_versions(text[]) to {WEB}")
    for table, (*_, events) in _SHOWN.items():
        for event in events.split():
            _watch(table, event)


def downgrade() -> None:
    for table, (*_, events) in _SHOWN.items():
        for event in events.split():
            op.execute(f"drop trigger page_of_{table}_{event} on {table}")
            op.execute(f"drop function page_of_{table}_{event}()")
    op.execute("drop function page_versions(text[])")
    op.execute("drop function mark_pages(text[])")
    op.drop_table("page_version")
