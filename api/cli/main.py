"""`heldout-server`: every command of the service."""

import gc
import importlib
import sys
from collections.abc import Iterable

import typer
from pydantic import ValidationError
from pydantic_settings import SettingsError

MODULES = {
    "serving": ("serve", "worker", "host", "hosts", "up", "migrate"),
    "administration": ("init", "keys"),
    "transfer": ("import", "export"),
    "backups": ("backup", "restore"),
    "convert": ("convert",),
    "generate": ("generate",),
    "sites": ("sites",),
    "baseline": ("baseline",),
    "agentbench": ("agentbench-controller",),
    "league": ("card-league",),
    "demo": ("demo",),
    "checking": ("check-migrations",),
    "simulate": ("simulate",),
    "auditing": ("trace", "check-ledger"),
    "admission": ("admission", "gate"),
    "doctor": ("doctor",),
    "configuring": ("config",),
    "rekeying": ("secrets",),
    "regrading": ("regrade",),
    "retiring": ("retire",),
    "grouping": ("groups",),
    "reviewing": ("reviewers",),
    "rubrics": ("rubrics",),
    "canary": ("canaries",),
    "people": ("login-link", "verify-organisation", "delete-account", "organisation-groups"),
}
"""The modules of `api.cli` and the commands that each adds."""
_SENTENCES = (
    ("api.core.key_stores", "SecretFileError"),
    ("api.core.localpg", "LocalServerError"),
    ("api.core.migrate", "DatabaseRightsError"),
    ("api.core.migrate", "TablesError"),
    ("api.core.secrets", "KeyStateError"),
    ("api.core.telemetry", "MetricsPortError"),
)


def built(modules: Iterable[str] = tuple(MODULES)) -> typer.Typer:
    """The application with the commands of `modules`."""
    app = typer.Typer(
        name="heldout-server",
        help="Heldout: benchmarks whose test sets stay unseen.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
    )
    # Typer makes a single command the whole application, without its name, unless there is a callback.
    app.callback()(lambda: None)
    for name in modules:
        importlib.import_module(f"api.cli.{name}").register(app)
    return app


def main() -> None:
    """Entry point. Only what the command needs is imported: the service's processes start sooner and stay smaller."""
    asked = [name for name, commands in MODULES.items() if sys.argv[1:2] and sys.argv[1] in commands]
    # All that is imported stays: looking through it again and again takes a quarter of a short command's time.
    gc.disable()
    try:
        app = built(asked or MODULES)
        gc.freeze()
        gc.enable()
        app()
    except Exception as error:
        if (sentence := _sentence(error)) is None:
            raise
        sys.exit(f"heldout-server: {sentence}")
    finally:
        # A module that nothing imported started nothing.
        if localpg := sys.modules.get("api.core.localpg"):
            localpg.stop_started()


def _sentence(error: Exception) -> str | None:
    """What is wrong with the set-up; None for a fault of another kind, which keeps its traceback."""
    if isinstance(error, ValidationError) and error.title == "Settings":
        # In a union each kind has its say, some the same.
        return "; ".join(dict.fromkeys(_fault(list(fault["loc"]), fault["msg"]) for fault in error.errors()))
    if isinstance(error, SettingsError):
        # Its words are the library's: error parsing value for field "login_providers" from source ...
        return f"HELDOUT_{str(error).split(chr(34))[1].upper()}: it is not JSON"
    # What a command has not loaded, it cannot have met.
    for module, name in _SENTENCES:
        if (loaded := sys.modules.get(module)) and isinstance(error, getattr(loaded, name)):
            return str(error)
    database = sys.modules.get("api.core.db")
    return database.unreachable(error) if database else None


def _fault(place: list[int | str], said: str) -> str:
    """One setting's fault. A fault of several settings has no place, and its words name them."""
    said = said.removeprefix("Value error, ")
    if not place:
        return said
    setting, *inside = place
    # Into a list people count from one. What has a bracket is no name of ours: the library's for a kind in a union.
    steps = [f" {step + 1}" if isinstance(step, int) else f" '{step}'" for step in inside if "[" not in str(step)]
    # A setting with two variables has the first one's name here.
    name = str(setting).upper().removeprefix("HELDOUT_")
    return f"HELDOUT_{name}{''.join(steps)}: {said}"


if __name__ == "__main__":
    main()
