"""The life of a benchmark by its owner, with nothing but `heldout packs` against a service that listens."""

import shlex
import time
from pathlib import Path
from typing import Any

from envs import registry
from packs.pack import Pack
from packs.read import read_pack
from packs.write import write_pack
from tests.integration.test_corrections import answered, board, mended, rows
from tests.support.owner import Owner, owner
from tests.support.service import OPEN, choice_pack
from tests.support.snippets import snippets

__all__ = ["owner"]


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


async def test_the_example_is_written_checked_uploaded_and_published(owner: Owner, tmp_path: Path) -> None:
    pack = tmp_path / "rivers"
    await owner.run("packs", "new", str(pack), "--owner", "owners")
    assert (await owner.json("packs", "check", str(pack)))["state"] == "checked"
    assert await owner.json("packs", "status") == []
    uploaded = await owner.json("packs", "upload", str(pack))
    assert (uploaded["benchmark"], uploaded["admissible"], uploaded["faults"]) == ("rivers", True, [])
    shown = await owner.run("packs", "preview", uploaded["id"])
    assert "Which river flows through Cologne?" in shown
    assert "Rhine" not in shown
    assert "gold: Danube" in shown
    assert (await owner.json("packs", "publish", uploaded["id"]))["state"] == "published"
    assert "rivers" in await owner.run("benchmarks")
    listed = await owner.run("packs", "status")
    assert uploaded["id"] in listed


async def test_every_fault_is_said_with_its_line(owner: Owner, tmp_path: Path) -> None:
    pack = tmp_path / "rivers"
    await owner.run("packs", "new", str(pack), "--owner", "owners")
    change(pack / "references.jsonl", '"value": "Danube"', '"value": "Danube", "alias": []')
    change(pack / "problems.jsonl", '"split": "test"', '"split": "tset"')
    said = await owner.run("packs", "check", str(pack), code=1)
    assert "references.jsonl:4: reference: this field is not known" in said
    assert "problems.jsonl:6: split: there is no split 'tset'; did you mean 'test'?" in said
    change(pack / "references.jsonl", '"K + sin x"', '"cos x"')
    change(pack / "references.jsonl", ', "alias": []', "")
    change(pack / "problems.jsonl", '"split": "tset"', '"split": "test"')
    assert "references.jsonl:3: answers[0]" in await owner.run("packs", "check", str(pack), code=1)
    (tmp_path / "empty").mkdir()
    await owner.run("packs", "upload", str(tmp_path / "empty"), code=1)


async def brought(owner: Owner, pack: Pack, folder: Path) -> None:
    """Write a pack, upload and publish it."""
    write_pack(folder, pack.benchmark, pack.problems, pack.references)
    await owner.run("packs", "publish", (await owner.json("packs", "upload", str(folder)))["id"])


async def taken_part(owner: Owner, **wrong: str) -> None:
    """Four teams answer the quiz right but for what `wrong` says of problems by name."""
    for number in range(4):
        reader = await owner.service.reader(f"r{number}@example.org", f"team{number}")
        await answered(reader, f"m{number}", **wrong)
    await owner.service.work()


async def test_a_wrong_gold_is_found_mended_and_regraded_and_the_board_keeps_its_rows(
    owner: Owner, tmp_path: Path
) -> None:
    """The journey of an owner from a suspicion to a corrected board, with nothing but the command line."""
    await brought(owner, choice_pack("quiz", count=8, hidden=OPEN), tmp_path / "first")
    await taken_part(owner, test_0="D")
    began = time.monotonic()
    found = await owner.run("packs", "items", "quiz")
    assert "? test-0: 0% right" in found
    assert "4 x D  (3 of the 3 strongest)" in found
    await brought(owner, mended(choice_pack("quiz", count=8, version="1.0.1", hidden=OPEN)), tmp_path / "second")
    said = await owner.run("packs", "diff", "quiz", "1.0.0", "1.0.1")
    assert "1.0.1 only mends golds of 1.0.0" in said
    assert "~ test-0 (test): gold" in said
    assert "1.0.1  " in await owner.run("packs", "versions", "quiz")
    shown = await owner.run("regrades", "preview", "quiz")
    assert "4 of 4 submissions would move" in shown
    assert "test-0 (test): 4 better, 0 worse" in shown
    assert rows(await board(owner.service)) == [(1, f"m{number}", 0.875) for number in range(4)]
    await owner.run("regrades", "begin", "quiz", "--reason", "The gold of test-0 was wrong.")
    for _ in range(2):  # what is begun queues the submissions
        await owner.service.work()
    listed = await owner.json("regrades", "list", "quiz")
    assert (listed[0]["done"], len(listed[0]["movers"])) == (4, 4)
    assert rows(await board(owner.service)) == [(1, f"m{number}", 1.0) for number in range(4)]
    print(f"from the suspicion to the corrected board: {time.monotonic() - began:.1f} s")


async def test_a_release_is_exported_filled_with_the_owners_golds_and_taken_again(owner: Owner, tmp_path: Path) -> None:
    pack, out = tmp_path / "rivers", tmp_path / "again"
    await owner.run("packs", "new", str(pack), "--owner", "owners")
    await owner.run("packs", "publish", (await owner.json("packs", "upload", str(pack)))["id"])
    said = await owner.run("packs", "export", "rivers", str(tmp_path / "bare"))
    assert "5 of them, of hidden splits, without references" in said
    golds = (tmp_path / "bare" / "references.jsonl").read_text(encoding="utf-8")
    assert "Danube" in golds
    assert "Rhine" not in golds
    await owner.run("packs", "export", "rivers", str(out), "--references", str(pack / "references.jsonl"))
    ours, exported = (read_pack(folder, registry) for folder in (pack, out))
    assert exported.digest == ours.digest
    assert (await owner.json("packs", "check", str(out)))["state"] == "checked"
    await owner.run("packs", "retire", "rivers", "--split", "test", "--version", "2.0.0", "--everything", "--yes")
    assert "2.0.0" in (await owner.run("packs", "versions", "rivers")).splitlines()[0]


async def test_what_a_split_lets_out_is_weighed_released_and_retired(owner: Owner, tmp_path: Path) -> None:
    """Presets with their cost, a ranking that is called for, who was served what, a pack that is dropped."""
    ranked = {"feedback": "sealed", "chance_level": 0.25, "rankings_per_year": 2}
    await brought(owner, choice_pack("quiz", count=8, hidden=ranked), tmp_path / "first")
    await (await owner.service.reader("ada@example.org", "lab")).problems("quiz", "test")
    assert "sealed: 0 decisions and 1 rankings" in await owner.run("feedback", "presets", "quiz")
    assert "2 calls left" in await owner.run("feedback", "releases", "quiz")
    assert "1 calls are left" in await owner.run("feedback", "release", "quiz")
    file = tmp_path / "served.csv"
    assert "wrote 8 rows" in await owner.run("exposure", "list", "quiz", "--split", "test", "--out", str(file))
    assert file.read_text(encoding="utf-8").count(",lab,") == 8
    retired = ("--split", "test", "--version", "2.0.0", "--everything", "--anyway", "--yes")
    assert "published quiz 2.0.0 (10 problems)" in await owner.run("packs", "retire", "quiz", *retired)
    assert "2.0.0" in (await owner.run("packs", "versions", "quiz")).splitlines()[0]
    write_pack(tmp_path / "never", *(_parts(choice_pack("never", hidden=OPEN))))
    dropped = (await owner.json("packs", "upload", str(tmp_path / "never")))["id"]
    await owner.run("packs", "delete", dropped)
    assert dropped not in await owner.run("packs", "status")


def _parts(pack: Pack) -> tuple[Any, Any, Any]:
    return pack.benchmark, pack.problems, pack.references


async def test_reviewers_are_named_and_removed(owner: Owner, tmp_path: Path) -> None:
    await owner.service.publish(choice_pack())
    assert await owner.run("reviewers", "add", "quiz", "rita@example.org") == "rita@example.org may review quiz\n"
    assert await owner.run("reviewers", "list", "quiz") == "rita@example.org\n"
    assert "no more" in await owner.run("reviewers", "remove", "quiz", "rita@example.org")
    said, beside = await owner.ended("reviewers", "list", "quiz")
    assert (said, "no reviewer of quiz is named" in beside) == ("", True)
    assert await owner.json("reviewers", "list", "quiz") == []
    await owner.run("reviewers", "remove", "quiz", "rita@example.org", code=1)
    assert await owner.run("reviewers", "judges", "quiz") == "0 answers wait for people\n"
    table = tmp_path / "both.csv"
    await owner.run("reviewers", "judges", "quiz", "--out", str(table))
    assert table.read_text(encoding="utf-8").startswith("judge,review,problem,people,judge_score")


async def test_the_commands_of_the_format_page_run_as_they_stand(owner: Owner) -> None:
    [commands] = snippets("docs/pack-format.md", "bash")
    for command in commands.splitlines():
        name, *arguments = shlex.split(command.replace("my-organisation", "owners"))
        assert name == "heldout"
        said = await owner.run(*arguments)
    assert "rivers 1.0.0: checked" in said


async def test_a_benchmark_is_retired_then_deleted_by_its_name(owner: Owner, tmp_path: Path) -> None:
    guessed = {"feedback": "scores", "chance_level": 0.25}
    await brought(owner, choice_pack("quiz", count=8, hidden=guessed), tmp_path / "first")
    await taken_part(owner)
    await owner.run("packs", "retire", "quiz", "--split", "test", "--version", "2.0.0", "--everything", "--yes")
    asked = ("packs", "delete-benchmark", "quiz", "--reason", "Its problems are in every textbook by now.")
    wrong, said = await owner.ended(*asked, "--confirm", "Quiz", code=2)
    assert "quiz: 2 releases, the newest is 2.0.0" in wrong
    assert "nothing was deleted" in " ".join(said.replace("│", " ").split())
    done = await owner.run(*asked, "--confirm", "quiz")
    assert "deleted quiz: 20 problems, 4 submissions" in done
    assert "in every textbook" in await owner.refused("packs", "versions", "quiz")
    assert "quiz" not in await owner.run("benchmarks")
    folder = tmp_path / "again"
    pack = choice_pack("quiz", count=8, version="3.0.0", hidden=OPEN)
    write_pack(folder, pack.benchmark, pack.problems, pack.references)
    again = (await owner.json("packs", "upload", str(folder)))["id"]
    assert "was deleted on" in await owner.run("packs", "publish", again, code=1)
