"""The image of the service, as `infra/images/build.sh server` makes it: nobody special on a root file system that is
read-only, and everything works in it. Runs where Docker Engine answers and has the image; skips elsewhere."""

import json
import subprocess
import time
from collections.abc import Iterator
from importlib.metadata import version

import pytest

from tests.support.docker_engine import engine

pytestmark = [pytest.mark.sandbox, pytest.mark.slow, pytest.mark.timeout(900)]

IMAGE = f"heldout/server:{version('heldout-server')}"
# As infra/compose sets it up, with a data directory that is gone afterwards and the embedded PostgreSQL.
CLOSED = ["--read-only", "--cap-drop", "ALL", "--security-opt", "no-new-privileges:true", "--network", "none"]
ROOM = ["--tmpfs", "/tmp:size=1g,mode=1777", "--tmpfs", "/data:exec,uid=1000,gid=1000,mode=700"]
SECONDS = 240.0
# A participant inside: the container has no network but its own.
PARTICIPANT = """
import json, sys, heldout
with heldout.Client(base_url="http://127.0.0.1:8080", api_key=sys.argv[1], benchmark="demo-arb") as client:
    problems = [problem for problem in client.get_problems(split="dev") if problem.gold and problem.type != "proof"]
    answers = {problem.id: f"ANSWER: {problem.gold}" for problem in problems}
    wrong = next(iter(answers))
    answers[wrong] = "ANSWER: 123456789"
    graded = client.submit(answers, model="m", split="dev").wait(timeout=240)
    outcomes = {item.problem: item.outcome for item in graded.items or ()}
    print(json.dumps({"state": graded.state, "wrong": outcomes.pop(wrong), "others": sorted(set(outcomes.values()))}))
"""


class Container:
    """A running container of the image, asked with `docker exec`."""

    def __init__(self, url: str, *command: str) -> None:
        self._docker = ["docker", "--host", url]
        self.id = self.docker("run", "-d", *CLOSED, *ROOM, IMAGE, *command)

    def docker(self, *arguments: str, given: str = "", fails: bool = False) -> str:
        """What it printed. `fails`: it has to end with another code than 0."""
        done = subprocess.run([*self._docker, *arguments], input=given, capture_output=True, text=True, check=False)
        assert (done.returncode != 0) is fails, (arguments[:3], done.stdout[-2000:], done.stderr[-2000:])
        return (done.stderr if fails else done.stdout).strip()

    def inside(self, *command: str, given: str = "", fails: bool = False) -> str:
        return self.docker("exec", "-i", self.id, *command, given=given, fails=fails)

    def until_ready(self) -> None:
        ask = "import urllib.request as u; u.urlopen('http://127.0.0.1:8080/readyz', timeout=5)"
        deadline = time.monotonic() + SECONDS
        while subprocess.run([*self._docker, "exec", self.id, "python3", "-c", ask], capture_output=True).returncode:
            assert self.docker("inspect", "-f", "{{.State.Running}}", self.id) == "true", self.said()
            assert time.monotonic() < deadline, self.said()
            time.sleep(0.5)

    def said(self) -> str:
        done = subprocess.run([*self._docker, "logs", self.id], capture_output=True, text=True, check=False)
        return (done.stdout + done.stderr)[-3000:]


@pytest.fixture(scope="module")
def running() -> Iterator[Container]:
    with engine() as found:
        has = subprocess.run(
            ["docker", "--host", found.url, "image", "inspect", IMAGE], capture_output=True, check=False
        )
        if has.returncode:
            pytest.skip(f"Docker Engine has no image '{IMAGE}': make test-server-image")
        container = Container(found.url, "heldout-server", "up")
        try:
            container.until_ready()
            yield container
        finally:
            container.docker("rm", "-f", "-v", container.id)


def test_nobody_special_on_a_root_that_is_read_only(running: Container) -> None:
    assert running.inside("id", "-u") == "1000"
    assert "Read-only" in running.inside("touch", "/opt/heldout/x", fails=True)
    status = running.inside("cat", "/proc/1/status")
    assert {line.split()[1] for line in status.splitlines() if line.startswith("Cap")} == {"0" * 16}
    assert "NoNewPrivs:\t1" in status


def test_up_serves_and_grades(running: Container) -> None:
    running.inside("heldout-server", "import", "/opt/heldout/benchmarks/demo-arb")
    key = running.inside("heldout-server", "keys", "create", "--email", "a@example.org", "--organisation", "lab")
    said = running.inside("python3", "-", key.split()[-1], given=PARTICIPANT)
    found = json.loads(said.splitlines()[-1])
    assert found == {"state": "graded", "wrong": "incorrect", "others": ["correct"]}


def test_it_says_what_is_in_it(running: Container) -> None:
    bill = json.loads(running.inside("cat", "/opt/heldout/sbom.json"))
    names = {component["name"] for component in bill["components"]}
    assert {"fastapi", "psycopg", "redis", "ray"} <= names
    assert "pytest" not in names


def test_sigterm_ends_it_in_order(running: Container) -> None:
    running.docker("stop", "-t", "120", running.id)
    assert running.docker("inspect", "-f", "{{.State.ExitCode}}", running.id) == "0", running.said()
