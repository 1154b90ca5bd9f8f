"""The operators' page typed block by block on Debian's PostgreSQL: what is shown there does what is said there.

A block that a machine alone cannot type, for it takes a systemd, an engine or a cluster, is named with what runs it.
"""

import contextlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.external_postgres import DATABASE, OWNER, External, external_postgres, free_port, missing
from tests.support.operator_commands import folder
from tests.support.snippets import ROOT, snippets

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]
__all__ = ["folder"]
PAGE = "docs/operating.md"
SECONDS = 240.0
# Other blocks by their beginning: the file that runs them, or that reads them where nothing here can.
ELSEWHERE = {
    "useradd --system": "infra/systemd/drill-inside.sh",
    "systemctl enable --now heldout-migrate": "infra/systemd/drill-inside.sh",
    "runuser -u heldout": "infra/systemd/drill-inside.sh",
    "cd infra/compose": "tools/drill_compose/walk.py",
    "for old in": "tools/drill_compose/walk.py",
    "docker compose run --rm admin": "tools/drill_compose/walk.py",
    'OPTIONAL="docker.io mmdebstrap"': "tests/integration/test_server_image.py",
    "kubectl create secret": "tests/unit/test_deployment.py",
    "pg_ctl stop": "tests/integration/test_point_in_time.py",
}
HERE = ("create role", "HELDOUT_DATABASE_URL=", "(umask 077", "heldout-server secrets", "heldout-server backup")
RESTORED = "HELDOUT_DATA_DIR=/empty/folder"


def test_every_block_is_typed_somewhere() -> None:
    begin = (*HERE, RESTORED, *ELSEWHERE)
    blocks = snippets(PAGE, "")
    assert [block for block in blocks if not block.startswith(begin)] == []
    assert [words for words in begin if not any(block.startswith(words) for block in blocks)] == []
    assert [name for name in ELSEWHERE.values() if not (ROOT / name).is_file()] == []


class Operator:
    """Somebody at a shell with the page beside, who puts this machine's names in the place of the page's."""

    def __init__(self, folder: Path, server: External) -> None:
        self.folder, self.port = folder, free_port()
        self._names = {
            "'…'": f"'{server.password}'",
            "db.example.org": f"localhost:{server.port}",
            "/etc/heldout/db.crt": str(server.certificate),
            "/etc/heldout/database-password": str(server.password_file),
            "/etc/pgbouncer": str(folder),
            "/empty/folder": str(folder / "empty"),
        }
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("HELDOUT_", "DATABASE_"))}
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        self.variables = kept | {
            "PATH": path,
            "COLUMNS": "200",
            "HELDOUT_DATA_DIR": str(folder / "instance"),
            "HELDOUT_PORT": str(self.port),
        }

    def block(self, begin: str) -> str:
        (found,) = (block for block in snippets(PAGE, "") if block.startswith(begin))
        for name, here in self._names.items():
            found = found.replace(name, here)
        return found

    def settings(self, text: str) -> None:
        """Lines of an environment file."""
        self.variables |= dict(line.split("=", 1) for line in text.splitlines())

    def types(self, text: str, variables: dict[str, str] | None = None) -> str:
        """What the commands print; they have to work."""
        program = ["bash", "-ec", text]
        done = subprocess.run(
            program, cwd=self.folder, env=variables or self.variables, capture_output=True, text=True, check=False
        )
        said = done.stdout + done.stderr
        assert done.returncode == 0, f"{text}\n{said}"
        return said

    @contextlib.contextmanager
    def leaves_running(self, *names: str) -> Iterator[None]:
        """Processes of the service by name, until the context ends."""
        running = [
            subprocess.Popen(["heldout-server", name], cwd=self.folder, env=self.variables, stdin=subprocess.DEVNULL)
            for name in names
        ]
        try:
            yield
        finally:
            for process in running:
                process.terminate()
            for process in running:
                process.wait(SECONDS)

    def until(self, command: str, words: str) -> str:
        """What a command says once it says `words`."""
        deadline, said = time.monotonic() + SECONDS, ""
        while time.monotonic() < deadline:
            try:
                said = self.types(command)
            except AssertionError as refused:
                said = str(refused)
            else:
                if words in said:
                    return said
            time.sleep(0.5)
        raise AssertionError(f"waited in vain for {words} of {command}: {said}")


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed: make test-packages")
@pytest.mark.skipif(missing() is not None, reason=missing() or "")
def test_the_page_is_typed(folder: Path) -> None:
    (folder / "server").mkdir()
    with external_postgres(folder / "server") as server:
        for statement in (f"drop database {DATABASE}", f"drop role {OWNER}"):
            server.superuser(statement, database="postgres")
        somebody = Operator(folder, server)
        for statement in somebody.block("create role").split(";\n"):
            if statement.strip():
                server.superuser(statement, database="postgres")
        somebody.settings(somebody.block("HELDOUT_DATABASE_URL="))
        somebody.types("heldout-server migrate")
        with somebody.leaves_running("serve", "worker"):
            somebody.until(f"curl --fail --silent http://127.0.0.1:{somebody.port}/readyz", '"ready":true')
            _grades(somebody)
            assert "ok    database" in somebody.types("heldout-server config check || true")
            somebody.types(somebody.block("(umask 077"))
            users = folder / "heldout.users"
            assert users.stat().st_mode & 0o777 == 0o600
            assert '"heldout_web" "' in users.read_text()
            _replaces_every_key(somebody)
            somebody.until(f"curl --fail --silent http://127.0.0.1:{somebody.port}/readyz", '"ready":true')
            (folder / "passphrase").write_text("four words of one's own\n")
            somebody.types(somebody.block("heldout-server backup"))
    # The server is gone; what is restored has one of its own.
    own = {name: value for name, value in somebody.variables.items() if not name.startswith("HELDOUT_DATABASE_")}
    assert "restored" in somebody.types(somebody.block(RESTORED), own)


def _grades(somebody: Operator) -> None:
    """A benchmark, a participant, and a submission that the worker grades."""
    somebody.types("heldout packs new rivers --owner my-lab && heldout-server import rivers")
    key = somebody.types("heldout-server keys create --email me@example.org --organisation my-lab").split()[-1]
    taking_part = f"HELDOUT_API_KEY={key} HELDOUT_BASE_URL=http://127.0.0.1:{somebody.port}"
    run = "heldout run --model guess@1 --benchmark rivers --split dev --command 'echo ANSWER: Danube' --out results"
    assert "0.200" in somebody.types(f"export {taking_part}; {run}; heldout leaderboard --benchmark rivers --split dev")


def _replaces_every_key(somebody: Operator) -> None:
    commands = somebody.block("heldout-server secrets").splitlines()
    assert [line.split()[2] for line in commands] == ["status", "add", "use", "reseal", "retire"]
    status, add, use, reseal, retire = commands
    for line in (status, add):
        somebody.types(line)
    # "ten seconds later at the earliest": before that it is refused.
    somebody.until(use, "reseal")
    somebody.types(reseal)
    # A participant's key was not used since; and before some seconds have passed it says when to try again.
    somebody.until(retire.replace("retire all", "retire all --lose"), "")
