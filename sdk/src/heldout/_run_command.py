"""`heldout run`: an agent over splits."""

import json
import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

import typer

from heldout import _outcomes
from heldout._files import writable_folder
from heldout._text import unsendable
from heldout.client import Client
from heldout.errors import Invalid
from heldout.evaluation import (
    Agent,
    Budget,
    ChatModel,
    Command,
    Course,
    Entrant,
    Outcome,
    Prices,
    evaluate_all,
    evaluate_suite,
)
from heldout.evaluation.engine import until_graded
from heldout.evaluation.history import policy
from heldout.evaluation.ledger import AGENT_ERROR, heads
from heldout.evaluation.protocols import Name
from heldout.models import Model

_SUITE = "every part of a combined leaderboard, such as agentbench, with its overall score"
_COMMAND = (
    "a command: question on its input, answer on its output; in an episode JSON lines: an observation with tools and "
    'steps_left in, {"text": ...} or {"tool": {"name": ..., "arguments": {...}}} out'
)
_BENCHMARK = "may be given several times; or HELDOUT_BENCHMARK, where there is no --suite"
_OUT = "folder of the results; goes on where it stopped"
_COST = "start no more after so many US dollars, where costs are told"
_HISTORY = "what of an episode is sent: whole, last:N turns, tokens:N, or published (3,500 segments, as AgentBench)"
_CONTEXT = "end an episode whose messages are above so many tokens, by the client's own count"
_PRICE = "US dollars for a million tokens of requests; with both prices the run's cost is told"
_STOP = "stop after so many like refusals of endpoint or service (a wrong key, say) without a success"
_OUTAGE = "wait so long for an endpoint or a service that is down, then stop; two minutes where it never answered"
_LIMIT = (
    "only the first so many tasks of each split, submitted as a run of its own: the service counts the others as not "
    "solved, and the end shows the score over the asked ones beside it, where the split tells of single problems"
)


def run(
    model: Annotated[str, typer.Option("--model", "-m", help="what it is submitted as: name or name@version")],
    benchmark: Annotated[list[str] | None, typer.Option("--benchmark", "-b", help=_BENCHMARK)] = None,
    suite: Annotated[str | None, typer.Option(help=_SUITE)] = None,
    split: Annotated[str, typer.Option("--split", "-s")] = "test",
    command: Annotated[str | None, typer.Option(help=_COMMAND)] = None,
    chat: Annotated[str | None, typer.Option(help="a model's name at an endpoint")] = None,
    url: Annotated[
        str | None, typer.Option(help="the endpoint, up to /chat/completions, /responses or /messages")
    ] = None,
    key_variable: Annotated[str, typer.Option(help="environment variable with the endpoint's key")] = "OPENAI_API_KEY",
    concurrency: Annotated[int, typer.Option(min=1)] = 4,
    out: Annotated[Path, typer.Option("--out", "-o", help=_OUT)] = Path("results"),
    tokens: Annotated[int | None, typer.Option(help="start no more after so many tokens")] = None,
    cost: Annotated[float | None, typer.Option(help=_COST)] = None,
    minutes: Annotated[float | None, typer.Option(help="start no more after so many minutes")] = None,
    tasks: Annotated[int | None, typer.Option(help="start at most so many tasks; the rest is left")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help=_LIMIT)] = None,
    attempts: Annotated[int, typer.Option(min=1, help="a task that fails so often is recorded as failed")] = 3,
    stop_after: Annotated[int, typer.Option(min=1, help=_STOP)] = 10,
    outage_minutes: Annotated[float, typer.Option(min=0, help=_OUTAGE)] = 60.0,
    system: Annotated[str, typer.Option(help="system message")] = "",
    temperature: Annotated[float | None, typer.Option()] = None,
    top_p: Annotated[float | None, typer.Option()] = None,
    max_tokens: Annotated[int | None, typer.Option(help="tokens of one reply")] = None,
    reasoning_effort: Annotated[str | None, typer.Option(help="as the endpoint names it")] = None,
    seed: Annotated[int | None, typer.Option(help="sampling seed, where the endpoint takes one")] = None,
    stop: Annotated[list[str] | None, typer.Option(help="stop sequence; may be given several times")] = None,
    timeout: Annotated[float, typer.Option(min=1, help="seconds for one reply, or for a command's task")] = 600.0,
    protocol: Annotated[Name, typer.Option(help="chat, responses (OpenAI's own) or messages (Anthropic's)")] = "chat",
    header: Annotated[list[str] | None, typer.Option(help="'Name: value' for each request; several times")] = None,
    input_price: Annotated[float | None, typer.Option(help=_PRICE)] = None,
    output_price: Annotated[float | None, typer.Option(help="the same for tokens of replies")] = None,
    history: Annotated[str, typer.Option(help=_HISTORY)] = "whole",
    context_limit: Annotated[int | None, typer.Option(help=_CONTEXT)] = None,
    extra: Annotated[str, typer.Option("--extra-body", help="a JSON object added to each request")] = "{}",
    wait: Annotated[bool, typer.Option(help="wait until what is complete is graded")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="print JSON lines instead of a table")] = False,
) -> None:
    """Play an agent over one or several benchmarks, or over a suite, and submit what is complete.

    Exit codes: 0 all done, 1 tasks are left or failed, 2 wrong usage, 130 interrupted.
    """
    if not benchmark and not suite and (named := os.environ.get("HELDOUT_BENCHMARK")):
        benchmark = [named]
    if bool(benchmark) == bool(suite) or (suite and limit):
        raise typer.BadParameter("give either --benchmark or --suite; --limit goes with --benchmark alone")
    writable_folder(out, "--out")
    sampling = _given(temperature=temperature, top_p=top_p, max_tokens=max_tokens, seed=seed, stop=stop)
    sampling |= _given(reasoning_effort=reasoning_effort)
    asked: dict[str, Any] = {"system": system, "parameters": sampling | _object(extra), "history": history}
    asked |= {"protocol": protocol, "headers": _headers(header or []), "prices": _prices(input_price, output_price)}
    agent = _agent(command, chat, url, key_variable, context_limit=context_limit, timeout=timeout, **asked)
    budget = Budget(tokens=tokens, tasks=tasks, cost=cost, seconds=minutes * 60 if minutes is not None else None)
    more: dict[str, Any] = {"out": out, "budget": budget, "attempts": attempts, "stop_after": stop_after}
    courses = [Course(name, split, concurrency, limit) for name in benchmark or ()]
    entrant = _entrant(model, agent, concurrency, out)
    more |= {"outage_seconds": 60 * outage_minutes, "wait": wait, "as_json": as_json}
    if not all(o.complete and AGENT_ERROR not in o.finish_reasons for o in _played(entrant, suite or courses, **more)):
        sys.exit(1)


def _entrant(model: str, agent: Agent, concurrency: int, out: Path) -> Entrant:
    described = Model.of(model)
    name = described.name.replace("/", "-")
    versioned = f"{name}@{described.version}".strip("@").replace("/", "-")
    # Folders of earlier versions of this package have the model's name alone.
    if not (out / versioned).exists() and any(head.model.version == described.version for head in heads(out / name)):
        versioned = name
    return Entrant(versioned, agent, described, concurrency)


def _played(entrant: Entrant, what: str | list[Course], **more: Any) -> list[Outcome]:
    """Play a suite or courses, and show what came of it; Ctrl-C ends the process, and what is done is kept."""
    try:
        return _shown(entrant, what, **more)
    except KeyboardInterrupt:
        typer.echo("interrupted: what is done is kept, and the same command again goes on", err=True)
        sys.exit(130)


def _shown(entrant: Entrant, what: str | list[Course], *, wait: bool, as_json: bool, **more: Any) -> list[Outcome]:
    with Client() as client:
        if isinstance(what, str):
            played = evaluate_suite(client, entrant, what, progress=True, watch=True, wait=wait, **more)
            (_outcomes.suite_lines if as_json else _outcomes.show_suite)(played)
            return played.outcomes
        outcomes = evaluate_all(client, [entrant], what, progress=True, **more)
        if wait:
            until_graded(outcomes, watch=True)
        (_outcomes.lines if as_json else _outcomes.show)(outcomes)
        return outcomes


def _given(**sampling: Any) -> dict[str, Any]:
    return {name: value for name, value in sampling.items() if value is not None}


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError as error:
        raise typer.BadParameter(f"--extra-body is not JSON: {error}") from None
    if not isinstance(found, dict):
        raise typer.BadParameter("--extra-body must be a JSON object")
    return found


def _headers(lines: list[str]) -> dict[str, str]:
    pairs = [line.partition(":") for line in lines]
    if not all(name.strip() and colon for name, colon, _ in pairs):
        raise typer.BadParameter("--header is written as 'Name: value'")
    found = {name.strip().lower(): value.strip() for name, _, value in pairs}
    for name, value in found.items():
        if fault := unsendable(name) or unsendable(value):
            raise typer.BadParameter(f"--header: {name} {fault}")
    return found


def _prices(sent: float | None, received: float | None) -> Prices | None:
    if (sent is None) != (received is None):
        raise typer.BadParameter("give both --input-price and --output-price")
    return None if sent is None or received is None else Prices(sent, received)


def _agent(command: str | None, chat: str | None, url: str | None, key_variable: str, **model: Any) -> Agent:
    if (command is None) == (chat is None):
        raise typer.BadParameter("give either --command or --chat")
    if command is not None:
        plain = {"timeout": model["timeout"], "history": "whole", "protocol": "chat"}
        if any(value for name, value in model.items() if value != plain.get(name)):
            raise typer.BadParameter("options of a model go with --chat; a command has settings of its own")
        return Command(_words(command), seconds=model["timeout"])
    if chat is None or url is None:
        raise typer.BadParameter("--chat needs --url")
    try:
        policy(model["history"])
    except ValueError as error:
        raise typer.BadParameter(f"--history: {error}") from None
    agent = endpoint(chat, url, key_variable, **model)
    if not urlsplit(agent.url).path.strip("/"):
        typer.echo(f"--url {agent.url} has no path, and most endpoints are at {agent.url}/v1", err=True)
    return agent


def endpoint(chat: str, url: str, key_variable: str, **model: Any) -> ChatModel:
    """A model behind an endpoint; its address and its key are checked before anything is opened."""
    key = os.environ.get(key_variable, "").strip()
    if fault := unsendable(key):
        raise typer.BadParameter(f"{key_variable} {fault}; nothing was opened")
    try:
        return ChatModel(chat, url=url, key=key, **model)
    except Invalid as error:
        raise typer.BadParameter(f"--url: {error.detail}; {error.advice}") from None


def _words(command: str) -> list[str]:
    """The command's words; its program is there."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise typer.BadParameter(f"--command {command}: {error}") from None
    if not words or shutil.which(words[0]) is None:
        name = words[0] if words else "''"
        raise typer.BadParameter(f"--command: there is no program {name} here that could be run; nothing was opened")
    return words
