"""`heldout run`: an agent over splits."""

import json
import os
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from heldout.client import Client
from heldout.evaluation import Agent, Budget, ChatModel, Command, Course, Entrant, Outcome, evaluate_all
from heldout.evaluation.engine import AGENT_ERROR
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
    attempts: Annotated[int, typer.Option(min=1, help="a task that fails so often is recorded as failed")] = 3,
    stop_after: Annotated[int, typer.Option(min=1, help="stop after so many like errors without a success")] = 10,
    system: Annotated[str, typer.Option(help="system message")] = "",
    temperature: Annotated[float | None, typer.Option()] = None,
    top_p: Annotated[float | None, typer.Option()] = None,
    max_tokens: Annotated[int | None, typer.Option(help="tokens of one reply")] = None,
    reasoning_effort: Annotated[str | None, typer.Option(help="as the endpoint names it")] = None,
    seed: Annotated[int | None, typer.Option(help="sampling seed, where the endpoint takes one")] = None,
    stop: Annotated[list[str] | None, typer.Option(help="stop sequence; may be given several times")] = None,
    timeout: Annotated[float, typer.Option(min=1, help="seconds for one reply, or for a command's task")] = 600.0,
    extra: Annotated[str, typer.Option("--extra-body", help="a JSON object added to each request")] = "{}",
    as_json: Annotated[bool, typer.Option("--json", help="print JSON lines instead of a table")] = False,
) -> None:
    """Play an agent over one or several benchmarks and submit what is complete.

    Exit codes: 0 all done, 1 tasks are left or failed, 2 wrong usage.
    """
    sampling = {
        "temperature": temperature,
        "top_p": top_p,
        "max_tokens": max_tokens,
        "reasoning_effort": reasoning_effort,
        "seed": seed,
        "stop": stop,
    }
    parameters = {name: value for name, value in sampling.items() if value is not None} | _object(extra)
    agent = _agent(command, chat, url, key_variable, system=system, parameters=parameters, timeout=timeout)
    described = Model.of(model)
    entrant = Entrant(described.name.replace("/", "-"), agent, described, concurrency)
    courses = [Course(name, split, concurrency) for name in benchmark]
    budget = Budget(tokens=tokens, tasks=tasks, cost=cost, seconds=minutes * 60 if minutes is not None else None)
    with Client() as client:
        outcomes = evaluate_all(
            client, [entrant], courses, out=out, budget=budget, progress=True, attempts=attempts, stop_after=stop_after
        )
    if as_json:
        _lines(outcomes)
    else:
        _show(outcomes)
    if not all(outcome.complete for outcome in outcomes) or any(AGENT_ERROR in o.finish_reasons for o in outcomes):
        sys.exit(1)


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError as error:
        raise typer.BadParameter(f"--extra-body is not JSON: {error}") from None
    if not isinstance(found, dict):
        raise typer.BadParameter("--extra-body must be a JSON object")
    return found


def _agent(command: str | None, chat: str | None, url: str | None, key_variable: str, **model: Any) -> Agent:
    if (command is None) == (chat is None):
        raise typer.BadParameter("give either --command or --chat")
    if command is not None:
        if model["system"] or model["parameters"]:
            raise typer.BadParameter("sampling options go with --chat; a command has settings of its own")
        return Command(shlex.split(command), seconds=model["timeout"])
    if chat is None or url is None:
        raise typer.BadParameter("--chat needs --url")
    return ChatModel(chat, url=url, key=os.environ.get(key_variable), **model)


def _show(outcomes: list[Outcome]) -> None:
    console = Console()
    table = Table("course", "done", "score", "tokens", "cost", "ends", "state")
    for outcome in outcomes:
        found = outcome.submission
        ends = ", ".join(f"{name} {count}" for name, count in outcome.finish_reasons.items())
        interval = f" [{found.interval.low:.3f}, {found.interval.high:.3f}]" if found.interval else ""
        score = "" if found.score is None else f"{found.score:.3f}{interval}"
        tokens = f"{outcome.usage.tokens:,}" if outcome.usage.tokens is not None else ""
        cost = f"${outcome.usage.cost:,.2f}" if outcome.usage.cost is not None else ""
        cells = (outcome.course, f"{outcome.done} of {outcome.tasks}", score, tokens, cost, ends, found.state)
        table.add_row(*map(Text, cells))
    console.print(table)
    for outcome in outcomes:
        for line in _next(outcome):
            console.print(line, markup=False, highlight=False, soft_wrap=True)


def _next(outcome: Outcome) -> Iterator[str]:
    """What went wrong with it, and what to do next."""
    if outcome.stopped:
        yield f"stopped early, nothing else came any more: {outcome.stopped}"
    for words, count in outcome.errors.most_common(5):
        yield f"{count} x {words}"
    if outcome.errors:
        yield f"each with its task: {outcome.folder / 'errors.jsonl'}"
    if outcome.left_out:
        yield f"{outcome.left_out} answer(s) were too long: their beginnings were left out"
    if outcome.complete:
        yield f"next: heldout status {outcome.submission.id} --wait"
    else:
        yield f"{outcome.tasks - outcome.done} tasks are left: the same command again goes on with them"


def _lines(outcomes: list[Outcome]) -> None:
    for outcome in outcomes:
        record = {
            "course": outcome.course,
            "folder": str(outcome.folder),
            "tasks": outcome.tasks,
            "done": outcome.done,
            "finish_reasons": outcome.finish_reasons,
            "errors": outcome.errors,
            "stopped": outcome.stopped,
            "answers_cut": outcome.left_out,
            "usage": outcome.usage.model_dump(mode="json", exclude_none=True),
            "submission": outcome.submission.model_dump(mode="json"),
        }
        sys.stdout.write(json.dumps(record) + "\n")
