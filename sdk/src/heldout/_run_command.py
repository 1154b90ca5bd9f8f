"""`heldout run`: an agent over splits."""

import os
import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from heldout.client import Client
from heldout.evaluation import Agent, Budget, ChatModel, Command, Course, Entrant, Outcome, evaluate_all
from heldout.models import Model


def run(
    model: Annotated[str, typer.Option("--model", "-m", help="what it is submitted as: name or name@version")],
    benchmark: Annotated[list[str], typer.Option("--benchmark", "-b", help="may be given several times")],
    split: Annotated[str, typer.Option("--split", "-s")] = "test",
    command: Annotated[str | None, typer.Option(help="a command: question on its input, answer on its output")] = None,
    chat: Annotated[str | None, typer.Option(help="a model's name at an OpenAI-compatible endpoint")] = None,
    url: Annotated[str | None, typer.Option(help="the endpoint, up to /chat/completions")] = None,
    key_variable: Annotated[str, typer.Option(help="environment variable with the endpoint's key")] = "OPENAI_API_KEY",
    concurrency: Annotated[int, typer.Option(min=1)] = 4,
    out: Annotated[Path, typer.Option("--out", "-o", help="folder of the results; goes on where it stopped")] = Path(
        "results"
    ),
    tokens: Annotated[int | None, typer.Option(help="start no more after so many tokens")] = None,
    cost: Annotated[
        float | None, typer.Option(help="start no more after so many US dollars, where costs are told")
    ] = None,
    minutes: Annotated[float | None, typer.Option(help="start no more after so many minutes")] = None,
    tasks: Annotated[int | None, typer.Option(help="start at most so many tasks")] = None,
) -> None:
    """Play an agent over one or several benchmarks and submit what is complete."""
    agent = _agent(command, chat, url, key_variable)
    described = Model.of(model)
    entrant = Entrant(described.name.replace("/", "-"), agent, described, concurrency)
    courses = [Course(name, split, concurrency) for name in benchmark]
    budget = Budget(tokens=tokens, tasks=tasks, cost=cost, seconds=minutes * 60 if minutes is not None else None)
    with Client() as client:
        outcomes = evaluate_all(client, [entrant], courses, out=out, budget=budget, progress=True)
    _show(outcomes)
    if any(outcome.errors for outcome in outcomes):
        sys.exit(1)


def _agent(command: str | None, chat: str | None, url: str | None, key_variable: str) -> Agent:
    if (command is None) == (chat is None):
        raise typer.BadParameter("give either --command or --chat")
    if command is not None:
        return Command(shlex.split(command))
    if chat is None or url is None:
        raise typer.BadParameter("--chat needs --url")
    return ChatModel(chat, url=url, key=os.environ.get(key_variable))


def _show(outcomes: list[Outcome]) -> None:
    table = Table("course", "done", "ends", "errors", "submission", "state")
    for outcome in outcomes:
        ends = ", ".join(f"{name} {count}" for name, count in outcome.finish_reasons.items())
        errors = ", ".join(f"{name} {count}" for name, count in outcome.errors.items())
        done = f"{outcome.done} of {outcome.tasks}"
        cells = (outcome.course, done, ends, errors, outcome.submission.id, outcome.submission.state)
        table.add_row(*map(Text, cells))
    Console().print(table)
