"""A run's folder as one page: every task with its end, its cost, its messages, its transcript and what went wrong.

The page is static: no script, nothing from elsewhere, and all that models and worlds said is text.
"""

import json
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

from heldout.errors import Invalid
from heldout.evaluation.ledger import Done, Failure, Head
from heldout.models import SessionStatus, TranscriptStep
from heldout.runs import whole_lines

_HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="robots" content="noindex"><title>Run</title><style>
:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem}
pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.2rem 0;font-size:13px}summary{cursor:pointer;padding:.2rem 0}
details details,article>details>*{margin-left:1rem}.fault{color:#c62828}.role{opacity:.7;font-size:12px}
table{border-collapse:collapse}td{padding:.1rem .8rem .1rem 0;vertical-align:top}img{max-width:100%}
</style></head><body>
<p>Problems of a benchmark whose test set must stay unseen: do not publish this page, and do not train on it.</p>
"""


def page(folder: Path) -> str:
    """The page of all runs in or below a folder. Raises Invalid where there is none."""
    runs = sorted(file.parent for file in folder.rglob("run.jsonl"))
    if not runs:
        raise Invalid(f"there is no run.jsonl in {folder}", code="not_a_run", advice="name the --out of `heldout run`")
    return _HEAD + "".join(part for run in runs for part in _run(run)) + "</body></html>\n"


def _run(folder: Path) -> Iterator[str]:
    lines = whole_lines(folder / "run.jsonl")
    head = Head.model_validate_json(lines[0])
    done = [Done.model_validate_json(line) for line in lines[1:]]
    faults = folder / "errors.jsonl"
    failures = [Failure.model_validate_json(line) for line in whole_lines(faults)] if faults.exists() else []
    summary = folder / "summary.json"
    about = json.loads(summary.read_text(encoding="utf-8")) if summary.exists() else {}
    model = f"{head.model.name} {head.model.version}".strip()
    yield f"<article><h1>{escape(model)} on {escape(head.benchmark)} {escape(head.version)}, {escape(head.split)}</h1>"
    facts = {
        "submission": about.get("submission", ""),
        "tasks": f"{len(done)} of {about['tasks']} done" if "tasks" in about else f"{len(done)} done",
        "tokens": sum(item.usage.tokens or 0 for item in done if item.usage),
        "cost": f"${sum(item.usage.cost or 0 for item in done if item.usage):.4f}",
        "stopped by": about.get("stopped", ""),
    }
    rows = (f"<tr><td>{name}</td><td>{escape(str(value))}</td></tr>" for name, value in facts.items() if value)
    yield f"<table>{''.join(rows)}</table>"
    for item in done:
        yield from _task(folder, item, [fault for fault in failures if fault.problem == item.problem])
    known = {item.problem for item in done}
    for fault in failures:
        if fault.problem not in known:
            yield f"<details><summary>{escape(fault.problem)}: left</summary>{_fault(fault)}</details>"
    yield "</article>"


def _task(folder: Path, done: Done, failures: list[Failure]) -> Iterator[str]:
    cost = f"{done.usage.tokens or 0:,} tokens, " if done.usage else ""
    title = f"{done.problem}: {done.finish_reason}, {cost}{done.seconds:.1f} s"
    yield f"<details><summary>{escape(title)}</summary>"
    if done.left_out:
        yield f"<p>the first {done.left_out} characters of the answer were left out</p>"
    if done.answer is not None:
        yield f"<div class=role>answer</div>{_text(done.answer)}"
    yield from map(_fault, failures)
    said = folder / "messages" / f"{done.problem}.json"
    if said.exists():
        messages = "".join(map(_message, json.loads(said.read_text(encoding="utf-8"))))
        yield f"<details><summary>messages</summary>{messages}</details>"
    transcript = folder / "transcripts" / f"{done.problem}.json"
    if transcript.exists():
        status = SessionStatus.model_validate_json(transcript.read_text(encoding="utf-8"))
        steps = "".join(map(_step, status.transcript or ()))
        yield f"<details><summary>transcript</summary>{_text(status.instruction)}{steps}</details>"
    yield "</details>"


def _fault(failure: Failure) -> str:
    return f"<div class=fault>{escape(failure.error)}{_text(failure.message)}</div>"


def _message(message: dict[str, Any]) -> str:
    calls = [_text(json.dumps(call.get("function", call))) for call in message.get("tool_calls") or ()]
    return (
        f"<div class=role>{escape(str(message.get('role')))}</div>{_text(message.get('content') or '')}{''.join(calls)}"
    )


def _step(step: TranscriptStep) -> str:
    seen = step.observation
    action = _text(json.dumps(step.action, ensure_ascii=False)) if step.action else ""
    data = _text(json.dumps(seen.data, ensure_ascii=False)) if seen.data else ""
    pictures = "".join(
        f'<img alt="{escape(name)}" src="data:image/png;base64,{escape(seen.images[name])}">'
        for name in sorted(seen.images)
    )
    return f"<div class=role>step {step.number}</div>{action}{_text(seen.text)}{data}{pictures}"


def _text(text: object) -> str:
    return f"<pre>{escape(str(text))}</pre>"
