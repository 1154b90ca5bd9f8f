"""`heldout container`: the service runs your program, in a sandbox without network."""

import os
import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from heldout import _endpoint_command as endpoint
from heldout.client import Client

app = typer.Typer(no_args_is_help=True, help="Have the service run your program: problems leave it for nowhere.")


@app.command()
def start(
    path: Annotated[Path, typer.Argument(exists=True, help="a folder, a tar of files, or an image (docker save)")],
    model: Annotated[str, typer.Option("--model", "-m", help="what it is submitted as: name or name@version")],
    command: Annotated[str, typer.Option(help="what is run in it; an image has its own")] = "",
    url: Annotated[str, typer.Option(help="an endpoint that it may ask, up to /chat/completions")] = "",
    endpoint_model: Annotated[str, typer.Option("--chat", help="the model's name at the endpoint")] = "",
    benchmark: Annotated[str | None, typer.Option("--benchmark", "-b", help="or HELDOUT_BENCHMARK")] = None,
    split: Annotated[str, typer.Option("--split", "-s")] = "test",
    key_variable: endpoint.KeyOption = "OPENAI_API_KEY",
    tokens: endpoint.TokensOption = None,
    cost: endpoint.CostOption = None,
    input_price: Annotated[float, typer.Option(help="US dollars for a million tokens of questions")] = 0.0,
    output_price: Annotated[float, typer.Option(help="US dollars for a million tokens of answers")] = 0.0,
    wait: endpoint.WaitOption = False,
    as_json: endpoint.JsonOption = False,
) -> None:
    """Send it and begin a run. What has been sent before is not sent again."""
    with Client() as client:
        container = client.containers.upload(
            path, progress=lambda sent, parts: endpoint.err.print(f"sent {sent} of {parts}", markup=False)
        )
        run = client.containers.start(
            container,
            command=shlex.split(command),
            model=model,
            split=split,
            benchmark=benchmark,
            url=url,
            endpoint_model=endpoint_model,
            key=os.environ.get(key_variable, "") if url else "",
            tokens=tokens,
            cost=cost,
            input_price=input_price,
            output_price=output_price,
        )
        endpoint.end(client, run, wait=wait, as_json=as_json)


@app.command("list")
def list_containers(as_json: endpoint.JsonOption = False) -> None:
    """List your organisation's containers."""
    with Client() as client:
        for container in client.containers.all():
            if as_json:
                sys.stdout.write(container.model_dump_json() + "\n")
            else:
                sys.stdout.write(f"{container.id}  {container.created_at:%Y-%m-%d %H:%M}  {container.name}\n")


@app.command()
def delete(container: Annotated[str, typer.Argument(help="the container's id")]) -> None:
    """Delete a container that no run needs now."""
    with Client() as client:
        client.containers.delete(container)


for shared in (endpoint.status, endpoint.cancel, endpoint.resume):
    app.command()(shared)
