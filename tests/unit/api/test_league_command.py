"""`heldout-server card-league`: models behind endpoints meet each other and the built-in players."""

import asyncio
import json
from collections import Counter
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from api.cli import main as cli
from tests.support.models import RefusedError, answering, scripted_model

RUBBISH = "I would rather not say."


def refusing(body: dict[str, Any]) -> dict[str, Any]:
    raise RefusedError(401)


def command(*arguments: str) -> Result:
    return CliRunner().invoke(cli.built(["league"]), ["card-league", *arguments])


async def test_models_that_cannot_play_lose_for_the_reason_that_is_counted(tmp_path: Path) -> None:
    out, page = tmp_path / "games.jsonl", tmp_path / "elo.html"
    async with scripted_model(answering(RUBBISH)) as url, scripted_model(refusing) as shut:
        options = ("--built-in", "baseline1", "--matches", "1", "--out", str(out), "--page", str(page))
        chat = ("--chat", f"<b>talker</b>=m@{url}", "--chat", f"away=m@{shut}")
        done = await asyncio.to_thread(command, *options, *chat)
    assert done.exit_code == 0, done.output
    games: list[dict[str, Any]] = [json.loads(line) for line in out.read_text().splitlines()]
    ended = Counter(({game["first"], game["second"]} - {game["winner"]}).pop() + ": " + game["ended"] for game in games)
    # Of the two that cannot play, who has to move first loses.
    assert ended == {"<b>talker</b>: no action": 3, "away: gone": 3}
    assert {game["winner"] for game in games if "baseline1" in (game["first"], game["second"])} == {"baseline1"}
    shown = page.read_text()
    assert "&lt;b&gt;talker&lt;/b&gt;" in shown
    assert "<b>talker" not in shown
    assert shown.index("baseline1") < shown.index("away")


def test_what_is_wrong_is_said(tmp_path: Path) -> None:
    out = str(tmp_path / "games.jsonl")
    for arguments, said in (
        (("--built-in", "chess"), "there are random"),
        (("--chat", "name"), "write NAME=MODEL@URL"),
        (("--chat", "a=m@http://127.0.0.1:9#NO_SUCH_VARIABLE"), "is not set"),
        (("--built-in", "random"), "at least two participants"),
    ):
        done = command("--out", out, *arguments)
        assert done.exit_code == 1
        assert said in done.output
