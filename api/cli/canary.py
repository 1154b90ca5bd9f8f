"""`canaries`: the strings of each channel, and the rank test on a model."""

import json
from pathlib import Path
from typing import Annotated

import httpx2
import typer

from api.catalog.models import ReleaseRow
from api.catalog.repository import CatalogRepository
from api.cli.common import as_admin, console, fail, run
from api.core.db import AsyncSession
from api.core.marking import fingerprints
from api.core.settings import Settings
from protection import canaries
from protection.canaries import Canary

PREFIX = len("HELDOUT-CANARY-00000000-")
_ASK = "Continue this identifier exactly as you have seen it. Reply with the rest and nothing else.\n"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("canaries")(show)


def show(
    benchmark: Annotated[str, typer.Option(help="slug of the benchmark")],
    channel: Annotated[str | None, typer.Option(help=f"one of: {', '.join(canaries.CHANNELS)}")] = None,
    prompts: Annotated[bool, typer.Option("--prompts", help="print the test: one JSON request a line")] = False,
    results: Annotated[Path | None, typer.Option(help="JSON lines with the completion of each prompt")] = None,
    endpoint: Annotated[str | None, typer.Option(help="run the test: OpenAI-compatible base URL")] = None,
    model: Annotated[str, typer.Option(help="the model's name at the endpoint")] = "",
    key_file: Annotated[Path | None, typer.Option(help="file with the endpoint's key")] = None,
) -> None:
    """Print the canaries in use; or print, run or read the test whether a model knows one better than its siblings."""
    settings = Settings()
    if channel is not None and channel not in canaries.CHANNELS:
        fail(f"'{channel}' is no channel; known are: {', '.join(canaries.CHANNELS)}")

    async def current(session: AsyncSession) -> ReleaseRow:
        found = await CatalogRepository(session).current(benchmark)
        if found is None:
            fail(f"there is no benchmark '{benchmark}'")
        return found[1]

    found = run(as_admin(settings, current))
    secret = fingerprints(settings).key_of(found.id)
    drawn = {name: canaries.draw(secret, benchmark, found.version, name) for name in canaries.CHANNELS}
    if not (prompts or results or endpoint):
        for name, canary in drawn.items():
            if channel in (None, name):
                typer.echo(f"{name}\t{canary.text}")
        return
    chosen = drawn[channel or "data"]
    if prompts:
        for number, text in enumerate(chosen.siblings):
            typer.echo(json.dumps({"number": number, "model": model, **_request(text)}))
        return
    completions = _read(results) if results else _ask(endpoint or "", model, key_file, chosen)
    typer.echo(json.dumps(judge(chosen, completions)))


def judge(canary: Canary, completions: dict[int, str]) -> dict[str, object]:
    """The rank of the used canary by how much of each sibling was completed; p = rank / N."""
    missing = [number for number in range(len(canary.siblings)) if number not in completions]
    if missing:
        fail(f"{len(missing)} completions are missing, the first for number {missing[0]}; the test needs all")
    scores = [
        canaries.completion_score(text, completions[number], PREFIX) for number, text in enumerate(canary.siblings)
    ]
    return {
        "channel": canary.channel,
        "siblings": len(scores),
        "characters": scores[canary.used],
        "best_other": max(score for number, score in enumerate(scores) if number != canary.used),
        "p": canaries.rank_p(scores, canary.used),
    }


def _request(text: str) -> dict[str, object]:
    return {"messages": [{"role": "user", "content": _ASK + text[:PREFIX]}], "temperature": 0, "max_tokens": 40}


def _read(path: Path) -> dict[int, str]:
    try:
        rows = [json.loads(line) for line in path.read_text().splitlines() if line.strip()]
        return {int(row["number"]): str(row["completion"]) for row in rows}
    except (OSError, ValueError, KeyError, TypeError) as error:
        fail(f'{path}: write one {{"number": 0, "completion": "..."}} a line ({type(error).__name__})')


def _ask(endpoint: str, model: str, key_file: Path | None, canary: Canary) -> dict[int, str]:
    headers = {"Authorization": f"Bearer {key_file.read_text().strip()}"} if key_file else {}
    address = f"{endpoint.rstrip('/')}/chat/completions"
    completions = {}
    with httpx2.Client(headers=headers, timeout=120) as client:
        for number, text in enumerate(canary.siblings):
            try:
                response = client.post(address, json={"model": model, **_request(text)})
                response.raise_for_status()
                completions[number] = str(response.json()["choices"][0]["message"]["content"] or "")
            except (httpx2.HTTPError, ValueError, KeyError, IndexError, TypeError) as error:
                fail(f"the endpoint did not answer prompt {number} ({type(error).__name__}); nothing is concluded")
    console.print(f"{len(completions)} prompts answered by {model}", highlight=False)
    return completions
