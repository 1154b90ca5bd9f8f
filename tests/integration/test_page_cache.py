"""Public pages are kept, and never shown when what they show has changed: in any process, whatever else happens."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import httpx2
import psycopg
import pytest
from psycopg.sql import SQL, Identifier
from sqlalchemy import event

from api.accounts.models import Scope
from api.core.db import now
from api.core.settings import Settings
from api.core.telemetry import PAGES
from tests.integration.test_deleting import deleted, owner_of
from tests.integration.test_leaderboard_pages import PATH, _publish
from tests.support.service import Service, choice_pack
from tests.support.service_fixtures import Cluster
from tests.support.shared import application
from tests.support.sql import sql
from tests.support.visitor import enter

BOARD = "/b/quiz"
OVERALL = 'title = "Mine"\npart = [{name = "quiz", benchmark = "quiz", split = "test", average = 50.0}]\n'
PLACES = (
    "/",
    "/?search=quiz",
    BOARD,
    f"{BOARD}?split=dev",
    f"{BOARD}?all=true&sort=created_at",
    f"{BOARD}/badge.svg",
    PATH,
    f"{PATH}?split=dev",
    f"{PATH}?format=csv",
    "/v1/benchmarks",
    "/v1/benchmarks/quiz",
    "/v1/benchmarks/quiz/versions",
    "/v1/overall",
    "/overall/mine",
    "/v1/overall/mine",
)
Change = Callable[[Service], Awaitable[object]]


@asynccontextmanager
async def another(settings: Settings) -> AsyncIterator[httpx2.AsyncClient]:
    """Another process's application: it shares nothing with the first but the database."""
    app = application(settings)
    transport = httpx2.ASGITransport(app=app, raise_app_exceptions=False)
    async with (
        app.router.lifespan_context(app),
        httpx2.AsyncClient(transport=transport, base_url="http://heldout.test", timeout=120) as client,
    ):
        yield client


@pytest.fixture
async def board(service: Service) -> Service:
    """A benchmark with a few entries on its hidden split, and a combination of it alone."""
    await _publish(service)
    folder = service.settings.data_dir / "overall"
    folder.mkdir(exist_ok=True)
    (folder / "mine.toml").write_text(OVERALL)
    return service


@pytest.fixture(autouse=True)
def _no_combination_is_left(settings: Settings) -> Iterator[None]:
    yield
    for path in (settings.data_dir / "overall").glob("*.toml"):
        path.unlink()


def found() -> dict[str, float]:
    """How often pages were made, sent again and said to be the same, so far."""
    return {name: PAGES.labels(name)._value.get() for name in ("made", "kept", "same")}


async def seen(client: httpx2.AsyncClient) -> dict[str, tuple[int, str, str | None]]:
    """Every place: status, text and tag."""
    told = {}
    for place in PLACES:
        page = await client.get(place)
        text = page.text if page.status_code == 200 else page.json()["code"]
        told[place] = (page.status_code, text, page.headers.get("etag"))
    return told


async def run(service: Service, statement: str) -> None:
    async with service.admin.session() as session:
        await sql(session, statement)


async def test_a_page_is_kept_and_a_reader_that_has_it_is_told_so(board: Service) -> None:
    for place in PLACES:
        before = found()
        first = await board.client.get(place)
        again = await board.client.get(place)
        tag = first.headers["etag"]
        assert again.content == first.content
        same = [await board.client.get(place, headers={"If-None-Match": one}) for one in (tag, f'"no", W/{tag}', "*")]
        assert [(page.status_code, page.content) for page in same] == [(304, b"")] * 3
        other = await board.client.get(place, headers={"If-None-Match": '"no"'})
        assert (other.status_code, other.content) == (200, first.content)
        counted = {name: count - before[name] for name, count in found().items()}
        assert counted == {"made": 1, "kept": 2, "same": 3}
        for page in (first, again, *same):
            assert page.headers["cache-control"] == "no-cache"
            assert page.headers["vary"] == "Authorization, Cookie"
            assert page.headers["etag"] == tag
        assert {page.headers["x-request-id"] for page in (first, again)} != {first.headers["x-request-id"]}
        for name in ("content-type", "content-length", "content-security-policy", "x-robots-tag"):
            assert again.headers.get(name) == first.headers.get(name), name


async def score(service: Service) -> None:
    await run(service, "update entry set score = 0.9 where model_name = 'a'")


async def graded(service: Service) -> None:
    reader = await service.reader()
    answers = {problem["id"]: "A" for problem in await reader.problems("quiz", "dev")}
    (await reader.submit("quiz", "dev", answers, model="new")).raise_for_status()
    await service.work()


async def hidden(service: Service) -> None:
    owner = await service.reader("o@example.org", "owners", scopes=[Scope.BENCHMARKS_WRITE])
    best = (await service.client.get(PATH)).json()["items"][0]
    (await owner.call("PATCH", f"/v1/leaderboard/{best['submission']}", json={"hidden": True})).raise_for_status()


async def renamed(service: Service) -> None:
    await run(service, "update organisation set name = 'Another' where slug = 'owners'")
    await run(service, "update organisation set slug = 'another' where slug = 'owners'")


async def verified(service: Service) -> None:
    await service.verify("lab")


async def published(service: Service) -> None:
    await service.publish(choice_pack(version="1.1.0"))


async def another_benchmark(service: Service) -> None:
    await service.publish(choice_pack("quizzes"))


async def retired(service: Service) -> None:
    await run(service, "update split set config = config || '{\"problems_per_day\": 7}' where name = 'test'")


async def admitted(service: Service) -> None:
    await run(service, "update release set summary = 'Another summary of the quiz'")


async def told(service: Service) -> None:
    await run(
        service,
        """insert into feedback_release (id, split_id, receiver, submission_id, part, new, "left", bits, regrade,
             judge_weak, contaminated, scheduled)
           select gen_random_uuid(), split_id, organisation_id, id, 'feedback', true, 3, 2.5, false, false, false, now()
           from submission limit 1""",
    )


async def rated(service: Service) -> None:
    await run(
        service,
        """insert into match_rating (benchmark_id, organisation_id, model_name, elo, "interval", won, played, lost_by)
           select b.id, o.id, 'm', 1200, 40, 1, 1, '{}' from benchmark b, organisation o limit 1""",
    )


async def removed(service: Service) -> None:
    assert (await deleted(service, await owner_of(service)))["state"] == "done"


async def combined(service: Service) -> None:
    path = service.settings.data_dir / "overall" / "mine.toml"
    path.write_text(OVERALL.replace("Mine", "Ours"))


CHANGES: dict[str, tuple[Change, set[str]]] = {
    "a score": (score, {BOARD, PATH, f"{PATH}?format=csv", "/", f"{BOARD}/badge.svg", "/overall/mine"}),
    "a graded run": (graded, {f"{BOARD}?split=dev", f"{PATH}?split=dev"}),
    "an entry that its owner hides": (hidden, {BOARD, PATH, "/", "/v1/overall/mine"}),
    "an organisation's name": (renamed, {BOARD, "/", "/v1/benchmarks"}),
    "an organisation's mark": (verified, {BOARD, PATH, "/overall/mine"}),
    "a release": (published, {BOARD, "/", "/v1/benchmarks/quiz/versions", "/v1/benchmarks/quiz"}),
    "another benchmark": (another_benchmark, {"/", "/v1/benchmarks"}),
    "a split": (retired, {BOARD, "/v1/benchmarks", "/v1/benchmarks/quiz"}),
    "a summary": (admitted, {BOARD, "/", "/v1/benchmarks/quiz"}),
    "what was told of a split": (told, {BOARD, PATH}),
    "ratings": (rated, {BOARD}),
    "a benchmark that is gone": (removed, {BOARD, PATH, "/", f"{BOARD}/badge.svg", "/v1/benchmarks"}),
    "an operator's combination": (combined, {"/", "/overall/mine", "/v1/overall"}),
}


@pytest.mark.parametrize("name", CHANGES)
async def test_whatever_changes_is_seen_by_the_next_request_in_every_process(board: Service, name: str) -> None:
    change, changed = CHANGES[name]
    async with another(board.settings) as other:
        before = [await seen(client) for client in (board.client, other)]
        assert before[0] == before[1]
        assert {place for place, (status, *_) in before[0].items() if status != 200} == set()
        await change(board)
        after = [await seen(client) for client in (board.client, other)]
        # One that starts now has kept nothing.
        async with another(board.settings) as fresh:
            now_so = await seen(fresh)
    assert after == [now_so, now_so]
    assert {place for place in PLACES if before[0][place][1:] != now_so[place][1:]} >= changed


async def test_a_page_that_tells_the_next_release_ends_with_it(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    await service.publish(choice_pack(count=100, hidden={"feedback": "sealed", "chance_level": 0.25}))
    for place in (PATH, BOARD):
        before = await service.client.get(place)
        known = {"If-None-Match": before.headers["etag"]}
        assert (await service.client.get(place, headers=known)).status_code == 304
        with monkeypatch.context() as clock:
            for module in ("api.page_cache.conditions", "api.feedback.service"):
                clock.setattr(f"{module}.now", lambda: now() + timedelta(days=800))
            after = await service.client.get(place, headers=known)
        assert (after.status_code, before.text != after.text) == (200, True)


async def test_nothing_is_kept_of_or_for_a_reader_who_is_known(board: Service) -> None:
    visitor = await enter(board, "ada@example.org", "lab")
    for place in ("/", BOARD):
        mine = await visitor.get(place)
        assert mine.headers["cache-control"] == "no-store"
        assert "etag" not in mine.headers
        assert "Sign out" in mine.text
        tag = (await board.client.get(place)).headers["etag"]
        visitor.headers["if-none-match"] = tag
        assert (await visitor.get(place)).status_code == 200
        assert "Sign out" not in (await board.client.get(place)).text
    reader = await board.reader()
    for place in (PATH, "/v1/benchmarks"):
        by_key = await reader.get(place, headers={"If-None-Match": (await board.client.get(place)).headers["etag"]})
        assert (by_key.status_code, by_key.headers["cache-control"]) == (200, "no-store")


async def test_a_page_says_under_which_address_it_was_asked_for(board: Service) -> None:
    assert "http://one.test" in (await board.client.get(BOARD, headers={"Host": "one.test"})).text
    assert "http://two.test" in (await board.client.get(BOARD, headers={"Host": "two.test"})).text


async def test_what_is_no_page_is_not_kept(board: Service) -> None:
    before = found()
    for place, status in (("/b/none", 404), (f"{PATH}?sort=nothing", 422), ("/v1/benchmarks?no=1", 400)):
        for _ in range(2):
            page = await board.client.get(place)
            assert (page.status_code, page.headers.get("etag")) == (status, None)
    assert (await board.client.post(BOARD)).status_code == 405
    assert found() == before


async def test_a_kept_page_counts_against_the_limit(settings: Settings, board: Service) -> None:
    async with another(settings.model_copy(update={"rate_limits_enabled": True})) as limited:
        first = await limited.get(BOARD)
        told = [await limited.get(BOARD, headers={"If-None-Match": first.headers["etag"]}) for _ in range(300)]
    assert [page.status_code for page in told] == [304] * 299 + [429]
    assert told[0].headers["ratelimit"].startswith('"public";r=298;')
    assert int(told[-1].headers["retry-after"]) > 0


async def test_a_database_that_cannot_be_asked_shows_nothing_old(board: Service, cluster: Cluster) -> None:
    kept = await board.client.get(PATH)
    name, owner = board.settings.database_name, cluster.server.uri()
    cut = "select pg_terminate_backend(pid) from pg_stat_activity where datname = %s and pid <> pg_backend_pid()"
    with psycopg.connect(owner, autocommit=True) as connection:
        try:
            connection.execute(SQL("alter database {} allow_connections false").format(Identifier(name)))
            connection.execute(cut, (name,))
            for _ in range(2):
                page = await board.client.get(PATH, headers={"If-None-Match": kept.headers["etag"]})
                assert page.status_code == 503
        finally:
            connection.execute(SQL("alter database {} allow_connections true").format(Identifier(name)))
        # Cut off between the change and the next request.
        with psycopg.connect(cluster.server.uri(name), autocommit=True) as changing:
            changing.execute("update entry set score = 0.9 where model_name = 'a'")
        connection.execute(cut, (name,))
    scores = set()
    for _ in range(3):
        page = await board.client.get(PATH, headers={"If-None-Match": kept.headers["etag"]})
        assert page.status_code in (200, 503)
        scores |= {item["score"] for item in page.json().get("items", ())}
    assert 0.9 in scores
    assert 0.5 not in {item["score"] for item in page.json()["items"] if item["model"]["name"] == "a"}


async def test_a_request_sees_what_was_committed_before_it(board: Service) -> None:
    """Writers at once, each in transactions of its own, and readers in two processes."""
    committed = {"a": 0, "b": 0, "c": 0}
    done = asyncio.Event()

    async def write(model: str) -> None:
        for number in range(1, 40):
            score = f"update entry set score = {number} where model_name = '{model}' and best"
            async with board.admin.session() as session:
                if number % 3 == 0:
                    # A savepoint that is rolled back takes its own mark along, and no other.
                    async with session.begin_nested() as savepoint:
                        await sql(session, score)
                        await savepoint.rollback()
                await sql(session, score)
            committed[model] = number

    async def read(client: httpx2.AsyncClient) -> int:
        tag, count = "", 0
        shown: dict[str, float] = {}
        while not done.is_set():
            before = dict(committed)
            page = await client.get(PATH, headers={"If-None-Match": tag})
            if page.status_code == 200:
                tag = page.headers["etag"]
                shown = {item["model"]["name"]: item["score"] for item in page.json()["items"]}
            assert all(shown[model] >= number for model, number in before.items() if number), (before, shown)
            count += 1
        return count

    async with another(board.settings) as other:
        readers = [asyncio.create_task(read(client)) for client in (board.client, other, board.client, other)]
        await asyncio.gather(*(write(model) for model in committed))
        done.set()
        counts = await asyncio.gather(*readers)
    assert min(counts) > 3


async def test_readers_at_once_ask_for_the_version_together_and_one_makes_the_page(board: Service) -> None:
    asked = []
    engine = board.app.state.database.engine.sync_engine
    event.listen(engine, "checkout", lambda *_: asked.append(1))
    before = found()
    pages = await asyncio.gather(*(board.client.get(BOARD) for _ in range(30)))
    assert {page.content for page in pages} == {pages[0].content}
    counted = {name: count - before[name] for name, count in found().items()}
    assert counted == {"made": 1, "kept": 29, "same": 0}
    # The version, the page, and once more the version for those who came while it was asked or made.
    assert len(asked) < 10


async def test_every_table_that_a_kept_page_reads_changes_its_version(board: Service) -> None:
    """By PostgreSQL's own word: what a transaction has read is locked until it ends."""
    read: set[str] = set()
    statement = """select c.relname from pg_locks l join pg_class c on c.oid = l.relation
                   where l.pid = pg_backend_pid() and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace"""

    def look(connection: Any) -> None:
        read.update(row[0] for row in connection.exec_driver_sql(statement))

    engine = board.app.state.database.engine.sync_engine
    event.listen(engine, "commit", look)
    await seen(board.client)
    event.remove(engine, "commit", look)
    async with board.admin.session() as session:
        triggers = await sql(
            session, "select distinct tgrelid::regclass::text from pg_trigger where tgname like 'page_of_%'"
        )
        watched = set(triggers.scalars().all())
    assert {"entry", "split", "release", "benchmark", "organisation"} <= read
    # Problems are written with their release and never after it.
    assert read - watched == {"problem"}


async def test_versions_never_come_again(board: Service) -> None:
    """Also where a change is lost with a fail-over: what came instead of it has another version."""

    async def version() -> str:
        async with board.admin.session() as session:
            rows = await sql(session, "select topic, ids from page_versions('{quiz,*,\"\"}') order by 1")
            return str(rows.all())

    seen = {await version()}
    for number in range(5):
        await run(board, f"update entry set score = 0.{number + 1} where model_name = 'a'")
        seen.add(await version())
    assert len(seen) == 6
    # Nothing that is shown has changed.
    await run(board, "update entry set score = score")
    await run(board, "update organisation set created_at = created_at + interval '1 second'")
    assert await version() in seen
    async with board.admin.session() as session:
        rows = (await sql(session, "select count(*) from page_version")).scalar_one()
    assert rows <= 3
