"""Rubrics of a pack before its benchmark's first release: the benchmark is there, with nothing published of it."""

from alembic import op

revision = "0049"
down_revision = "0048"
branch_labels = None
depends_on = None

WEB = "heldout_web"
_RESERVE = """create function reserve_benchmark(pack uuid, fresh uuid) returns boolean
language plpgsql security definer set search_path = public as $$
declare
  found_pack pack_upload;
begin
  select u.* into found_pack from pack_upload u
    where u.id = pack and u.kind = 'pack' and u.state = 'checked' and u.slug is not null;
  if not found then return false; end if;
  insert into benchmark (id, slug, organisation_id, created_at)
    values (fresh, found_pack.slug, found_pack.organisation_id, now()) on conflict (slug) do nothing;
  return exists (select from benchmark b where b.slug = found_pack.slug and b.deleted_at is null
    and b.organisation_id = found_pack.organisation_id);
end $$"""


def upgrade() -> None:
    op.execute(_RESERVE)
    op.execute("revoke all on function reserve_benchmark(uuid, uuid) from public")
    op.execute(f"grant execute on function reserve_benchmark(uuid, uuid) to {WEB}")


def downgrade() -> None:
    op.execute("drop function reserve_benchmark(uuid, uuid)")
