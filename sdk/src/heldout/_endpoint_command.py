"""`heldout endpoint`: the service asks your model's endpoint."""

import os
import sys
from collections.abc import Iterable
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from heldout.client import Client
from heldout.endpoints import EndpointRun

app = typer.Typer(no_args_is_help=True, help="Have the service ask your model's endpoint: problems go nowhere else.")
out = Console()
err = Console(stderr=True)
RunArgument = Annotated[str, typer.Argument(help="the run's id, as `heldout endpoint status` lists it")]
JsonOption = Annotated[bool, typer.Option("--json", help="print JSON lines instead of text")]
WaitOption = Annotated[bool, typer.Option(help="wait until the service asks nothing more")]
KeyOption = Annotated[str, typer.Option(help="environment variable with the endpoint's key")]
TokensOption = Annotated[int | None, typer.Option(min=1, help="stop when so many tokens are used")]
CostOption = Annotated[float | None, typer.Option(help="stop when so many US dollars are spent, by the prices")]


@app.command()
def start(
    model: Annotated[str, typer.Option("--model", "-m", help="what it is submitted as: name or name@version")],
    url: Annotated[str, typer.Option(help="the endpoint, up to /chat/completions; on the open Internet, by https")],
    endpoint_model: Annotated[str, typer.Option("--chat", help="the model's name at the endpoint")],
    benchmark: Annotated[str | None, typer.Option("--benchmark", "-b", help="or HELDOUT_BENCHMARK")] = None,
    split: Annotated[str, typer.Option("--split", "-s")] = "test",
    key_variable: KeyOption = "OPENAI_API_KEY",
    tokens: TokensOption = None,
    cost: CostOption = None,
    input_price: Annotated[float, typer.Option(help="US dollars for a million tokens of questions")] = 0.0,
    output_price: Annotated[float, typer.Option(help="US dollars for a million tokens of answers")] = 0.0,
    requests_per_minute: Annotated[int, typer.Option(min=1, max=600)] = 60,
    wait: WaitOption = False,
    as_json: JsonOption = False,
) -> None:
    """Begin a run. The key is sealed for the service's worker, and forgotten when the run ends."""
    with Client() as client:
        run = client.endpoints.start(
            url=url,
            endpoint_model=endpoint_model,
            model=model,
            split=split,
            benchmark=benchmark,
            key=os.environ.get(key_variable, ""),
            tokens=tokens,
            cost=cost,
            input_price=input_price,
            output_price=output_price,
            requests_per_minute=requests_per_minute,
        )
        end(client, run, wait=wait, as_json=as_json)


@app.command()
def status(
    run: Annotated[str, typer.Argument(help="the run's id; without it, the newest ones")] = "",
    wait: WaitOption = False,
    as_json: JsonOption = False,
) -> None:
    """Show a run, or the newest ones."""
    with Client() as client:
        if run:
            end(client, client.endpoints.get(run), wait=wait, as_json=as_json)
        else:
            _show(client.endpoints.all(), as_json=as_json)


@app.command()
def cancel(run: RunArgument, as_json: JsonOption = False) -> None:
    """Have nothing more asked; what was answered stays."""
    with Client() as client:
        _show([client.endpoints.cancel(run)], as_json=as_json)


@app.command()
def resume(
    run: RunArgument,
    key_variable: KeyOption = "OPENAI_API_KEY",
    tokens: TokensOption = None,
    cost: CostOption = None,
    wait: WaitOption = False,
    as_json: JsonOption = False,
) -> None:
    """Go on with a run that stopped or was cancelled."""
    with Client() as client:
        key = os.environ.get(key_variable, "")
        end(client, client.endpoints.resume(run, key=key, tokens=tokens, cost=cost), wait=wait, as_json=as_json)


def end(client: Client, run: EndpointRun, *, wait: bool, as_json: bool) -> None:
    """Show a run, after its end with `wait`. Ends with 1 where a run that was waited for is not done."""
    if wait:
        run = client.endpoints.wait(run.id, progress=lambda now: err.print(_progress(now), markup=False))
    _show([run], as_json=as_json)
    if wait and run.state != "done":
        sys.exit(1)


def _progress(run: EndpointRun) -> str:
    return f"{run.state}: {run.answered} of {run.expected} answered, {run.tokens:,} tokens, ${run.cost:.2f}"


def _show(runs: Iterable[EndpointRun], *, as_json: bool) -> None:
    for run in runs:
        if as_json:
            sys.stdout.write(run.model_dump_json() + "\n")
            continue
        table = Table(show_header=False)
        facts = {
            "run": run.id,
            "submission": run.submission,
            "split": f"{run.benchmark}, {run.split}",
            "model": f"{run.model} ({run.endpoint_model} at {run.url})" if run.url else run.model,
            "state": _progress(run),
            "stopped by": run.failure,
            "container": "" if not run.container else _container(run),
            "it wrote": run.report.log if run.report else "",
            "next": "" if not run.settled else _next(run),
        }
        for name, value in facts.items():
            if value:
                table.add_row(name, Text(value))
        out.print(table)


def _container(run: EndpointRun) -> str:
    report = run.report
    if report is None or not report.starts:
        return run.container or ""
    ended = "was stopped" if report.status is None else f"ended with status {report.status}"
    wrote = f"after {report.seconds} s, having written {report.output_kib} KiB"
    return f"{run.container}: start {report.starts} {ended} {wrote}"


def _next(run: EndpointRun) -> str:
    if run.state == "done":
        return f"heldout status {run.submission} --wait"
    group = "container" if run.container else "endpoint"
    return f"heldout {group} resume {run.id}, or as it is: heldout finalize {run.submission}"
