"""The npm package `oidc-provider`, a certified implementation, on loopback."""

import fcntl
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from urllib.parse import urljoin

import httpx2
import pytest

FOLDER = Path(__file__).parent
SECRET = "a secret of the tests, not of anybody"
_NODE = 20


def _installed() -> None:
    """Install the locked packages, once for all test processes; skip where that cannot be done."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        pytest.skip("node and npm are not installed: the login is not tested against oidc-provider")
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    if int(version.strip().lstrip("v").partition(".")[0]) < _NODE:
        pytest.skip(f"oidc-provider needs node {_NODE} or newer, and this is {version.strip()}")
    marker = FOLDER / "node_modules" / ".heldout"
    wanted = (FOLDER / "package-lock.json").read_text()
    with (FOLDER / ".gitignore").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if marker.is_file() and marker.read_text() == wanted:
            return
        command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
        try:
            done = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, timeout=200, check=False)
        except subprocess.TimeoutExpired:
            pytest.skip("npm ci did not end within 200 s: the login is not tested against oidc-provider")
        if done.returncode:
            pytest.skip(f"npm ci did not work here: {done.stderr.strip()[-300:]}")
        marker.write_text(wanted)


@dataclass(frozen=True)
class RealProvider:
    """A running provider. Anybody signs in as anybody: NAME is NAME@example.org, `unverified…` is not verified."""

    issuer: str

    async def approve(self, there: str, name: str, back: str) -> str:
        """Sign in as `name` with the provider's own pages; the address it then sends the browser back to."""
        async with httpx2.AsyncClient(timeout=60) as client:
            response = await client.get(there)
            for _ in range(12):
                while response.is_redirect:
                    there = urljoin(str(response.url), response.headers["location"])
                    if there.startswith(back):
                        return there
                    response = await client.get(there)
                if "prompt" not in response.text:
                    break
                prompt = re.search(r'name="prompt" value="(\w+)"', response.text)
                action = re.search(r'action="([^"]+)"', response.text)
                assert prompt
                assert action
                fields = {"prompt": prompt[1], "login": name, "password": "any"}
                response = await client.post(urljoin(str(response.url), unescape(action[1])), data=fields)
        raise AssertionError(f"the provider does not send back: {response.status_code} {response.text[:500]}")


@contextmanager
def real_provider(*callbacks: str) -> Iterator[RealProvider]:
    """Run it until the end of the block; the process also ends with this one."""
    _installed()
    process = subprocess.Popen(
        ["node", "provider.mjs", *callbacks],
        cwd=FOLDER,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={"PATH": os.environ["PATH"], "HOME": "/nonexistent"},
    )
    try:
        assert process.stdout
        line = process.stdout.readline()
        assert line, (
            "the provider did not start; run it by hand: node tests/support/oidc/provider.mjs http://127.0.0.1/"
        )
        yield RealProvider(json.loads(line)["issuer"])
    finally:
        process.kill()
        process.wait()
