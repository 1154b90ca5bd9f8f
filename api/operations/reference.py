"""docs/configuration.md, written from the settings themselves: `make schema`."""

from pathlib import Path

from pydantic.fields import FieldInfo

from api.core.settings import Settings, variable
from api.operations.variables import GROUPS, Variable

PAGE = Path(__file__).parents[2] / "docs" / "configuration.md"
_HEAD = """# Configuration

Everything is set by environment variables; what is not set has the default below. Keys and passwords are files in the
data directory's `secrets/`, which only the service's user may read, or files that a variable names; where else keys may
be kept is in [operating.md](operating.md). `heldout-server config check` says whether an instance's settings work, what
to do where not, and which `HELDOUT_*` nothing reads.

This page is generated from the settings (`make schema`).

| variable | default | what it sets |
| --- | --- | --- |
"""


def reference() -> str:
    """The page: one row a setting, in the settings' own order, then what else is read from the environment."""
    rows = "".join(_row(name, field) for name, field in Settings.model_fields.items())
    return _HEAD + rows + "".join(_group(title, variables) for title, variables in GROUPS.items())


def _group(title: str, variables: tuple[Variable, ...]) -> str:
    head = f"\n## {title}\n\n| variable | default | what it sets |\n| --- | --- | --- |\n"
    return head + "".join(f"| `{found.name}` | {found.default} | {found.sets} |\n" for found in variables)


def _row(name: str, field: FieldInfo) -> str:
    if field.default_factory is not None:
        default = "see right"
    elif field.default in (None, "", ()):
        default = "none"
    elif isinstance(field.default, tuple):
        default = f"`{','.join(field.default)}`"
    else:
        default = f"`{str(field.default).lower() if isinstance(field.default, bool) else field.default}`"
    return f"| `{variable(name)}` | {default} | {(field.description or '').replace('|', ', ')} |\n"


if __name__ == "__main__":
    PAGE.write_text(reference(), encoding="utf-8")
