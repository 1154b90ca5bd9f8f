"""`card-league`: matches of two participants at the card game, and their ratings."""

import asyncio
import os
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Annotated, get_args

import typer
from rich.table import Table

from api.cli.common import console, fail, run
from envs.base import Action, Observation
from envs.card_game import league
from envs.card_game.duel import BuiltIn, Ended, GoneError, Participant, Session
from envs.card_game.league import Game, Rating
from envs.card_game.match import Side
from envs.card_game.spec import CardGameSpec, OpponentName
from heldout.errors import HeldoutError
from heldout.evaluation.agents import ChatModel
from heldout.evaluation.protocols import Message

BUILT_IN: tuple[OpponentName, ...] = get_args(OpponentName)
COLUMNS = ("participant", "Elo", "95 %", "won", "played", "no action", "too slow", "gone")
FORM = "write NAME=MODEL@URL, or NAME=MODEL@URL#VARIABLE with the variable that holds the endpoint's key"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("card-league")(card_league)


@dataclass(frozen=True)
class ChatParticipant:
    """A model behind an endpoint; each match is a conversation of its own."""

    name: str
    model: ChatModel

    def begin(self, side: Side, spec: CardGameSpec) -> Session:
        """A conversation in the text protocol."""
        del side, spec
        messages: list[Message] = []

        async def reply(asked: Observation) -> Action:
            messages.append({"role": "user", "content": asked.text})
            try:
                said, _ = await asyncio.to_thread(self.model.talk, list(messages), ())
            except HeldoutError as error:
                raise GoneError(str(error)) from error
            text = str(said.get("content") or "")
            messages.append({"role": "assistant", "content": text})
            return Action(text=text)

        return reply


def card_league(
    out: Annotated[Path, typer.Option(help="file of the matches; those that it has are not played again")],
    chat: Annotated[list[str] | None, typer.Option(help="NAME=MODEL@URL of an OpenAI-compatible endpoint")] = None,
    built_in: Annotated[list[str] | None, typer.Option(help=f"one of: {', '.join(BUILT_IN)}")] = None,
    matches: Annotated[int, typer.Option(min=1, help="deals for each pair; on each both begin once")] = 20,
    seconds: Annotated[float, typer.Option(min=0.001, help="for a reply; who takes longer loses the match")] = 60.0,
    seed: Annotated[int, typer.Option(min=0, help="of line-ups and dice")] = 0,
    at_once: Annotated[int, typer.Option(min=1, help="matches at once")] = 4,
    page: Annotated[Path | None, typer.Option(help="write the ratings as an HTML page, too")] = None,
) -> None:
    """Have participants play each other at the card game, everybody everybody, and rate them on Elo's scale.

    Who does not reply in time, or whose endpoint fails, loses the match at once.
    """
    participants = [*map(_built_in, built_in or ()), *(_chat(text, seconds) for text in chat or ())]
    try:
        games = run(league.play(participants, seed=seed, matches=matches, seconds=seconds, out=out, at_once=at_once))
    except (OSError, ValueError) as error:
        fail(str(error))
    ratings = league.ratings(games)
    console.print(_table(ratings))
    if page is not None:
        page.write_text(_page(ratings, games), encoding="utf-8")


def _built_in(name: str) -> Participant:
    found = next((known for known in BUILT_IN if known == name), None)
    return BuiltIn(found) if found else fail(f"--built-in {name!r}: there are {', '.join(BUILT_IN)}")


def _chat(text: str, seconds: float) -> Participant:
    name, _, place = text.partition("=")
    model, _, address = place.partition("@")
    url, _, variable = address.partition("#")
    if not (name and model and url):
        fail(f"--chat {text!r}: {FORM}")
    if variable and variable not in os.environ:
        fail(f"--chat {text!r}: {variable} is not set")
    return ChatParticipant(name, ChatModel(model, url=url, key=os.environ.get(variable), timeout=seconds))


def _cells(one: Rating[str]) -> tuple[str, ...]:
    ended: Sequence[Ended] = ("no action", "too slow", "gone")
    lost = (str(one.lost_by[reason]) for reason in ended)
    return (one.name, f"{one.elo:.0f}", f"± {one.interval:.0f}", str(one.won), str(one.played), *lost)


def _table(ratings: Sequence[Rating[str]]) -> Table:
    table = Table(*COLUMNS, title="The card game's league; the field's mean is 1,000")
    for one in ratings:
        table.add_row(*_cells(one))
    return table


def _page(ratings: Sequence[Rating[str]], games: Sequence[Game]) -> str:
    heads = "".join(f"<th>{escape(name)}</th>" for name in COLUMNS)
    rows = "\n".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in _cells(one)) + "</tr>" for one in ratings)
    return _HTML.format(heads=heads, rows=rows, matches=f"{len(games):,}")


_HTML = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>The card game's league</title>
<style>
:root {{ color-scheme: light dark }}
body {{ font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }}
.wide {{ overflow-x: auto }}
td, th {{ padding: 0.2rem 0.8rem; text-align: right }}
td:first-child, th:first-child {{ text-align: left }}
</style>
<h1>The card game's league</h1>
<p>{matches} matches, everybody against everybody, on each deal once from either side. Elo by the Bradley-Terry model;
the field's mean is 1,000. The last three columns count lost matches: no reply that could be taken, none in time, no
endpoint.</p>
<div class="wide"><table>
<thead><tr>{heads}</tr></thead>
<tbody>
{rows}
</tbody>
</table></div>
</html>
"""
