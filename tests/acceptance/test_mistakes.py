"""Each mistake of somebody new in `heldout submit`: what is said has the line and the problem's id, nothing is taken,
and the corrected file is graded."""

import asyncio
import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from heldout import HeldoutError
from heldout._commands import app
from tests.support.listening import listening
from tests.support.service import OPEN, Service, choice_pack
from tests.support.snippets import working

pytestmark = pytest.mark.timeout(600)


def row(problem: str, answer: object = "ANSWER: B", **more: object) -> str:
    return json.dumps({"problem": problem, "answer": answer} | more)


def bare(text: str) -> str:
    return re.sub(r"[\s│╭╮╰╯─]", "", text)


def mistakes(ids: list[str]) -> dict[str, tuple[bytes, list[str]]]:
    """By a name: the file's bytes, and what has to be said of it. The fault is in line 2 where it is in one."""
    good, spoilt = [row(one) for one in ids], ids[1]

    def with_second(line: str) -> bytes:
        return "\n".join([good[0], line, *good[2:]]).encode()

    return {
        "NaN": (with_second(f'{{"problem": "{spoilt}", "answer": NaN}}'), [":2:", "NaN", "in quotes"]),
        "a number": (with_second(row(spoilt, 42)), [":2:", spoilt, '"42"']),
        "a list": (with_second(row(spoilt, ["B"])), [":2:", spoilt, "as text"]),
        "twice": ("\n".join([*good, row(spoilt)]).encode(), [f":{len(ids) + 1}:", spoilt, "line 2"]),
        "Latin-1": (good[0].encode() + b'\n{"problem": "x", "answer": "\xe9"}', [":2:", "Latin-1", "save it as UTF-8"]),
        "UTF-16": ("\n".join(good).encode("utf-16"), ["UTF-16", "save it as UTF-8"]),
        "UTF-16 without a mark": ("\n".join(good).encode("utf-16-be"), ["UTF-16", "save it as UTF-8"]),
        "empty": (b"", ["no answers", "one JSON object a line"]),
        "empty lines": (b"\n \r\n", ["no answers"]),
        "unknown": (with_second(row("prb_none")), [":2: prb_none", "1 of 4 items", "unknown_problem"]),
        "too long": (with_second(row(spoilt, "x" * 100_001)), [":2:", spoilt, "100,001", "100,000", "keep its end"]),
        "part of a token": (with_second(row(spoilt, usage={"tokens": 1.5})), [":2:", spoilt, "usage.tokens"]),
        "an unknown cost": (with_second(row(spoilt, usage={"dollars": 1})), [":2:", spoilt, "usage.dollars"]),
        "a negative cost": (with_second(row(spoilt, usage={"cost": -1})), [f":2: {spoilt}", "usage.cost"]),
        "no answer": (with_second(json.dumps({"problem": spoilt})), [":2:", spoilt, "no 'answer'"]),
        "a table": (b"id,answer\n1,B\n", [":1:", "not JSON"]),
    }


async def test_every_mistake_is_said_with_its_line_and_the_corrected_file_is_graded(
    service: Service, tmp_path: Path
) -> None:
    await service.publish(choice_pack(count=4, hidden=OPEN))
    caller = await service.reader()
    ids = [str(item["id"]) for item in await caller.problems("quiz", "test")]
    other = [str(item["id"]) for item in await caller.problems("quiz", "dev")]
    file = tmp_path / "answers.jsonl"
    async with listening(service.app) as port:
        variables = {"HELDOUT_API_KEY": caller.key, "HELDOUT_BASE_URL": f"http://127.0.0.1:{port}"}

        async def submit() -> tuple[int, str]:
            """Exit code, and what was said without the frame of an error and the ends of its lines."""
            command = ["submit", str(file), "-m", "m", "-b", "quiz", "-s", "test"]
            done = await asyncio.to_thread(CliRunner().invoke, app, command, env=variables)
            if done.exception is not None and not isinstance(done.exception, HeldoutError | SystemExit):
                raise done.exception
            return done.exit_code, bare(f"{done.output} {done.exception or ''}")

        for name, (content, words) in mistakes(ids).items():
            file.write_bytes(content)
            status, said = await submit()
            assert status in (1, 2), (name, said)
            missing = [word for word in words if bare(word) not in said]
            assert not missing, (name, missing, said)
        file.write_text("\n".join(row(one) for one in other))
        status, said = await submit()
        assert (status, "2of2items" in said, f":2:{other[1]}" in said) == (1, True, True), said
        assert (await caller.get("/v1/submissions")).json()["items"] == [], "nothing was taken"
        file.write_bytes(b"\xef\xbb\xbf" + "\r\n".join(row(one) for one in ids).encode())
        status, said = await working(service, asyncio.ensure_future(submit()))
    assert status == 0, said
    assert "graded" in said
    assert "0.250" in said
