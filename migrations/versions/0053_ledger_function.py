"""The ledger's rows are written by a function that counts them as before and takes problems from the split itself.

So they need no foreign keys of their own: of a page of twenty these were eighty look-ups, each with a lock. Who would
take away what the ledger names is refused on the other side. Web processes of the release before go on with
`serve_problems` and rows of their own until they are replaced; the release after this one takes both rights away.
"""

from alembic import op

revision = "0053"
down_revision = "0052"
branch_labels = None
depends_on = None

WEB = "heldout_web"
NAMED = {"organisation_id": "organisation", "key_id": "api_key", "problem_id": "problem", "split_id": "split"}
RECORD = "record_served(uuid, uuid, uuid[], text[], text, text, integer, integer)"
GUARD = "keep_served()"
# What it names is looked at by its last statement alone, which holds a lock on `exposure` by then: `keep_served` waits
# for it, or it for `keep_served`, and sees what is gone.
_RECORD = """create function record_served(
  reader uuid, of_split uuid, problems uuid[], variants text[], by_channel text, from_address text,
  first_position integer, last_position integer)
returns setof integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  counted integer; written integer; served integer := coalesce(cardinality(problems), 0);
begin
  select * into counted
    from serve_problems(reader, of_split, served, from_address, first_position, last_position);
  if not found then
    if exists (select from api_key k where k.id = reader) and exists (select from split s where s.id = of_split)
    then return; end if;
    raise foreign_key_violation using message = 'a row of the ledger names a key and a split that are there';
  end if;
  insert into exposure (organisation_id, key_id, problem_id, split_id, variant, channel, address, served_at)
    select k.organisation_id, k.id, p.id, p.split_id, w.variant, by_channel, from_address, clock_timestamp()
    from unnest(problems, variants) as w(problem_id, variant)
    join problem p on p.id = w.problem_id and p.split_id = of_split join api_key k on k.id = reader;
  get diagnostics written = row_count;
  if written <> served then
    raise foreign_key_violation using message = 'a row of the ledger names problems of its split';
  end if;
  return next counted;
end $$"""
_GUARD = """create function keep_served() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  named boolean;
begin
  if tg_op = 'UPDATE' and new.id = old.id then return null; end if;
  lock table exposure in share row exclusive mode;
  if tg_op = 'TRUNCATE' then named := exists (select from exposure);
  else execute format('select exists (select from exposure where %I = $1)', tg_argv[0]) into named using old.id;
  end if;
  if named then
    raise foreign_key_violation using message = format('the ledger names this %s: it stays', tg_table_name);
  end if;
  return null;
end $$"""


def upgrade() -> None:
    op.execute(_RECORD)
    op.execute(f"revoke all on function {RECORD} from public")
    op.execute(f"grant execute on function {RECORD} to {WEB}")
    op.execute(_GUARD)
    op.execute(f"revoke all on function {GUARD} from public")
    for column, table in NAMED.items():
        op.drop_constraint(f"fk_exposure_{column}", "exposure", type_="foreignkey")
        op.execute(f"""create trigger keep_served after delete or update of id on {table}
          for each row execute function keep_served('{column}')""")
        op.execute(f"create trigger keep_all_served before truncate on {table} execute function keep_served()")
    # What it finds `ix_exposure_recent` finds as well.
    op.drop_index("ix_exposure_split_id", table_name="exposure")


def downgrade() -> None:
    op.create_index("ix_exposure_split_id", "exposure", ["split_id"], unique=False)
    for column, table in NAMED.items():
        op.execute(f"drop trigger keep_served on {table}")
        op.execute(f"drop trigger keep_all_served on {table}")
        op.create_foreign_key(f"fk_exposure_{column}", "exposure", table, [column], ["id"])
    op.execute(f"drop function {GUARD}")
    op.execute(f"drop function {RECORD}")
