"""What the processes load before they serve: each package below costs more than a tenth of the start."""

import subprocess
import sys

import pytest


def _loaded(module: str, *packages: str) -> str:
    """Which of `packages` a fresh interpreter has once it has imported `module`."""
    program = f"import sys, {module}; print(*(name for name in {packages!r} if name in sys.modules))"
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.timeout(300)
def test_the_web_process_starts_without_what_only_a_worker_or_a_sign_in_needs() -> None:
    unused = ("scipy", "authlib", "sympy", "pandas", "openpyxl", "PIL", "docker", "alembic", "playwright")
    assert _loaded("api.app", *unused) == ""


@pytest.mark.timeout(300)
def test_up_starts_the_web_process_before_it_loads_a_database() -> None:
    assert _loaded("api.cli.serving", "sqlalchemy", "fastapi", "psycopg", "alembic") == ""
