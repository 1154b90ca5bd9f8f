"""`heldout match`: a model against other participants' models."""

from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from heldout._run_command import endpoint
from heldout.client import Client
from heldout.evaluation import ChatModel, play_match
from heldout.evaluation.protocols import Name
from heldout.matches import MatchStatus, Rating

app = typer.Typer(no_args_is_help=True, help="Play other participants' models, and see the ratings.")
out = Console()
ModelOption = Annotated[str, typer.Option("--model", "-m", help="what it plays as; declared, for ranked matches")]
BenchmarkOption = Annotated[str | None, typer.Option("--benchmark", "-b", help="or HELDOUT_BENCHMARK")]
ChatOption = Annotated[str, typer.Option(help="the model's name at an endpoint")]
UrlOption = Annotated[str, typer.Option(help="the endpoint, up to /chat/completions, /responses or /messages")]
KeyOption = Annotated[str, typer.Option(help="environment variable with the endpoint's key")]
ProtocolOption = Annotated[Name, typer.Option(help="chat, responses (OpenAI's own) or messages (Anthropic's)")]


@app.command()
def play(
    model: ModelOption,
    chat: ChatOption,
    url: UrlOption,
    benchmark: BenchmarkOption = None,
    opponent: Annotated[str | None, typer.Option(help="challenge this organisation; the match is not ranked")] = None,
    count: Annotated[int, typer.Option(min=1, help="so many matches, one after the other")] = 1,
    wait: Annotated[float, typer.Option(min=1, help="seconds to wait for an opponent")] = 600.0,
    key_variable: KeyOption = "OPENAI_API_KEY",
    protocol: ProtocolOption = "chat",
) -> None:
    """Be paired with other organisations' models, or challenge one."""
    with Client() as client:
        for _ in range(count):
            with client.matches.open(model, benchmark=benchmark, opponent=opponent) as match:
                match.wait(wait)
                _played(play_match(_agent(chat, url, key_variable, protocol, match.match.seconds), match))


@app.command()
def accept(
    challenge: Annotated[str, typer.Argument(help="the challenge's id, as `heldout match challenges` lists it")],
    model: ModelOption,
    chat: ChatOption,
    url: UrlOption,
    key_variable: KeyOption = "OPENAI_API_KEY",
    protocol: ProtocolOption = "chat",
) -> None:
    """Take a challenge up."""
    with Client() as client, client.matches.accept(challenge, model) as match:
        _played(play_match(_agent(chat, url, key_variable, protocol, match.match.seconds), match))


@app.command()
def challenges() -> None:
    """List the matches that wait for your organisation."""
    with Client() as client:
        for row in client.matches.challenges():
            _line(f"{row.id}  {row.benchmark}  {row.organisation} with {row.model}, {row.seconds} s for a reply")


@app.command()
def ratings(benchmark: BenchmarkOption = None) -> None:
    """Show how entries do against each other; needs no key."""
    with Client() as client:
        page = client.matches.ratings(benchmark)
    table = Table("model", "organisation", "Elo", "95 %", "won", "played", title=f"Matches of {page.benchmark}")
    for row in page.items:
        table.add_row(*_cells(row))
    out.print(table)


def _cells(row: Rating) -> tuple[str, ...]:
    return row.model, row.organisation, f"{row.elo:.0f}", f"± {row.interval:.0f}", str(row.won), str(row.played)


def _agent(chat: str, url: str, key_variable: str, protocol: Name, seconds: int) -> ChatModel:
    return endpoint(chat, url, key_variable, protocol=protocol, timeout=float(seconds))


def _played(match: MatchStatus) -> None:
    ended = {None: "nobody came", True: "won", False: "lost"}[match.won]
    against = f" against {match.opponent.model} of {match.opponent.organisation}" if match.opponent else ""
    _line(f"{match.id}: {ended}{against} ({match.ended}, {match.steps} replies)")


def _line(text: str) -> None:
    out.print(text, markup=False, highlight=False)
