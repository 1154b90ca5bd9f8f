"""Reviewers vote through a function that settles the review; the web role reads nobody's vote or score."""

from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

WEB, WORKER = "heldout_web", "heldout_worker"
REVIEW = (
    "id, submission_id, problem_id, benchmark_id, purpose, sheet, votes_needed, lease_user, lease_until, created_at, "
    "settled_at"
)
# Scores agree when they are this close; two halves of one criterion are a disagreement.
_AGREE = 0.05
_CAST = f"""create function cast_vote(
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
  if cast_so_far >= 3 or (cast_so_far = 2 and spread <= {_AGREE}) then final := middle; end if;
  return query update review r set lease_user = null, lease_until = null, score = coalesce(final, r.score),
      settled_at = case when final is not null then now() end, sheet = case when final is null then r.sheet end,
      votes_needed = case when cast_so_far = 2 and final is null then 3 else r.votes_needed end
    where r.id = voted returning cast_so_far, final is not null, r.votes_needed;
end $$"""
_NAME = "cast_vote(uuid, uuid, jsonb, double precision, text, double precision)"


def upgrade() -> None:
    op.execute(_CAST)
    op.execute(f"revoke all on function {_NAME} from public")
    op.execute(f"grant execute on function {_NAME} to {WEB}")
    op.execute(f"revoke all on review, review_vote from {WEB}")
    op.execute(f"grant select ({REVIEW}), update (lease_user, lease_until) on review to {WEB}")
    op.execute(f"grant select (review_id, user_id, seconds, created_at) on review_vote to {WEB}")


def downgrade() -> None:
    op.execute(f"drop function {_NAME}")
    op.execute(f"grant select, update on review to {WEB}")
    op.execute(f"grant select, insert on review_vote to {WEB}")
