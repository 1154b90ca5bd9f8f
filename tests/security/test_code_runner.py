"""Programs of participants: run where they can do no harm and find nothing, compared where they are not."""

import dataclasses
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from api.worker.code_runner import SandboxRunner
from envs.sandbox.base import MIB, Limits
from grading import Answer, Outcome, Tools, grade
from grading.tools import RunnerUnavailableError, RunResult
from packs.problem import ReferenceLine
from tests.support.service import OPEN, Service, choice_pack

pytestmark = [pytest.mark.sandbox]
SECRET = "expected-4711"
CASES = [{"stdin": "3\n", "stdout": f"{SECRET} 9\n"}, {"stdin": "5\n", "stdout": f"{SECRET} 25\n"}]
RIGHT = f"print('{SECRET}', int(input()) ** 2)"


@pytest.fixture(scope="module")
def runner() -> Iterator[SandboxRunner]:
    if shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is not installed (infra/setup.sh installs it)")
    made = SandboxRunner("bubblewrap", Limits(memory=128 * MIB, processes=32))
    try:
        made.run({"main.py": "print(1)"}, ["python3", "main.py"], "", 60)
    except RunnerUnavailableError as error:
        made.close()
        pytest.skip(f"sandboxes do not work here: {error}")
    yield made
    made.close()


def judged(runner: SandboxRunner, code: str, **more: Any) -> Any:
    reference = {"kind": "code_tests", "cases": CASES, "seconds": 20, **more}
    return grade(Answer(text=f"```python\n{code}\n```"), reference, Tools(runner=runner))


def test_a_right_program_passes_and_a_wrong_one_does_not(runner: SandboxRunner) -> None:
    assert judged(runner, RIGHT).outcome is Outcome.CORRECT
    assert judged(runner, "print('other')").outcome is Outcome.INCORRECT


# Written backwards, so that the spy does not find itself.
SPY = """
import glob, itertools, os, sys
needle = b"1174-detcepxe"[::-1]
found = ["environment"] * any(needle in os.fsencode(text) for text in [*os.environ.values(), *sys.argv])
def everything():
    for folder, folders, names in os.walk("/"):
        if folder == "/":
            folders[:] = set(folders) - {"proc", "sys", "usr", "dev", "etc"}
        yield from (os.path.join(folder, name) for name in names)
    yield from glob.glob("/proc/[0-9]*/cmdline") + glob.glob("/proc/[0-9]*/environ")
for path in everything():
    try:
        with open(path, "rb") as file:
            if needle in file.read(100000):
                found.append(path)
    except OSError:
        pass
print(sorted(found))
"""


def test_expected_outputs_are_nowhere_in_the_sandbox(runner: SandboxRunner) -> None:
    hidden = runner.run({"main.py": SPY, "spy.txt": SECRET}, ["python3", "main.py"], "", 60)
    assert hidden.stdout.strip() == "['/work/spy.txt']", "the spy finds what is there"
    seen: list[str] = []

    class Watching:
        def run(self, files: dict[str, str], argv: list[str], stdin: str, seconds: float) -> RunResult:
            done = runner.run(files, argv, stdin, seconds)
            seen.append(done.stdout.strip())
            return done

    reference = {"kind": "code_tests", "cases": CASES, "seconds": 60}
    assert grade(Answer(text=SPY), reference, Tools(runner=Watching())).score == 0
    assert seen == ["[]", "[]"]


# Each would print what is expected if it got what it wants; the two that never end are stopped by the deadline.
HOSTILE = {
    "network": "import socket; socket.create_connection(('1.1.1.1', 53), 1)",
    "loopback": "import socket; s = socket.socket(); s.bind(('127.0.0.1', 0)); open('/proc/1/mem', 'wb')",
    "memory": "x = bytearray(1 << 30)",
    "disk": "open('/work/x', 'wb').write(b'0' * (1 << 28))",
    "forks": "import os, time\nfor _ in range(1000):\n    if os.fork() == 0:\n        time.sleep(600)",
    "endless": "while True: pass",
    "flood": "while True: print('y' * 10000)",
}


@pytest.mark.parametrize("attack", sorted(HOSTILE))
def test_a_hostile_program_gets_nothing(runner: SandboxRunner, attack: str) -> None:
    seconds = 2 if attack in ("endless", "flood") else 30
    verdict = judged(runner, f"{HOSTILE[attack]}\nprint('{SECRET}', 9)", seconds=seconds, cases=CASES[:1])
    assert verdict.score == 0.0, verdict


def test_a_right_program_is_judged_right_after_them(runner: SandboxRunner) -> None:
    judged(runner, HOSTILE["endless"], seconds=1, cases=CASES[:1])
    assert judged(runner, RIGHT, cases=CASES[:1]).score == 1.0


def test_a_case_leaves_nothing_to_the_next(runner: SandboxRunner) -> None:
    code = "import os\nprint(os.path.exists('/work/left'), os.path.exists('/tmp/left'))\n"
    code += "open('/work/left', 'w').close(); open('/tmp/left', 'w').close()"
    cases = [{"stdout": "False False"}, {"stdout": "False False"}]
    assert judged(runner, code, cases=cases).score == 1.0


def test_a_file_outside_the_folder_is_refused_by_the_sandbox(runner: SandboxRunner, tmp_path: Path) -> None:
    target = tmp_path / "x"
    with pytest.raises(RunnerUnavailableError):
        runner.run({f"../../{target}/y": "1", "": "x"}, ["true"], "", 20)
    assert not target.exists()


def test_without_a_sandbox_the_answer_stays_unscored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    bare = SandboxRunner("bubblewrap")
    try:
        verdict = judged(bare, RIGHT)
    finally:
        bare.close()
    assert (verdict.outcome, "no sandbox could be had" in verdict.reason) == (Outcome.UNSCORED, True)


async def test_submissions_of_programs_are_graded_by_the_worker(runner: SandboxRunner, service: Service) -> None:
    quiz = choice_pack(count=2, hidden=OPEN)
    reference = {"kind": "code_tests", "cases": CASES, "seconds": 20}
    lines = tuple(
        ReferenceLine(id=line.id, reference=reference) if line.id.startswith("test") else line
        for line in quiz.references
    )
    problems = tuple(
        problem.model_copy(update={"choices": ()}) if problem.split == "test" else problem for problem in quiz.problems
    )
    await service.publish(dataclasses.replace(quiz, problems=problems, references=lines))
    ada = await service.reader()
    shown = await ada.problems("quiz", "test")
    done = await ada.submit("quiz", "test", {shown[0]["id"]: RIGHT, shown[1]["id"]: "print(9)"})
    await service.work()
    told = await ada.get(done.headers["location"])
    assert told.json()["score"] == 0.5
    assert SECRET not in told.text
