"""The compose project of the drill: a copy of infra/compose with its own secrets; who speaks with it from outside."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

CHECKOUT = Path(__file__).parents[2]
PAGE = CHECKOUT / "docs" / "operating.md"
NAME = "heldout.example.org"
# Two visitors: who calls one of the engine's own addresses comes from that address.
VISITORS = ("198.51.100.7", "198.51.100.8")
SECONDS = 300.0
_PLAY = CHECKOUT / "tools" / "drill_compose" / "participant.py"


class DrillError(Exception):
    """Something is not as the page says."""


def block(begin: str) -> str:
    """The page's block that begins so."""
    blocks = re.findall(r"^```\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    (found,) = (one for one in blocks if one.startswith(begin))
    return str(found)


def until(what: str, ask: Callable[[], bool], seconds: float = SECONDS) -> float:
    """Wait for `ask`. Returns the seconds it took. Raises DrillError."""
    began = time.monotonic()
    while not ask():
        if time.monotonic() - began > seconds:
            raise DrillError(f"waited {seconds:.0f} s in vain: {what}")
        time.sleep(0.5)
    return round(time.monotonic() - began, 1)


class Composed:
    """The project in `folder`, on the engine whose process is `engine`."""

    def __init__(self, folder: Path, engine: int) -> None:
        self.folder, self.compose = folder, folder / "infra" / "compose"
        self._engine = engine
        self.variables = os.environ | {"HELDOUT_NAME": NAME}

    def prepare(self) -> None:
        """The files that come with the checkout, and a certificate."""
        kept_out = shutil.ignore_patterns("secrets*", "files", "overall", "proxy", "stand-ins")
        shutil.copytree(CHECKOUT / "infra" / "compose", self.compose, ignore=kept_out)
        shutil.copytree(CHECKOUT / "infra" / "proxy", self.folder / "infra" / "proxy")
        (self.compose / "proxy").mkdir()
        made = f"req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN={NAME} -addext subjectAltName=DNS:{NAME}"
        ends = ["-keyout", "proxy/tls.key", "-out", "proxy/tls.crt"]
        self.run(["openssl", *made.split(), *ends])
        for visitor in VISITORS:
            self.run([*self._inside(), "ip", "address", "add", f"{visitor}/32", "dev", "lo"])

    def run(self, command: list[str]) -> str:
        """What it prints on standard output. Raises DrillError where it fails."""
        done = subprocess.run(
            command,
            cwd=self.compose,
            env=self.variables,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise DrillError(
                f"{' '.join(command)[:300]}: {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-3000:]}"
            )
        return done.stdout.strip()

    def types(self, text: str) -> str:
        """The page's commands in a shell. No registry and no network: what `build` makes is there."""
        return self.run(["bash", "-ec", text.replace("docker compose build", "true")])

    def docker_compose(self, *arguments: str) -> str:
        return self.run(["docker", "compose", *arguments])

    def admin(self, *command: str) -> str:
        """An operator's command in its container."""
        return self.docker_compose("run", "--rm", "admin", "heldout-server", *command)

    def _inside(self) -> list[str]:
        return ["nsenter", "-t", str(self._engine), "-n"]

    def _outside(self, visitor: int) -> list[str]:
        """A program of this machine in the engine's network, for which the service's name is one of its addresses."""
        hosts = self.folder / f"hosts.{visitor}"
        hosts.write_text(f"127.0.0.1 localhost\n{VISITORS[visitor]} {NAME}\n")
        script = f'mount --bind {hosts} /etc/hosts && exec "$@"'
        return [*self._inside(), "unshare", "--mount", "sh", "-c", script, "-"]

    def curl(self, path: str, *options: str, visitor: int = 0, plain: bool = False) -> str:
        address = f"{'http' if plain else 'https'}://{NAME}{path}"
        command = ["curl", "-sS", "--max-time", "60", "--cacert", "proxy/tls.crt", *options, address]
        return self.run([*self._outside(visitor), *command])

    def status(self, path: str, *options: str) -> int:
        """The answer's status; 0 where nothing answered."""
        try:
            return int(self.curl(path, "-o", "/dev/null", "-w", "%{http_code}", *options))
        except DrillError:
            return 0

    def until_served(self) -> float:
        return until("the proxy serves", lambda: self.status("/v1/overall") == 200)

    def _participant(self, key: str, what: str, arguments: tuple[object, ...]) -> tuple[list[str], dict[str, str]]:
        command = [*self._outside(1), sys.executable, str(_PLAY), what, *map(str, arguments)]
        own = {"HELDOUT_BASE_URL": f"https://{NAME}", "HELDOUT_API_KEY": key}
        return command, self.variables | own | {"SSL_CERT_FILE": str(self.compose / "proxy" / "tls.crt")}

    def play(self, key: str, what: str, *arguments: object) -> dict[str, Any]:
        """A participant at the service's name, to the end: what it says."""
        return self.ended(self.begin(key, what, *arguments))

    def begin(self, key: str, what: str, *arguments: object) -> subprocess.Popen[str]:
        command, variables = self._participant(key, what, arguments)
        return subprocess.Popen(
            command, cwd=self.compose, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def ended(self, playing: subprocess.Popen[str]) -> dict[str, Any]:
        """What a participant that was begun says at its end. Raises DrillError where it failed."""
        said, wrong = playing.communicate(timeout=2 * SECONDS)
        if playing.returncode:
            raise DrillError(f"the participant failed: {said[-1000:]}{wrong[-3000:]}")
        return dict(json.loads(said.splitlines()[-1]))

    def logged(self, since: str) -> list[dict[str, Any]]:
        """The service's own lines since then."""
        lines = self.docker_compose("logs", "--no-log-prefix", "--no-color", "--since", since).splitlines()
        return [dict(json.loads(line)) for line in lines if line.startswith('{"')]
