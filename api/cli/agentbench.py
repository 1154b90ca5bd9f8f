"""`agentbench-controller`: AgentBench's own harness against live sessions."""

from typing import Annotated

import typer
import uvicorn

import heldout
from api.cli.common import console, fail
from api.controller.app import controller
from api.controller.samples import Samples, Task


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("agentbench-controller")(agentbench_controller)


def agentbench_controller(
    task: Annotated[list[str], typer.Option(help="NAME=BENCHMARK/SPLIT, for each task: os-std=agentbench-os/dev")],
    model: Annotated[str, typer.Option(help="the model that plays, as submissions name it")],
    run: Annotated[str, typer.Option(help="the run's name: with the same one it goes on where it was")] = "1",
    host: Annotated[str, typer.Option(help="the address to listen at")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="its port")] = 5000,
    concurrency: Annotated[int, typer.Option(min=1, help="samples of a task at once")] = 5,
    whole_history: Annotated[bool, typer.Option(help="send histories whole, and not cut as published")] = False,
) -> None:
    """Speak AgentBench's controller protocol (v0.2) to its assigner, and play its samples as sessions of a service.

    The service and the key are HELDOUT_BASE_URL and HELDOUT_API_KEY; the assigner's controller_address is
    http://heldout:KEY@HOST:PORT/api with the same key, that of the function-calling variant's evaluator ends with /fc.
    """
    tasks = [_task(text) for text in task]
    with heldout.Client() as client:
        key = client.config.api_key or fail("set HELDOUT_API_KEY, or log in with `heldout login`")
        samples = Samples(client, tasks, model=model, run=run, capacity=concurrency, whole=whole_history)
        console.print(f"controller at http://heldout:KEY@{host}:{port}/api; Ctrl-C ends", highlight=False)
        uvicorn.run(controller(samples, key), host=host, port=port, log_level="warning")


def _task(text: str) -> Task:
    name, _, place = text.partition("=")
    benchmark, _, split = place.partition("/")
    if not (name and benchmark and split):
        fail(f"--task {text!r}: write NAME=BENCHMARK/SPLIT, as in os-std=agentbench-os/dev")
    return Task(name, benchmark, split)
