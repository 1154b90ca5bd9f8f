"""What an operator does by docs/operating.md, "With containers", step by step, and what participants see meanwhile."""

import json
import shutil
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from types import TracebackType
from typing import Any

from tools.drill_compose.composed import CHECKOUT, NAME, VISITORS, Composed, DrillError, block, until
from tools.drill_compose.packs import write_packs

PROCESSES = ("limits", "proxy", "serve", "worker-inline", "worker-processes", "worker-sandboxes", "host", "postgres")
AWAY_SECONDS = 30
BOARD = '[[part]]\nname = "smoke"\nbenchmark = "smoke"\nsplit = "dev"\naverage = 50.0\n'


def must(holds: bool, what: object) -> None:
    """Raises DrillError where it does not hold."""
    if not holds:
        raise DrillError(str(what))


class Asked(AbstractContextManager["Asked"]):
    """A visitor who asks for a page again and again until the context ends: what was not answered with 200."""

    def __init__(self, composed: Composed) -> None:
        self._composed, self._over = composed, threading.Event()
        self.times, self.others = 0, 0
        self._thread = threading.Thread(target=self._ask)

    def _ask(self) -> None:
        # Below the limit for an address, which is 300 a minute.
        while not self._over.wait(0.3):
            self.times += 1
            self.others += self._composed.status("/v1/overall") != 200

    def __enter__(self) -> "Asked":
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self._over.set()
        self._thread.join()


class Walk:
    """The steps. `facts` is what was seen."""

    def __init__(self, composed: Composed, note: Callable[[str, object], None]) -> None:
        self._on, self._note = composed, note
        self._key = self._last = ""

    def all(self) -> None:
        """Every step, in the page's order. Raises DrillError."""
        for step in (
            self.start,
            self.from_outside,
            self.fill,
            self.play,
            self.restarts,
            self.replicas,
            self.database_away,
            self.limits_away,
            self.release,
            self.keys,
            self.down_and_up,
            self.backup_and_restore,
        ):
            began = time.monotonic()
            step()
            self._note(f"seconds: {step.__name__}", round(time.monotonic() - began))

    def start(self) -> None:
        self._on.types(block("cd infra/compose").replace("cd infra/compose\n", ""))
        self._on.until_served()
        said = self._on.docker_compose("run", "--rm", "admin")
        must("fault" not in said, said)
        self._note("config check", f"{len(said.splitlines())} ok")

    def from_outside(self) -> None:
        """TLS, what the proxy keeps to itself, and whose requests are counted as whose."""
        must(self._on.curl("/healthz") == "ok", "the certificate's name is served")
        sent_on = self._on.curl("/", "-o", "/dev/null", "-w", "%{http_code} %{redirect_url}", plain=True)
        must(sent_on == f"301 https://{NAME}/", sent_on)
        must(self._on.status("/readyz") == 403, "what a process says of itself is not for visitors")
        # Waits for a new minute of the limit: nobody has asked from this address.
        left = [self._left(1), self._left(1, "-H", "X-Forwarded-For: 203.0.113.9"), self._left(1)]
        must(left == [299, 298, 297], f"a visitor is counted by its own address, whatever it says: {left}")
        self._note("counted by address", list(VISITORS))

    def _left(self, visitor: int, *options: str) -> int:
        heads = self._on.curl("/v1/overall", "-D", "-", "-o", "/dev/null", *options, visitor=visitor).lower()
        return int(heads.partition("\nratelimit: ")[2].partition("r=")[2].partition(";")[0])

    def fill(self) -> None:
        """An operator, packs, a participant's key, a combined board of one's own."""
        link = self._on.admin("login-link", "you@example.org", "--operator", "--organisation", "my-lab").split()[0]
        must(link.startswith(f"https://{NAME}/login/link?token="), link)
        must(self._on.status(link.removeprefix(f"https://{NAME}")) == 200, "the link opens")
        files = self._on.compose / "files"
        for name in ("smoke", "live-os"):
            shutil.copytree(CHECKOUT / "benchmarks" / name, files / name)
        for name in ("smoke", "live-os", *write_packs(files)):
            must("imported" in self._on.admin("import", f"/files/{name}"), name)
        made = self._on.admin("keys", "create", "--email", "me@example.org", "--organisation", "my-lab")
        self._key = made.split()[-1]
        (self._on.compose / "overall" / "mine.toml").write_text(f'title = "Mine"\n{BOARD}')
        must("mine" in self._on.curl("/v1/overall"), "a combined board that is put into the folder is served")

    def play(self) -> None:
        graded = self._on.play(self._key, "submissions", 4)
        self._last = str(graded["last"])
        self._note("graded", graded["graded"])
        code = self._on.play(self._key, "code")
        must(code == {"right": "correct", "wrong": "incorrect"}, code)
        self._note("programs in workers' sandboxes", code)
        must(self._on.play(self._key, "echo") == {"outcome": "correct"}, "echo")
        saw = str(self._on.play(self._key, "machine")["saw"])
        lines = saw.partition("\n\n")[2].split()
        # Its own root, no network but its loopback, nothing of the service's; its task's files.
        must(lines[:-1] == ["0", "0"] and lines[-1].isdigit() and int(lines[-1]) > 0, saw)
        self._note("files of its task in a session's machine", int(lines[-1]))

    def restarts(self) -> None:
        """Each service in turn: those behind the web processes while somebody sends runs, the others before."""
        for name in PROCESSES:
            behind = name.startswith(("worker", "host"))
            playing = self._on.begin(self._key, "submissions", 3) if behind else None
            self._on.docker_compose("restart", name)
            self._on.until_served()
            self._on.ended(playing or self._on.begin(self._key, "submissions", 1))
        self._note("restarted", list(PROCESSES))
        must(self._on.play(self._key, "echo") == {"outcome": "correct"}, "echo after the restarts")

    def replicas(self) -> None:
        more = ("--scale", "serve=3", "--scale", "worker-processes=3")
        self._on.docker_compose("up", "-d", "--no-recreate", *more)
        ids = self._on.docker_compose("ps", "-q", "serve").splitlines()
        must(len(ids) == 3, ids)
        graded = self._on.play(self._key, "submissions", 6)
        # Two of the three go, one after the other: everybody is served by the third.
        self._on.run(["docker", "stop", *ids[:2]])
        self._on.until_served()
        self._on.play(self._key, "submissions", 1)
        self._note("graded with three of each", graded["graded"])
        self._on.docker_compose("up", "-d")
        must(len(self._on.docker_compose("ps", "-q", "serve").splitlines()) == 2, "two again")

    def _away(self, name: str) -> list[dict[str, Any]]:
        """What the processes log while a service is away for half a minute and comes back."""
        since = datetime.now(UTC).isoformat()
        self._on.docker_compose("stop", name)
        until(
            "it is told", lambda: self._on.status("/v1/benchmarks", "-H", f"Authorization: Bearer {self._key}") == 503
        )
        time.sleep(AWAY_SECONDS)
        self._on.docker_compose("start", name)
        self._on.until_served()
        graded = self._on.play(self._key, "submissions", 2)
        must(graded["graded"] == 2, graded)
        # A queue says that it is back when it has not failed for ten seconds.
        time.sleep(12)
        return self._on.logged(since)

    def database_away(self) -> None:
        lines = self._away("postgres")
        names: dict[str, int] = {}
        for line in lines:
            names[line["event"]] = names.get(line["event"], 0) + 1
        self._note("lines of all nine processes while the database is away", names)
        must(any(name.endswith(".back") for name in names), names)
        # A worker has four lanes and three queues at most; half a minute has five gaps that double.
        must(max(names.values()) < AWAY_SECONDS, f"no line a second: {names}")

    def limits_away(self) -> None:
        names = {line["event"] for line in self._away("limits")}
        must({"limits.unreachable", "limits.unreachable.back"} <= names, names)

    def release(self) -> None:
        """By the page, all anew: the migration, web processes one after the other, then the services."""
        with Asked(self._on) as asked:
            playing = self._on.begin(self._key, "submissions", 12)
            self._on.docker_compose("run", "--rm", "migrate")
            self._on.types(block("for old in").replace("--no-deps $name", "--no-deps --force-recreate $name"))
            self._on.ended(playing)
        self._note("asked while a release rolls", {"times": asked.times, "not answered": asked.others})
        must(asked.times > 0 and asked.others == 0, "no request was left unanswered")

    def keys(self) -> None:
        """Every key replaced, and what was under those before sealed anew; the key of the participant goes on."""
        for action in ("add", "use"):
            time.sleep(10)
            self._on.admin("secrets", action, "all")
            for name in ("serve", "worker-inline", "worker-processes", "worker-sandboxes", "host"):
                self._on.docker_compose("up", "-d", "--no-deps", "--force-recreate", name)
            self._on.until_served()
        self._on.play(self._key, "submissions", 1)
        self._on.admin("secrets", "reseal", "all")
        self._on.play(self._key, "submissions", 1)

    def _state(self) -> dict[str, object]:
        """What has to be the same after whatever happened."""
        paths = ("/v1/benchmarks/smoke/leaderboard?split=dev", "/v1/overall", "/v1/overall/mine")
        boards = {path: json.loads(self._on.curl(path)) for path in paths}
        return boards | {"submission": self._on.play(self._key, "read", self._last)}

    def down_and_up(self) -> None:
        before = self._state()
        self._on.docker_compose("down")
        self._on.docker_compose("up", "-d")
        self._on.until_served()
        must(self._state() == before, "nothing is lost by down and up")
        self._on.play(self._key, "submissions", 1)

    def backup_and_restore(self) -> None:
        files = self._on.compose / "files"
        (files / "passphrase").write_text("four words of one's own\n")
        before = self._state()
        named = ("/files/instance.backup", "--passphrase-file", "/files/passphrase")
        self._on.admin("backup", "--out", *named)
        self._on.docker_compose("down", "--volumes")
        for folder in ("secrets", "overall"):
            for file in (self._on.compose / folder).iterdir():
                file.unlink()
        said = self._on.types(block("docker compose run --rm admin heldout-server restore"))
        must("restored" in said, said)
        self._on.until_served()
        must(self._state() == before, "what was restored is what was backed up")
        self._on.play(self._key, "submissions", 1)
        self._note("restored", (files / "instance.backup").stat().st_size)
