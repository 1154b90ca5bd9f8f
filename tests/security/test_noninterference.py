"""What hidden splits do not tell: twins that differ in golds alone look the same to the web role and over HTTP.

The golds are exchanged so that every release is the same (items of one part on which all runs answered in mirror image;
golds that nobody had). Then everything the web role may read, and every reply to everybody, has to be the same, byte by
byte, after every event.
"""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as st

import api.submissions.view
from api.core.db import Database, Role
from api.submissions.grading_repository import GradingRepository
from api.submissions.models import Submission
from api.submissions.repository import SubmissionRepository
from api.submissions.schemas import SubmissionPublic
from api.worker.app import run as run_jobs
from api.worker.deciding import decide_due
from api.worker.graders import RoutedGraders
from api.worker.ranking import release_due
from grading import Answer, Outcome, Verdict
from tests.support.service import Caller, Service
from tests.support.service_fixtures import Cluster
from tests.support.sql import sql
from tests.support.twins import DELAY, MONTH, OWNER, Golds, Item, Played, Scenario, Twin, VirtualClock, steady, twins
from tests.support.walk import pages, public_pages

SEALED = {"feedback": "sealed", "chance_level": 0.2, "feedback_share": 0.3, "decisions_per_year": 3}
RANKED = {"feedback": "sealed", "chance_level": 0.2, "feedback_share": 0.0}
SCORES = {"feedback": "scores", "chance_level": 0.2}
Grading = Callable[[VirtualClock, Service], AbstractContextManager[None]]
Observer = Callable[[Service, Twin], Awaitable[dict[str, str]]]


async def web_reads(service: Service, _twin: Twin) -> dict[str, str]:
    """Every table as the web role may read it, in a fixed order, and every sequence."""
    database = Database.of(service.settings, Role.WEB)
    found: dict[str, str] = {}
    async with database.session() as session:
        columns = await sql(
            session,
            """select n.nspname || '.' || c.relname as relation,
                 string_agg(quote_ident(a.attname), ', ' order by attnum) as names
               from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
               where c.relkind in ('r', 'v', 'p', 'm') and a.attnum > 0 and not a.attisdropped
                 and n.nspname not in ('pg_catalog', 'information_schema', 'clock') and n.nspname not like 'pg_toast%'
                 and has_schema_privilege(n.oid, 'usage') and has_column_privilege(c.oid, a.attnum, 'select')
               group by 1 order by 1""",
        )
        for row in columns.all():
            readable = f"select {row.names} from {row.relation}"
            rows = await sql(session, f"select to_jsonb(t)::text from ({readable}) t order by 1")
            found[row.relation] = "\n".join(rows.scalars().all())
        # How often workers started is the test's own doing: a round more or less, as time allows.
        sequences = await sql(
            session,
            """select sequencename, last_value from pg_sequences
               where sequencename <> 'procrastinate_workers_id_seq' order by 1""",
        )
        found["sequences"] = str(sequences.all())
    await database.close()
    assert len(found) > 30
    return found


@dataclass(frozen=True)
class Seen:
    """What was observed after each event, how many releases there were, and what was said of every answer, which nobody
    is to see."""

    events: list[tuple[str, dict[str, str]]]
    releases: int
    verdicts: dict[str, str | None]


async def play(twin: Twin, observe: Observer, at: frozenset[str], grading: Grading | None = None) -> Seen:
    """Grading, decisions, selections, two scheduled releases with a regrading between them; observed after those `at`
    which it is to be (none: after each). `grading`: what is done to the graders meanwhile."""
    clock = VirtualClock(twin.begin)
    seen: list[tuple[str, dict[str, str]]] = []
    with steady(clock):
        async with Service.running(twin.settings) as service:

            async def look(event: str) -> None:
                if not at or event in at:
                    seen.append((event, await observe(service, twin)))

            await clock.move(service, 1)
            await look("handed in")
            with grading(clock, service) if grading else nullcontext():
                await run_jobs(service.worker, wait=False)
            await clock.move(service, 60, twin.begin)
            await look("graded")
            await clock.move(service, DELAY / 2)
            await decide_due(service.worker, clock.at)
            await look("before the decision")
            await clock.move(service, 2 * DELAY)
            assert await decide_due(service.worker, clock.at) == len(twin.runs)
            await look("decided")
            for organisation, submission in twin.runs:
                await Caller(service.client, twin.keys[organisation]).post(f"/v1/submissions/{submission}/select")
            await look("selected")
            await clock.move(service, MONTH + 1)
            await release_due(service.worker, clock.at)
            await look("released")
            with grading(clock, service) if grading else nullcontext():
                await _regrade(service, twin)
            await look("regraded")
            await clock.move(service, MONTH + 1)
            await release_due(service.worker, clock.at)
            await look("released again")
            async with service.admin.session() as session:
                releases = (await sql(session, "select count(*) from feedback_release")).scalar_one()
            return Seen(seen, releases, await _verdicts(service))


async def _verdicts(service: Service) -> dict[str, str | None]:
    async with service.admin.session() as session:
        repository = SubmissionRepository(session)
        runs = (await sql(session, "select id from submission")).scalars().all()
        named = {run: await repository.named_verdicts(run) for run in runs}
        return {f"{run} {name}": item.outcome for run, items in named.items() for name, item in items.items()}


async def _regrade(service: Service, twin: Twin) -> None:
    asked = Caller(service.client, twin.keys[OWNER]).post("/v1/benchmarks/twin/regrades", json={"reason": "a test"})
    assert (await asked).status_code == 202
    await run_jobs(service.worker, wait=False)


def differences(first: Seen, second: Seen) -> list[str]:
    """Where two observations are not the same, with what differs."""
    found = []
    for (event, one), (_, other) in zip(first.events, second.events, strict=True):
        for name in sorted({*one, *other}):
            mine, theirs = one.get(name, "absent"), other.get(name, "absent")
            if mine != theirs:
                place = next((i for i, (a, b) in enumerate(zip(mine, theirs, strict=False)) if a != b), 0)
                window = slice(max(0, place - 80), place + 80)
                found.append(f"{event}: {name}: …{mine[window]}… against …{theirs[window]}…")
    return found


async def compared(
    cluster: Cluster,
    scenario: Scenario,
    observe: Observer,
    golds: Callable[[Played, list[Item]], Golds] | None = None,
    at: frozenset[str] = frozenset(),
) -> list[str]:
    """The differences between two twins that were played alike."""
    async with twins(cluster, scenario, golds) as (one, other):
        first, second = await play(one, observe, at), await play(other, observe, at)
    told = first.events[-1][1]
    assert any("model " in text for text in told.values())
    assert first.releases >= len(one.scenario.verified)
    changed = sum(first.verdicts[name] != outcome for name, outcome in second.verdicts.items())
    assert changed > 10, "the twins differ where nobody is to see it"
    return differences(first, second)


@given(seed=st.integers(0, 10_000), split=st.sampled_from([SEALED, RANKED, SCORES]))
@effort(max_examples=4)
def test_everything_the_web_role_may_read_is_the_same(cluster: Cluster, seed: int, split: dict[str, Any]) -> None:
    assert asyncio.run(compared(cluster, Scenario(seed, split), web_reads)) == []


def test_every_reply_is_the_same(cluster: Cluster) -> None:
    at = frozenset({"graded", "decided", "released", "regraded", "released again"})
    assert asyncio.run(compared(cluster, Scenario(7, SEALED, runs=4), pages, at=at)) == []


def _tell(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault: how an item was graded is written beside its answer."""
    record = GradingRepository.record

    async def telling(self: GradingRepository, submission_id: UUID, verdicts: Any, _finishes: Any) -> int:
        finishes = {problem: verdict.outcome.value for problem, verdict in verdicts.items()}
        return await record(self, submission_id, verdicts, finishes)

    monkeypatch.setattr(GradingRepository, "record", telling)


def test_the_database_test_sees_a_verdict_that_is_told(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    _tell(monkeypatch)
    found = asyncio.run(compared(cluster, Scenario(0, SEALED), web_reads))
    assert any("submission_item" in line for line in found)


def in_part(part: str) -> Callable[[Played, list[Item]], Golds]:
    """Golds that make the last run perfect in one part, and golds there by which it has nothing right."""

    def changed(found: Played, items: list[Item]) -> Golds:
        right = {item.id: found.answers[-1][item.name] for item in items if item.part == part}
        wrong = {item.id: item.other(right[item.id]) for item in items if item.part == part}
        return Golds(found.golds.first | right, found.golds.first | wrong)

    return changed


# These speak of the feedback part by design: it is what was released of it, in bits, and the flag made from its bands.
_BITS = re.compile(r"at most [\d.]+ bits of the feedback part \(wear [^)]*\)")
FROM_THE_FEEDBACK_PART = ("feedback_bits", "wear", "presumed_public", "overfit")


def without(names: tuple[str, ...], observe: Observer) -> Observer:
    """What is observed, without some fields."""

    async def seen(service: Service, twin: Twin) -> dict[str, str]:
        found = await observe(service, twin)
        return {name: _stripped(text, names) for name, text in found.items()}

    return seen


def _stripped(text: str, names: tuple[str, ...]) -> str:
    _head, _, body = text.partition("\n\n")
    try:
        value = json.loads(body)
    except ValueError:
        return _BITS.sub("", body)

    def clean(item: Any) -> Any:
        if isinstance(item, dict):
            return {k: clean(v) for k, v in item.items() if k not in names}
        return [clean(v) for v in item] if isinstance(item, list) else item

    return json.dumps(clean(value))


def test_public_pages_do_not_hang_on_the_feedback_part(cluster: Cluster) -> None:
    observe = without(FROM_THE_FEEDBACK_PART, public_pages)
    at = frozenset({"decided", "released", "released again"})
    assert asyncio.run(compared(cluster, Scenario(1, SEALED), observe, in_part("feedback"), at)) == []


def test_nobody_hears_of_the_ranking_part_before_its_release(cluster: Cluster) -> None:
    at = frozenset({"decided", "selected", "released"})
    found = asyncio.run(compared(cluster, Scenario(1, SEALED), pages, in_part("ranking"), at))
    assert [line for line in found if not line.startswith(("released", "regraded"))] == []
    assert any(line.startswith("released: anonymous") for line in found), "the release tells it, so the search can see"


@contextmanager
def costly(clock: VirtualClock, service: Service) -> Iterator[None]:
    """Grading that takes its time over every answer, and leaves those it would refuse to people."""
    grade = RoutedGraders.grade

    async def slowly(self: RoutedGraders, answer: Answer, reference: dict[str, Any]) -> Verdict:
        verdict = await grade(self, answer, reference)
        await clock.move(service, 0.1)
        return Verdict.unscored("nobody knows") if verdict.outcome is Outcome.INCORRECT else verdict

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RoutedGraders, "grade", slowly)
        yield


# Ids are counted here, and what nobody can decide makes reviews, which have some; in life they are drawn.
_REGRADE_ID = re.compile("rgr_[0-9a-f]{32}")


async def unnumbered(service: Service, twin: Twin) -> dict[str, str]:
    """Every reply without the ids of regradings."""
    return {name: _REGRADE_ID.sub("rgr", text) for name, text in (await pages(service, twin)).items()}


async def with_costs(cluster: Cluster, at: frozenset[str]) -> list[str]:
    """The differences that the cost of grading and undecided answers make."""
    async with twins(
        cluster, Scenario(2, SEALED), lambda found, _: Golds(found.golds.first, found.golds.first)
    ) as both:
        first, second = await play(both[0], unnumbered, at), await play(both[1], unnumbered, at, costly)
    assert "unscored" in second.verdicts.values()
    assert "unscored" not in first.verdicts.values()
    return differences(first, second)


def test_neither_what_grading_costs_nor_what_it_cannot_decide_is_told(cluster: Cluster) -> None:
    at = frozenset({"graded", "before the decision", "decided", "selected", "released", "regraded", "released again"})
    assert asyncio.run(with_costs(cluster, at)) == []


def test_the_http_test_sees_a_time_that_is_told(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    show = api.submissions.view._show_hidden

    async def telling(session: Any, service: Any, row: Submission, public: SubmissionPublic, hidden: Any) -> None:
        public.graded_at = row.graded_at
        await show(session, service, row, public, hidden)

    monkeypatch.setattr(api.submissions.view, "_show_hidden", telling)
    found = asyncio.run(with_costs(cluster, frozenset({"graded"})))
    assert found
    assert all("/v1/submissions" in line for line in found)
