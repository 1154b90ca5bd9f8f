"""What the command says when something fails: a line for people, with the command that helps, or a line of JSON."""

import json
import sys
import time
import warnings
from typing import Any

import typer
from rich.console import Console

from heldout.client import Client
from heldout.errors import HeldoutError

_err = Console(stderr=True)
# What to do, as commands: the advice of the errors themselves is for programs.
_ADVICE = {
    "no_api_key": "heldout login, or set HELDOUT_API_KEY",
    "unauthenticated": "heldout login gets another key; HELDOUT_API_KEY, where it is set, goes before it",
    "agreement_required": "heldout agree -b BENCHMARK shows the agreement and accepts it",
    "benchmark_not_named": "give --benchmark, or set HELDOUT_BENCHMARK; heldout benchmarks lists them",
    "unknown_problem": "heldout problems lists the ids that your key is given for this split; nothing was taken",
    "idempotency_key_reused": "leave --key out, or give another: other answers were sent with this Idempotency-Key",
    "not_finalized": "heldout finalize ID has it graded as it is",
    "connection_failed": "check HELDOUT_BASE_URL and that the service runs",
    "another_run": "give --out another folder for this run",
    "not_a_run": "give --out another folder",
    "folder_in_use": "wait until that run has ended, or give --out another folder",
}
_AGAIN = 10.0
# Seconds of a pause from which on its length is said.
_SAID = 2.0
# Usage that is wrong, as the command line alone cannot show.
_USAGE = {"folder_in_use"}


class Retrying:
    """Says on standard error that a request failed and is sent again: at once, and then every ten seconds."""

    def __init__(self) -> None:
        self._reported = ("", 0.0)

    def __call__(self, reason: str, seconds: float) -> None:
        """A pause of so many seconds begins."""
        before, at = self._reported
        if reason != before or time.monotonic() - at >= _AGAIN:
            self._reported = (reason, time.monotonic())
            sys.stderr.write(f"{reason}; trying again{f' in {seconds:.0f} s' if seconds >= _SAID else ''}\n")


def run(app: typer.Typer) -> None:
    """Run the app and end the process; an error is one line, of JSON where --json was asked for."""
    Client.notice = Retrying()
    warnings.showwarning = _warning
    as_json = "--json" in sys.argv[1:]
    try:
        ended = app(standalone_mode=not as_json)
        sys.exit(ended if isinstance(ended, int) else 0)
    except HeldoutError as error:
        code = 2 if error.code in _USAGE else 1
        if as_json:
            _json(type(error).__name__, error.detail, code, **_facts(error))
        else:
            _err.print(f"[red]error:[/red] {type(error).__name__}:", end=" ")
            _err.print(_sentence(error), markup=False, highlight=False, soft_wrap=True)
        sys.exit(code)
    except typer.Abort:
        _json("Aborted", "not done", 1)
        sys.exit(1)
    except typer.TyperException as error:
        # Wrong usage: without --json Typer itself says what is wrong, and how it is used.
        message = error.format_message() if isinstance(error, typer.BadParameter) else str(error)
        _json("Usage", message, 2)
        sys.exit(2)


def _warning(message: Warning | str, *_: object, **__: object) -> None:
    sys.stderr.write(f"warning: {message}\n")


def _facts(error: HeldoutError) -> dict[str, Any]:
    return {
        "code": error.code,
        "status": error.status,
        "request_id": error.request_id,
        "advice": _ADVICE.get(error.code, error.advice),
        "problems": error.problems,
    }


def _sentence(error: HeldoutError) -> str:
    facts = [error.code, str(error.status or ""), error.request_id and f"request {error.request_id}"]
    advice = _ADVICE.get(error.code, error.advice)
    return f"{error.detail} ({', '.join(fact for fact in facts if fact)}). What to do: {advice}"


def _json(kind: str, detail: str, exit_code: int, **facts: Any) -> None:
    record = {"error": {"type": kind, "detail": detail, "exit_code": exit_code} | facts}
    sys.stderr.write(json.dumps(record, ensure_ascii=False) + "\n")
