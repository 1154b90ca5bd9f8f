"""Packs are uploaded by their owners: sealed for the worker, checked by it, and published by it on their word.

The web role puts parts in and reads none; an upload's state is changed by functions, which let nothing be published
that was not checked. The worker adds references, for it publishes.
"""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None

WEB, WORKER, HOST = "heldout_web", "heldout_worker", "heldout_host"
BEGUN = "id, organisation_id, user_id, name, size, sha256, part_bytes, parts, created_at"
CHANGED = "state, stage, done, total, slug, version, admissible, report, changed_at"
_KEEP = """create function keep_pack_part(kept uuid, part integer, content bytea) returns boolean
language plpgsql security definer set search_path = public as $$
begin
  perform 1 from pack_upload u where u.id = kept and u.state = 'uploading' and part >= 0 and part < u.parts for update;
  if not found then return false; end if;
  insert into vault.pack_part as p (upload_id, number, sealed) values (kept, part, content)
    on conflict (upload_id, number) do update set sealed = excluded.sealed;
  update pack_upload u set changed_at = now(),
    received = (select array_agg(distinct n order by n) from unnest(u.received || part) n) where u.id = kept;
  return true;
end $$"""
_ASK = """create function ask_pack(asked uuid, wish text, anyway boolean) returns boolean
language plpgsql security definer set search_path = public as $$
begin
  if wish = 'check' then
    update pack_upload u set state = 'checking', changed_at = now()
      where u.id = asked and u.state = 'uploading' and cardinality(u.received) = u.parts;
  else
    update pack_upload u set state = 'publishing', changed_at = now()
      where u.id = asked and u.state = 'checked' and (u.admissible or anyway);
  end if;
  return found;
end $$"""
_DROP = """create function drop_pack(dropped uuid) returns boolean
language plpgsql security definer set search_path = public as $$
begin
  perform 1 from pack_upload u where u.id = dropped and u.state in ('uploading', 'refused', 'checked') for update;
  if not found then return false; end if;
  delete from vault.pack_part p where p.upload_id = dropped;
  delete from pack_upload u where u.id = dropped;
  return true;
end $$"""
_FUNCTIONS = {
    "keep_pack_part(uuid, integer, bytea)": _KEEP,
    "ask_pack(uuid, text, boolean)": _ASK,
    "drop_pack(uuid)": _DROP,
}


def upgrade() -> None:
    op.create_table(
        "pack_upload",
        sa.Column("id", sa.Uuid(), primary_key=True),
        sa.Column("organisation_id", sa.Uuid(), sa.ForeignKey("organisation.id"), nullable=False),
        sa.Column("user_id", sa.Uuid(), sa.ForeignKey("account.id"), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("sha256", sa.String(64), nullable=False),
        sa.Column("part_bytes", sa.Integer(), nullable=False),
        sa.Column("parts", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("received", sa.ARRAY(sa.Integer()), nullable=False, server_default="{}"),
        sa.Column("state", sa.String(20), nullable=False, server_default="uploading"),
        sa.Column("stage", sa.String(40), nullable=False, server_default=""),
        sa.Column("done", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("total", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("slug", sa.String(64), nullable=True),
        sa.Column("version", sa.String(40), nullable=True),
        sa.Column("admissible", sa.Boolean(), nullable=True),
        sa.Column("report", sa.LargeBinary(), nullable=True),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False, server_default=sa.func.now()),
    )
    op.create_index("ix_pack_upload_organisation_id", "pack_upload", ["organisation_id"])
    op.create_table(
        "pack_part",
        sa.Column("upload_id", sa.Uuid(), sa.ForeignKey("pack_upload.id"), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        schema="vault",
    )
    op.execute(f"revoke all on pack_upload from {WEB}, {WORKER}, {HOST}")
    op.execute(f"grant select, insert ({BEGUN}) on pack_upload to {WEB}")
    op.execute(f"grant select, update ({CHANGED}) on pack_upload to {WORKER}")
    op.execute(f"grant delete on vault.pack_part to {WORKER}")
    op.execute(f"grant insert on vault.reference, vault.episode, ngram_filter to {WORKER}")
    for name, text in _FUNCTIONS.items():
        op.execute(text)
        op.execute(f"revoke all on function {name} from public")
        op.execute(f"grant execute on function {name} to {WEB}, {WORKER}")


def downgrade() -> None:
    for name in _FUNCTIONS:
        op.execute(f"drop function {name}")
    op.execute(f"revoke insert on vault.reference, vault.episode, ngram_filter from {WORKER}")
    op.drop_table("pack_part", schema="vault")
    op.drop_table("pack_upload")
