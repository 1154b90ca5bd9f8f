"""A release that only mends golds keeps the board and the agreements; any other begins anew."""

import dataclasses
import re
from typing import Any

import pytest

from api.accounts.models import Scope
from packs.pack import Pack
from tests.support.service import OPEN, Caller, Service, choice_pack


def mended(pack: Pack, gold: str = "D") -> Pack:
    """The pack with another gold of its first hidden problem."""
    lines = tuple(
        line.model_copy(update={"reference": {"kind": "multiple_choice", "value": gold}, "gold": gold})
        if line.id == "test-0"
        else line
        for line in pack.references
    )
    return dataclasses.replace(pack, references=lines)


async def answered(reader: Caller, model: str, **more: str) -> Any:
    """Submit the right answers, but for what `more` says of problems by name."""
    answers = {}
    for problem in await reader.problems("quiz", "test"):
        name = problem["statement"].removesuffix("?").removeprefix("Which option is right in ")
        answers[problem["id"]] = more.get(name.replace("-", "_"), "ABCD"[int(name.rsplit("-", 1)[1]) % 4])
    return (await reader.submit("quiz", "test", answers, model=model)).raise_for_status()


async def board(service: Service, **query: str) -> dict[str, Any]:
    path = "/v1/benchmarks/quiz/leaderboard"
    return dict((await service.client.get(path, params={"split": "test"} | query)).raise_for_status().json())


def rows(page: dict[str, Any]) -> list[tuple[int, str, float]]:
    return [(row["rank"], row["model"]["name"], row["score"]) for row in page["items"]]


async def test_a_correction_carries_entries_and_agreements(service: Service) -> None:
    await service.publish(choice_pack(count=8, hidden=OPEN, agreement=True, approval=True))
    ada = await service.reader()
    assert (await ada.post("/v1/benchmarks/quiz/agreement", json={"name": "Ada"})).json()["state"] == "requested"
    await answered(ada, "one")
    await answered(ada, "two", test_0="D")
    await service.work()
    await service.publish(mended(choice_pack(count=8, version="1.0.1", hidden=OPEN, agreement=True, approval=True)))
    now = await board(service)
    assert now["version"] == "1.0.1"
    assert rows(now) == [(1, "one", 1.0), (2, "two", 0.875)]
    assert (await ada.get("/v1/benchmarks/quiz/agreement")).json()["state"] == "requested"
    await answered(ada, "two", test_0="D")
    await answered(ada, "three", test_0="D", test_1="A")
    await service.work()
    assert rows(await board(service)) == [(1, "one", 1.0), (1, "two", 1.0), (3, "three", 0.875)]
    assert len(rows(await board(service, all="true"))) == 4
    assert rows(await board(service, version="1.0.0")) == [(1, "one", 1.0), (2, "two", 0.875)]
    versions = (await service.client.get("/v1/benchmarks/quiz/versions")).json()["items"]
    assert [(v["version"], v["current"], v["corrects"]) for v in versions] == [
        ("1.0.1", True, "1.0.0"),
        ("1.0.0", False, None),
    ]
    assert (await service.client.get("/v1/benchmarks/quiz/leaderboard?split=test&version=9.9.9")).status_code == 404


async def test_the_front_page_and_a_problem_show_what_a_corrected_board_carries(service: Service) -> None:
    """Each model once, with its best entry, whichever of the releases that was made in."""
    await service.publish(choice_pack(count=8, hidden=OPEN))
    ada = await service.reader()

    async def tried(model: str, last: str) -> None:
        given = {p["id"]: "A" if "dev-0" in p["statement"] else last for p in await ada.problems("quiz", "dev")}
        (await ada.submit("quiz", "dev", given, model=model)).raise_for_status()

    for model, last in (("one", "B"), ("two", "C")):
        await tried(model, last)
    await service.work()
    await service.publish(mended(choice_pack(count=8, version="1.0.1", hidden=OPEN)))
    for model, last in (("one", "D"), ("three", "B")):
        await tried(model, last)
    await service.work()
    front = (await service.client.get("/")).text
    named = re.findall(r'<text x="0"[^>]*>(.*?)</text><text[^>]*>(.*?)</text>', front)
    assert named == [("one", "1.000"), ("three", "1.000"), ("two", "0.500")]
    problem = (await service.client.get("/b/quiz/problems/dev/2")).text
    told = re.findall(r'<a href="/s/sub_\w+">(\w+)</a>.*?<span class="tag \w*">(\w+)</span>', problem)
    assert told == [("one", "correct"), ("three", "correct"), ("two", "incorrect")]
    assert problem.count(">B</span>") == 2


async def test_pages_and_csv_show_any_release_and_pages_of_a_carried_board_are_whole(service: Service) -> None:
    await service.publish(choice_pack(count=8, hidden=OPEN))
    ada = await service.reader()
    for number in range(3):
        await answered(ada, f"old {number}", test_1="D")
    await service.work()
    await service.publish(mended(choice_pack(count=8, version="1.0.1", hidden=OPEN)))
    for number in range(3):
        await answered(ada, f"new {number}", test_0="D")
    await service.work()
    first = await board(service, limit="4")
    second = await board(service, limit="4", cursor=first["next"])
    assert {row[1] for row in rows(first) + rows(second)} == {
        f"{word} {n}" for word in ("old", "new") for n in range(3)
    }
    assert [row[0] for row in rows(first) + rows(second)] == [1, 1, 1, 4, 4, 4]
    old = await service.client.get("/v1/benchmarks/quiz/leaderboard?split=test&version=1.0.0&format=csv")
    assert "old 0" in old.text
    assert "new 0" not in old.text
    page = (await service.client.get("/b/quiz?split=test&version=1.0.0")).text
    assert "new 0" not in page
    shown = (await service.client.get("/b/quiz?split=test")).text
    assert "new 0" in shown
    assert "old 0" in shown
    assert "only mends golds of 1.0.0" in shown
    # What is carried is on a board of now, on the page of its organisation, too.
    assert ">earlier<" not in (await service.client.get("/o/lab")).text
    await service.publish(_statement(mended(choice_pack(count=8, version="2.0.0", hidden=OPEN))))
    assert (await service.client.get("/o/lab")).text.count(">earlier<") == 6


def _statement(pack: Pack) -> Pack:
    first = pack.problems[-1].model_copy(update={"statement": "Another question?"})
    return dataclasses.replace(pack, problems=(*pack.problems[:-1], first))


def _scoring(pack: Pack) -> Pack:
    scoring = pack.benchmark.scoring.model_copy(update={"scheme": "macro"})
    return dataclasses.replace(pack, benchmark=pack.benchmark.model_copy(update={"scoring": scoring}))


@pytest.mark.parametrize("change", [_statement, _scoring])
async def test_what_changes_more_than_golds_begins_a_board(service: Service, change: Any) -> None:
    await service.publish(choice_pack(count=8, hidden=OPEN))
    await answered(await service.reader(), "one")
    await service.work()
    await service.publish(change(mended(choice_pack(count=8, version="1.1.0", hidden=OPEN))))
    assert rows(await board(service)) == []
    assert rows(await board(service, version="1.0.0")) == [(1, "one", 1.0)]


async def test_a_correction_of_a_correction_carries_both(service: Service) -> None:
    await service.publish(choice_pack(count=8, hidden=OPEN))
    ada = await service.reader()
    await answered(ada, "one")
    await service.work()
    for number, gold in ((1, "D"), (2, "C")):
        await service.publish(mended(choice_pack(count=8, version=f"1.0.{number}", hidden=OPEN), gold))
        await answered(ada, f"at {number}", test_0=gold)
        await service.work()
    assert {row[1] for row in rows(await board(service))} == {"one", "at 1", "at 2"}
    assert {row[1] for row in rows(await board(service, version="1.0.1"))} == {"one", "at 1"}


async def test_an_owner_has_a_corrected_benchmark_regraded_and_the_board_keeps_its_rows(service: Service) -> None:
    await service.publish(choice_pack(count=8, hidden=OPEN))
    ada = await service.reader()
    owner = await service.reader("o@example.org", "owners", scopes=[Scope.BENCHMARKS_WRITE])
    await answered(ada, "as the pack said")
    await answered(ada, "as it is", test_0="D")
    await service.work()
    await service.publish(mended(choice_pack(count=8, version="1.0.1", hidden=OPEN)))
    path, body = "/v1/benchmarks/quiz/regrades", {"reason": "The gold of a problem was wrong."}
    assert (await ada.post(path, json=body)).status_code == 403
    stranger = await service.reader("s@example.org", "others", scopes=[Scope.BENCHMARKS_WRITE])
    assert (await stranger.post(path, json=body)).status_code == 404
    begun = (await owner.post(path, json=body)).raise_for_status().json()
    assert (await owner.post(path, json=body)).json()["code"] == "regrade_running"
    for _ in range(2):  # what is begun queues the submissions
        await service.work()
    done = (await service.client.get(path)).json()["items"][0]
    assert (done["id"], done["total"], done["done"]) == (begun["id"], 2, 2)
    assert rows(await board(service)) == [(1, "as it is", 1.0), (2, "as the pack said", 0.875)]


async def test_a_regrading_of_nothing_ends(service: Service) -> None:
    await service.publish(choice_pack(count=8, hidden=OPEN))
    owner = await service.reader("o@example.org", "owners", scopes=[Scope.BENCHMARKS_WRITE])
    (await owner.post("/v1/benchmarks/quiz/regrades", json={"reason": "A look."})).raise_for_status()
    await service.work()
    assert (await service.client.get("/v1/benchmarks/quiz/regrades")).json()["items"][0]["finished_at"]


async def test_reviewers_are_named_listed_and_removed(service: Service) -> None:
    await service.publish(choice_pack())
    owner = await service.reader("o@example.org", "owners", scopes=[Scope.BENCHMARKS_WRITE])
    path = "/v1/benchmarks/quiz/reviewers"
    for email in ("Rita@example.org", "new@example.org", "rita@example.org"):
        assert (await owner.call("PUT", f"{path}/{email}")).status_code == 204
    assert [item["email"] for item in (await owner.get(path)).json()["items"]] == [
        "new@example.org",
        "rita@example.org",
    ]
    rita = await service.reader("rita@example.org", "lab", scopes=[Scope.REVIEWS_WRITE])
    assert (await rita.get("/v1/reviews/queue?benchmark=quiz")).status_code == 200
    assert (await owner.call("DELETE", f"{path}/rita@example.org")).status_code == 204
    assert (await owner.call("DELETE", f"{path}/rita@example.org")).status_code == 404
    assert (await rita.get("/v1/reviews/queue?benchmark=quiz")).status_code == 403
    assert (await owner.call("PUT", f"{path}/nonsense")).status_code == 422
    stranger = await service.reader("s@example.org", "others", scopes=[Scope.BENCHMARKS_WRITE])
    assert (await stranger.get(path)).status_code == 404
    assert (await stranger.call("PUT", f"{path}/s@example.org")).status_code == 404
