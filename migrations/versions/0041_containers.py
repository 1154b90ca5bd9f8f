"""Containers: archives of participants that the service runs. They are uploads of a kind of their own.

No container is checked or published as a pack, and one that a run needs is not dropped. What the worker says of a
container's run is in `report`.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0041"
down_revision = "0040"
branch_labels = None
depends_on = None

WEB, WORKER = "heldout_web", "heldout_worker"
_ASK = """create or replace function ask_pack(asked uuid, wish text, anyway boolean) returns boolean
language plpgsql security definer set search_path = public as $$
begin
  if wish = 'check' then
    update pack_upload u set state = 'checking', changed_at = now()
      where u.id = asked and u.state = 'uploading' and cardinality(u.received) = u.parts {kind};
  else
    update pack_upload u set state = 'publishing', changed_at = now()
      where u.id = asked and u.state = 'checked' and (u.admissible or anyway) {kind};
  end if;
  return found;
end $$"""
_DROP = """create or replace function drop_pack(dropped uuid) returns boolean
language plpgsql security definer set search_path = public as $$
begin
  perform 1 from pack_upload u where u.id = dropped and u.state in ('uploading', 'refused', 'checked') {free}
    for update;
  if not found then return false; end if;
  delete from vault.pack_part p where p.upload_id = dropped;
  delete from pack_upload u where u.id = dropped;
  return true;
end $$"""
_FREE = """and not exists (select from endpoint_run e
    where e.container->>'upload_id' = dropped::text and e.state in ('queued', 'playing'))"""


def upgrade() -> None:
    op.add_column("pack_upload", sa.Column("kind", sa.String(20), nullable=False, server_default="pack"))
    op.add_column("endpoint_run", sa.Column("container", JSONB(), nullable=True))
    op.add_column("endpoint_run", sa.Column("report", JSONB(), nullable=True))
    op.execute(f"grant insert (kind) on pack_upload to {WEB}")
    op.execute(f"grant insert (container) on endpoint_run to {WEB}")
    op.execute(f"grant update (report) on endpoint_run to {WORKER}")
    op.execute(_ASK.format(kind="and u.kind = 'pack'"))
    op.execute(_DROP.format(free=_FREE))


def downgrade() -> None:
    op.execute(_ASK.format(kind=""))
    op.execute(_DROP.format(free=""))
    op.drop_column("endpoint_run", "report")
    op.drop_column("endpoint_run", "container")
    op.drop_column("pack_upload", "kind")
