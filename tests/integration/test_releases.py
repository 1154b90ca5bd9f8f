"""Releases never change, and a benchmark can be carried elsewhere in one encrypted file."""

import dataclasses

import pytest

from api.worker.exporting import WrongPassphraseError, export_benchmark, restore_benchmark
from api.worker.importing import NotOwnerError, ReleaseExistsError, import_pack
from heldout.ngrams import NgramFilter
from tests.support.service import Service, choice_pack
from tests.support.sql import sql

SALT = bytes(16)


async def test_the_same_version_with_other_content_is_refused(service: Service) -> None:
    await service.publish(choice_pack(count=4))
    await service.publish(choice_pack(count=4))
    with pytest.raises(ReleaseExistsError):
        await service.publish(choice_pack(count=5))
    await service.publish(choice_pack(count=5, version="1.1.0"))
    shown = (await service.client.get("/v1/benchmarks/quiz")).json()
    assert shown["version"] == "1.1.0"
    assert shown["versions"] == ["1.0.0", "1.1.0"]


async def test_anothers_slug_is_refused(service: Service) -> None:
    pack = choice_pack()
    await service.publish(pack)
    thief = dataclasses.replace(pack, benchmark=pack.benchmark.model_copy(update={"owner": "thieves"}))
    with pytest.raises(NotOwnerError):
        await service.publish(thief)


async def test_an_export_is_encrypted_and_restores_the_benchmark(service: Service) -> None:
    await service.publish(choice_pack(count=4))
    await service.publish(choice_pack(count=6, version="1.1.0"))
    async with service.admin.session() as session:
        content = await export_benchmark(session, service.settings, "quiz", "a long passphrase", SALT)
        digests = (await sql(session, "select version, digest from release order by version")).all()
        await sql(session, "truncate benchmark, release, vault.reference cascade")
    assert b"option" not in content
    async with service.admin.session() as session:
        with pytest.raises(WrongPassphraseError):
            await restore_benchmark(session, service.settings, content, "another passphrase")
        done = await restore_benchmark(session, service.settings, content, "a long passphrase")
        assert [(item.version, item.problems) for item in done] == [("1.0.0", 6), ("1.1.0", 8)]
        assert (await sql(session, "select version, digest from release order by version")).all() == digests


@pytest.mark.parametrize(("passed", "word"), [(True, "passed"), (False, "failed")])
async def test_the_gates_result_is_shown_and_may_come_later(service: Service, passed: bool, word: str) -> None:
    await service.publish(choice_pack(count=4))
    assert "admission check" not in (await service.client.get("/b/quiz")).text
    async with service.admin.session() as session:
        done = await import_pack(session, service.settings, choice_pack(count=4), admission={"passed": passed})
    assert not done.fresh
    assert (await service.client.get("/v1/benchmarks/quiz")).json()["admission"] == {"passed": passed}
    assert f"admission check {word}" in (await service.client.get("/b/quiz")).text


async def test_a_release_publishes_a_filter_that_finds_its_hidden_text(service: Service) -> None:
    pack = choice_pack(count=3)
    words = [
        "wheel",
        "rolls",
        "down",
        "slope",
        "slate",
        "while",
        "gulls",
        "watch",
        "turn",
        "wall",
        "red",
        "stone",
        "sea",
    ]
    long = {p.id: " ".join("abcdefg"[number] + word for word in words) for number, p in enumerate(pack.problems)}
    problems = tuple(p.model_copy(update={"statement": long[p.id]}) for p in pack.problems)
    await service.publish(dataclasses.replace(pack, problems=problems))
    reply = await service.client.get("/v1/benchmarks/quiz/ngram-filter")
    assert reply.status_code == 200
    assert "slate" not in reply.text
    shown = reply.json()
    assert (shown["problems"], shown["covered"], shown["filter"]["grams"]) == (3, 3, 3)
    known = NgramFilter.from_json(shown["filter"])
    assert [bool(known.hits(problem.statement)) for problem in problems] == [p.split != "dev" for p in problems]
    assert (await service.client.get("/v1/benchmarks/nothing/ngram-filter")).status_code == 404
