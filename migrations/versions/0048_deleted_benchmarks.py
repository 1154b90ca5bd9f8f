"""Deleted benchmarks: a function erases what one holds, for a worker that has its owner's request."""

import sqlalchemy as sa
from alembic import op

revision = "0048"
down_revision = "0047"
branch_labels = None
depends_on = None

WORKER = "heldout_worker"
# What refers to a benchmark goes before it. `feedback_release` and `exposure` stay: they say what was let out.
_ERASE = """create function erase_benchmark(asked uuid)
returns table (releases integer, problems integer, submissions integer, entries integer)
language plpgsql security definer set search_path = public as $$
declare
  gone benchmark; why text := 'the benchmark was deleted by its owner'; because text;
  old_releases uuid[]; old_splits uuid[]; old_problems uuid[]; runs uuid[]; episodes uuid[]; matches uuid[];
begin
  select j.arguments->>'reason' into because from owner_job j join benchmark b on b.id = j.benchmark_id
    where j.id = asked and j.job = 'delete' and j.state = 'running' and j.arguments->>'confirm' = b.slug;
  if not found
  then raise insufficient_privilege using message = 'a benchmark is deleted at its owner''s request';
  end if;
  select b.* into gone from benchmark b join owner_job j on j.benchmark_id = b.id where j.id = asked for update of b;
  old_releases := array(select r.id from release r where r.benchmark_id = gone.id);
  old_splits := array(select s.id from split s where s.release_id = any(old_releases));
  old_problems := array(select p.id from problem p where p.release_id = any(old_releases));
  runs := array(select u.id from submission u where u.release_id = any(old_releases) order by u.id for update);
  episodes := array(select l.id from live_session l where l.split_id = any(old_splits) order by l.id for update);
  matches := array(select m.id from game_match m where m.benchmark_id = gone.id);
  delete from grading_job g where g.submission_id = any(runs) or g.session_id = any(episodes);
  delete from vault.evidence e where e.session_id = any(episodes);
  delete from session_step s where s.session_id = any(episodes);
  update live_session l set state = 'failed', failure = why, host_id = null, epoch = l.epoch + 1,
      ended_at = clock_timestamp() where l.id = any(episodes) and l.state in ('opening', 'running', 'ended');
  update live_session l set answer = null, divergence = null, reason = null where l.id = any(episodes);
  delete from vault.endpoint_key k using endpoint_run e where e.id = k.run_id and e.submission_id = any(runs);
  update endpoint_run e set state = 'cancelled', failure = why, changed_at = now()
    where e.submission_id = any(runs) and e.state <> 'done';
  delete from review_vote v using review r where r.id = v.review_id and r.benchmark_id = gone.id;
  delete from review_shown s where s.benchmark_id = gone.id;
  delete from review r where r.benchmark_id = gone.id;
  delete from calibration_report c where c.benchmark_id = gone.id;
  delete from reviewer_agreement a where a.benchmark_id = gone.id;
  delete from judge_budget j where j.benchmark_id = gone.id;
  delete from reviewer r where r.benchmark_id = gone.id;
  delete from regraded d using regrade g where g.id = d.regrade_id and g.benchmark_id = gone.id;
  delete from regrade g where g.benchmark_id = gone.id;
  delete from ranking_selection r where r.split_id = any(old_splits);
  delete from ranking_schedule r where r.split_id = any(old_splits) and not r.done;
  update feedback_intake i set outcome = 'failed' where i.split_id = any(old_splits) and i.outcome is null;
  insert into feedback_intake (submission_id, split_id, organisation_id, decide_at, outcome)
    select u.id, u.split_id, u.organisation_id, now(), 'failed' from submission u join split s on s.id = u.split_id
    where u.id = any(runs) and s.visibility <> 'dev' on conflict do nothing;
  delete from vault.feedback_state f where f.benchmark_id = gone.id;
  delete from vault.split_part p where p.split_id = any(old_splits);
  delete from gold_dispute d where d.benchmark_id = gone.id;
  delete from leak_trace t where t.benchmark_id = gone.id;
  delete from rubric r where r.benchmark_id = gone.id;
  delete from match_rating m where m.benchmark_id = gone.id;
  delete from match_action a where a.match_id = any(matches);
  delete from match_seat s where s.match_id = any(matches);
  delete from game_match m where m.id = any(matches);
  delete from declaration d where d.split_id = any(old_splits);
  delete from entry e where e.submission_id = any(runs);
  get diagnostics entries = row_count;
  delete from submission_item i where i.submission_id = any(runs);
  update submission u set state = 'failed', failure = why, graded_at = now()
    where u.id = any(runs) and u.state not in ('graded', 'failed');
  delete from vault.reference f where f.release_id = any(old_releases);
  delete from vault.episode e where e.problem_id = any(old_problems);
  delete from asset f where f.release_id = any(old_releases);
  delete from ngram_filter f where f.release_id = any(old_releases);
  update problem p set statement = '', choices = '[]', answer_format = '', images = '[]', source = '',
    variation = null, gold = null, solution = null where p.release_id = any(old_releases);
  update release r set card = '' where r.id = any(old_releases);
  delete from vault.pack_part p using pack_upload u
    where u.id = p.upload_id and u.slug = gone.slug and u.organisation_id = gone.organisation_id;
  delete from pack_upload u where u.slug = gone.slug and u.organisation_id = gone.organisation_id;
  update owner_job j set result = null, file = null where j.benchmark_id = gone.id and j.id <> asked;
  update owner_job j set state = 'failed', failure = why, finished_at = now()
    where j.benchmark_id = gone.id and j.id <> asked and j.state in ('queued', 'running');
  update benchmark b set release_id = null, deleted_at = now(), deletion_reason = because
    where b.id = gone.id;
  releases := cardinality(old_releases); problems := cardinality(old_problems); submissions := cardinality(runs);
  return next;
end $$"""


def upgrade() -> None:
    op.add_column("benchmark", sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("benchmark", sa.Column("deletion_reason", sa.String(1000), nullable=False, server_default=""))
    op.execute(_ERASE)
    op.execute("revoke all on function erase_benchmark(uuid) from public")
    op.execute(f"grant execute on function erase_benchmark(uuid) to {WORKER}")


def downgrade() -> None:
    op.execute("drop function erase_benchmark(uuid)")
    op.drop_column("benchmark", "deletion_reason")
    op.drop_column("benchmark", "deleted_at")
