"""The ledger's rows are written by the function that counts them, which takes problems from the split itself.

So they need no foreign keys of their own: of a page of twenty these were eighty look-ups, each with a lock. Who would
take away what the ledger names is refused on the other side. Web processes of the release before go on with
`serve_problems` and rows of their own until they are replaced; the release after this one takes both away.
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
# The last statement holds a lock on `exposure` before it looks at what the rows name: `keep_served` waits for it, or
# it for `keep_served`, and sees what is gone.
_RECORD = """create function record_served(
  reader uuid, of_split uuid, problems uuid[], variants text[], by_channel text, from_address text,
  first_position integer, last_position integer)
returns setof integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  today date := (now() at time zone 'utc')::date; counted integer; most integer; written integer;
  mine uuid; others integer := 0; served integer := coalesce(cardinality(problems), 0);
begin
  if served < 1 then raise check_violation using message = 'at least one problem is served'; end if;
  select coalesce(cast(s.config->>'problems_per_day' as integer), 2147483647) into most from split s
    where s.id = of_split;
  select k.organisation_id into mine from api_key k where k.id = reader;
  if exists (select from organisation_group g where g.organisation_id = mine and g.ended_at is null) then
    perform pg_advisory_xact_lock(hashtextextended('budget ' || group_lead(mine)::text || of_split::text, 0));
    select coalesce(sum(b.used), 0) into others from daily_budget b
      where b.split_id = of_split and b.day = today and b.organisation_id <> mine
        and b.organisation_id in (select sharing_limits(mine));
  end if;
  insert into daily_budget as b (organisation_id, split_id, day, used)
    select mine, of_split, today, served where mine is not null and served <= most - others
    on conflict (organisation_id, split_id, day) do update set used = b.used + excluded.used
      where b.used + excluded.used <= most - others
    returning b.used into counted;
  if not found then
    if most is not null and mine is not null then return; end if;
    raise foreign_key_violation using message = 'a row of the ledger names a key and a split that are there';
  end if;
  insert into key_reading as r (key_id, split_id, day, address, last_position, run)
    values (reader, of_split, today, from_address, coalesce(record_served.last_position, 0), served)
    on conflict (key_id, split_id, day) do update set address = excluded.address,
      last_position = coalesce(record_served.last_position, r.last_position),
      run = case when first_position is null then r.run
        when first_position = r.last_position + 1 then r.run + excluded.run else excluded.run end;
  insert into exposure (organisation_id, key_id, problem_id, split_id, variant, channel, address, served_at)
    select mine, reader, p.id, p.split_id, w.variant, by_channel, from_address, clock_timestamp()
    from unnest(problems, variants) as w(problem_id, variant)
    join problem p on p.id = w.problem_id and p.split_id = of_split
    where exists (select from api_key k where k.id = reader);
  get diagnostics written = row_count;
  if written <> served then
    raise foreign_key_violation using message = 'a row of the ledger names problems of its split';
  end if;
  return next counted + others;
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
