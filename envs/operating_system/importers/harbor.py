"""Tasks in Harbor's format (versions 1.0 to 1.4; Terminal-Bench 2 is published in it) as operating-system episodes.

`source` is a task's folder or a folder of them: `task.toml`, `instruction.md`, `environment/Dockerfile`,
`tests/test.sh`, `solution/solve.sh`. The Dockerfile prepares the machine, the tests are run from outside over what the
participant left behind and never lie where the participant is, the solution is the episode's own proof. Format:
https://harborframework.com/docs/tasks.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from envs.operating_system.importers import dockerfile
from envs.operating_system.importers.dockerfile import DockerfileError, Prepared
from envs.operating_system.importers.machine import Machine
from packs import cards
from packs.benchmark import Benchmark
from packs.draft import DraftPack, Soundness
from packs.importers.questions import identifier
from packs.importers.table import slug_of
from packs.problem import Episode, Probe, Problem, ReferenceLine
from packs.report import Report

CONFIG = "task.toml"
VERIFIER = "verifier"
_AGENT_SECONDS = 600.0
_LONGEST = 24 * 3600
_COMMAND = 600.0
_CHECK_SECONDS = 120.0
_STATEMENT = 20_000
# What of a task's tables is carried over; whatever else they say is named in the report.
_CARRIED = {
    "metadata": {"category"},
    "agent": {"timeout_sec"},
    "verifier": {"timeout_sec", "env"},
    "environment": {"env", "workdir"},
    "solution": {"env"},
}
_SILENT = {"version", "schema_version", "source"}
_WHOLE = {"steps": "several steps", "artifacts": "artifacts"}
# Programs that fetch: in the tests they do nothing, unless they ask this machine itself. `uvx` and `uv run` leave their
# own options out and run what the image has.
_STAND_INS = """\
mkdir -p /tmp/.verifier/bin "$HOME/.local/bin" && : > "$HOME/.local/bin/env"
cat > /tmp/.verifier/bin/apt-get <<'END'
#!/bin/sh
case "$*" in *localhost*|*127.0.0.1*) exec "/usr/bin/${0##*/}" "$@";; esac
exit 0
END
cat > /tmp/.verifier/bin/uvx <<'END'
#!/bin/bash
[ "${0##*/}" = uv ] && { [ "$1" = run ] || exit 0; shift; }
while [ "${1#-}" != "$1" ]; do
  case "$1" in -p|-w|--python|--with|--from|--index-url) shift 2;; *) shift;; esac
done
exec "$@"
END
cat > /tmp/.verifier/bin/pytest <<'END'
#!/usr/bin/env python3
# The image's pytest without its report of tests; where there is none, functions without parameters, one by one.
import importlib.util, inspect, os, sys, traceback
given = sys.argv[1:]
while "--ctrf" in given:
    at = given.index("--ctrf")
    del given[at:at + 2]
if importlib.util.find_spec("pytest"):
    os.execvp(sys.executable, [sys.executable, "-m", "pytest", *given])
tests = []
for path in (one for one in given if one.endswith(".py")):
    spec = importlib.util.spec_from_file_location("tests_of_the_task", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    tests += [value for name, value in vars(module).items() if name.startswith("test_") and callable(value)]
failed = 0
for test in tests:
    try:
        test() if not inspect.signature(test).parameters else sys.exit("these tests need pytest in the image")
    except Exception:
        failed += 1
        traceback.print_exc()
sys.exit(1 if failed or not tests else 0)
END
for name in apt curl wget pip pip3; do cp /tmp/.verifier/bin/apt-get /tmp/.verifier/bin/$name; done
cp /tmp/.verifier/bin/uvx /tmp/.verifier/bin/uv
chmod -R 755 /tmp/.verifier
export PATH=/tmp/.verifier/bin:$PATH
"""
_REWARD = """\
tail -c 4000 /logs/verifier/output.txt
reward=$(cat /logs/verifier/reward.txt 2>/dev/null)
[ -n "$reward" ] || reward=$(sed -n 's/.*"reward"[[:space:]]*:[[:space:]]*\\([0-9.]*\\).*/\\1/p' \\
  /logs/verifier/reward.json 2>/dev/null)
[[ $reward =~ ^[[:space:]]*[1-9][0-9]*(\\.[0-9]*)?[[:space:]]*$ ]]
"""


@dataclass(frozen=True)
class Task:
    """One task: where it is, what it says of itself."""

    folder: Path
    id: str
    config: Mapping[str, Any]

    def table(self, name: str) -> Mapping[str, Any]:
        """A table of `task.toml`; empty where there is none."""
        found = self.config.get(name)
        return found if isinstance(found, Mapping) else {}

    def seconds(self, name: str, default: float) -> float:
        """A time limit of the agent or the verifier."""
        found = self.table(name).get("timeout_sec", default)
        return float(found) if isinstance(found, int | float) and found > 0 else default


def read(
    source: Path, *, limit: int | None = None, dev: int = 0, slug: str = "", image: str = "", turns: int = 50
) -> DraftPack:
    """Read the tasks; each solution is played, and a task whose solution does not pass is left out.

    `image` is a sandbox image in which everything is that the tasks' Dockerfiles and tests fetch: sandboxes have no
    network. Without it a task whose Dockerfile fetches something is left out. `dev`: so many of the first tasks are
    public. `turns`: actions of the participant. Raises FileNotFoundError where there is no task, ValueError for a
    `task.toml` that is no TOML and for an image that is not built.
    """
    if not 1 <= turns <= 200:
        raise ValueError("turns is between 1 and 200")
    machine = Machine.chosen(image)
    report = Report(source.name)
    report.notes += machine.notes
    problems: list[Problem] = []
    references: list[ReferenceLine] = []
    for task in islice(tasks(source), limit):
        report.read += 1
        split = "dev" if len(problems) < dev else "test"
        try:
            line = _line(task, machine, report, turns, built=bool(image))
        except (DockerfileError, FileNotFoundError, UnicodeDecodeError) as error:
            report.exclude(task.id, getattr(error, "kind", "files"), str(error))
            continue
        problems.append(_problem(task, split))
        references.append(line)
    trial = Episode(environment="operating_system", spec={"problem": "?", **machine.spec})
    card = partial(_benchmark, slug_of(slug or source.stem), source.name, machine)
    return DraftPack(report, problems, references, card=card, soundness=Soundness(trial=trial))


def tasks(source: Path) -> Iterator[Task]:
    """Every task at or below `source`, by its folder's name."""
    files = [source / CONFIG] if (source / CONFIG).is_file() else sorted(source.glob(f"**/{CONFIG}"))
    if not files:
        raise FileNotFoundError(f"there is no {CONFIG} in {source}")
    for file in files:
        try:
            config = tomllib.loads(file.read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise ValueError(f"{file.parent.name}/{CONFIG}: {error}") from error
        yield Task(file.parent, identifier(file.parent.name) or "task", config)


def _problem(task: Task, split: str) -> Problem:
    metadata = task.table("metadata")
    subject = str(metadata.get("category") or metadata.get("difficulty") or "terminal")[:100]
    return Problem(
        id=task.id, split=split, type="operating_system", subject=subject, statement=_statement(task), episode=True
    )


def _statement(task: Task) -> str:
    text = (task.folder / "instruction.md").read_text(encoding="utf-8").strip()
    if not text or len(text) > _STATEMENT:
        raise DockerfileError(
            "instruction", f"instruction.md has {len(text)} characters; 1 to {_STATEMENT} can be shown"
        )
    return text


def _line(task: Task, machine: Machine, report: Report, turns: int, *, built: bool) -> ReferenceLine:
    environment = task.folder / "environment"
    for name, what in _WHOLE.items():
        if task.config.get(name):
            raise DockerfileError("steps", f"{CONFIG} has {what}, which an episode has no place for")
    if any((environment / name).exists() for name in ("docker-compose.yaml", "docker-compose.yml")):
        raise DockerfileError("compose", "its environment is several containers")
    if task.table("environment").get("mcp_servers"):
        raise DockerfileError("tools", "its environment has servers of tools of its own")
    made = dockerfile.prepared(environment, built=built)
    workdir = str(task.table("environment").get("workdir") or made.workdir)
    made.variables |= _texts(task.table("environment").get("env"))
    spec: dict[str, Any] = {
        "problem": _statement(task),
        "turns": turns,
        "timeout": min(_COMMAND, max(1.0, task.seconds("agent", _AGENT_SECONDS))),
        "init": [{"code": script} for script in made.scripts],
        "start": f"{dockerfile.exports(made.variables)}mkdir -p {workdir} && cd {workdir}",
        **machine.spec,
    }
    _say(task, made, report)
    episode = Episode(
        environment="operating_system",
        spec=spec,
        probes=(Probe(name=VERIFIER, kind="check", arguments={"script": {"code": _verifier(task, made, workdir)}}),),
        steps=turns,
        seconds=int(min(_LONGEST, max(5.0, task.seconds("agent", _AGENT_SECONDS)))),
    )
    reference = {"kind": "commands", "succeeds": [VERIFIER]}
    return ReferenceLine(id=task.id, reference=reference, episode=episode, oracle=_oracle(task))


def _verifier(task: Task, made: Prepared, workdir: str) -> str:
    """The tests, brought in when the participant is gone, and the reward that they wrote: 1 passes."""
    tests = dockerfile.files_below(task.folder / "tests")
    if not any(name == "test.sh" for name, _, _ in tests):
        raise DockerfileError("files", "there is no tests/test.sh")
    variables = made.variables | _texts(task.table("verifier").get("env"))
    script = (
        f"rm -rf /tests /logs/verifier /tmp/.verifier\nmkdir -p /logs/verifier {workdir}\n"
        f"{dockerfile.unpacking(tests, '/tests')} || exit 1\n{dockerfile.exports(variables)}{_STAND_INS}"
        f"cd {workdir}\nbash /tests/test.sh >/logs/verifier/output.txt 2>&1\n{_REWARD}"
    )
    return dockerfile.checked(script, "the tests")


def _oracle(task: Task) -> tuple[dict[str, Any], ...]:
    folder = task.folder / "solution"
    if not (folder / "solve.sh").is_file():
        raise DockerfileError("solution", "there is no solution/solve.sh, so that nothing shows that it can be solved")
    script = (
        f"{dockerfile.exports(_texts(task.table('solution').get('env')))}"
        f"{dockerfile.unpacking(dockerfile.files_below(folder), '/solution')} && bash /solution/solve.sh"
    )
    actions = [
        {"tool": {"name": "bash_action", "arguments": {"script": dockerfile.checked(script, "the solution")}}},
        {"tool": {"name": "finish_action", "arguments": {"thought": "the task is done"}}},
    ]
    return tuple(actions)


def _say(task: Task, made: Prepared, report: Report) -> None:
    """Mark what is in no part of the pack."""
    left = [name for name in task.config if name not in _CARRIED and name not in _SILENT]
    left += [f"{table}.{name}" for table, known in _CARRIED.items() for name in task.table(table) if name not in known]
    left += [f"the image {made.base}"] if made.base else []
    left += [f"{name}/{inner}" for name, inner in (("tests", "Dockerfile"),) if (task.folder / name / inner).exists()]
    if task.seconds("verifier", _CHECK_SECONDS) > _CHECK_SECONDS:
        left.append(f"verifier.timeout_sec: tests end after {_CHECK_SECONDS:.0f} s")
    report.mark(task.id, "not carried over", ", ".join(left + made.left))
    if dockerfile.NETWORK.search((task.folder / "tests" / "test.sh").read_text(encoding="utf-8", errors="replace")):
        report.mark(task.id, "downloads", "what its tests fetch is not fetched: the image has it, or they fail")


def _texts(found: object) -> dict[str, str]:
    return {str(name): str(value) for name, value in found.items()} if isinstance(found, Mapping) else {}


def _benchmark(slug: str, title: str, machine: Machine, problems: Any) -> Benchmark:
    return Benchmark(
        slug=slug,
        title=title[:200],
        version="1.0.0",
        owner="heldout",
        licence="not stated",
        summary=f"{len(problems)} tasks at a terminal.",
        card=_CARD.format(count=len(problems), title=title, machine=machine.words),
        canary=cards.canary_of(slug, problems),
        splits=cards.converted_splits(sorted({problem.split for problem in problems})),
        sandbox_images=machine.digests,
    )


_CARD = """\
# {title}

{count} tasks at a terminal, converted from Harbor's format. The participant types commands; then the tests of the task
run over what is left behind, and a reward of 1 solves it. The machine has no network. {machine}
"""
