"""What is public of an admission check has no scores: these participants' answers are known, so they told of golds."""

from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None

# Whether each participant passed is not in the old rows, so they say of the whole split alone.
_STRIP = """
update release set admission = admission || jsonb_build_object(
  'splits', (select coalesce(jsonb_object_agg(key, value - '{participants,findings}'::text[]), '{}')
             from jsonb_each(admission->'splits')),
  'episodes', (select coalesce(jsonb_object_agg(key, value - '{participants,findings}'::text[]), '{}')
               from jsonb_each(coalesce(admission->'episodes', '{}'))))
where jsonb_typeof(admission->'splits') = 'object'"""


def upgrade() -> None:
    op.execute(_STRIP)


def downgrade() -> None:
    """The scores are gone; a check that is run again brings them back."""
