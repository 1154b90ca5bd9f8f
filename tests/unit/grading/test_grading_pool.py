"""The pool: right verdicts, limits that hold, processes that are replaced, nothing that an answer could open."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from typing import Any

import pytest
from pydantic import ValidationError

from grading import Answer, Outcome, Verdict
from grading.pool import GradingPool, Limits, PoolClosedError

SYMBOLIC = {"kind": "symbolic", "value": "x^2"}
HEAVY = r"\sum_{k=1}^{2000}\frac{1}{k^2+x}"


async def _until_correct(pool: GradingPool) -> Verdict:
    """Grade until a verdict is correct; a generous deadline replaces a guess at how long a restart takes."""
    deadline = time.monotonic() + 120
    while True:
        verdict = await pool.grade(Answer(text="x*x"), SYMBOLIC)
        if verdict.score == 1 or time.monotonic() > deadline:
            return verdict


async def test_many_answers_at_once() -> None:
    async with GradingPool(2, Limits(cpu_seconds=60, wall_seconds=120)) as pool:
        grades = [pool.grade(Answer(text=f"x*x+{n}-{n % 2}"), SYMBOLIC | {"value": f"x^2+{n}"}) for n in range(12)]
        verdicts = await asyncio.gather(*grades)
        assert [verdict.score for verdict in verdicts] == [1.0, 0.0] * 6
        assert all(verdict.grader == "symbolic" and verdict.reference_digest for verdict in verdicts)
        with pytest.raises(ValidationError):
            await pool.grade(Answer(text="1"), {"kind": "symbolic"})
    with pytest.raises(PoolClosedError):
        await pool.grade(Answer(text="1"), SYMBOLIC)


async def test_processor_limit_gives_unscored_and_a_new_process() -> None:
    async with GradingPool(1, Limits(cpu_seconds=0.05, wall_seconds=120)) as pool:
        verdict = await pool.grade(Answer(text=HEAVY), {"kind": "symbolic", "value": HEAVY + "+0"})
        assert verdict.outcome is Outcome.UNSCORED
        assert "processor time" in verdict.reason
        assert verdict.grader == "symbolic"


async def test_killed_and_stopped_processes_are_replaced() -> None:
    async with GradingPool(1, Limits(cpu_seconds=60, wall_seconds=4)) as pool:
        process: Any = pool._all[0].process
        os.kill(process.pid, signal.SIGSTOP)
        verdict = await pool.grade(Answer(text="x*x"), SYMBOLIC)
        assert verdict.outcome is Outcome.UNSCORED
        assert "stopped after 4 s" in verdict.reason
        assert (await _until_correct(pool)).score == 1
        process = pool._all[0].process
        os.kill(process.pid, signal.SIGKILL)
        assert (await pool.grade(Answer(text="x*x"), SYMBOLIC)).outcome in {Outcome.UNSCORED, Outcome.CORRECT}
        assert (await _until_correct(pool)).score == 1


async def test_an_answer_that_hangs_costs_its_slot_and_nothing_else() -> None:
    async with GradingPool(2, Limits(cpu_seconds=60, wall_seconds=600)) as pool:
        held: Any = pool._all[0].process
        os.kill(held.pid, signal.SIGSTOP)
        hanging = asyncio.create_task(pool.grade(Answer(text="x*x"), SYMBOLIC))
        await asyncio.sleep(0)
        others = asyncio.gather(*(pool.grade(Answer(text=f"x*x+{n}"), SYMBOLIC) for n in range(10)))
        verdicts = await asyncio.wait_for(others, 240)
        assert [verdict.score for verdict in verdicts] == [1.0] + [0.0] * 9
        assert not hanging.done()
        os.kill(held.pid, signal.SIGKILL)
        verdict = await asyncio.wait_for(hanging, 240)
        assert (verdict.outcome, "ended before it answered" in verdict.reason) == (Outcome.UNSCORED, True)


async def test_worn_processes_are_recycled() -> None:
    async with GradingPool(1, Limits(cpu_seconds=60, wall_seconds=120, recycle_after=2)) as pool:
        verdicts = [await pool.grade(Answer(text="x*x"), SYMBOLIC) for _ in range(5)]
        assert [verdict.score for verdict in verdicts] == [1.0] * 5


@pytest.mark.parametrize(
    "attempt", ["socket.socket()", "open('/etc/passwd')", "open('/tmp/x', 'w')", "bytearray(1 << 31)"]
)
def test_confined_process_opens_nothing(attempt: str) -> None:
    program = (
        "import socket\nfrom grading.pool.limits import Limits, confine\nconfine(Limits(memory_bytes=1 << 30))\n"
        f"try:\n    {attempt}\nexcept (OSError, MemoryError):\n    print('refused')\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.strip() == "refused"


async def test_what_is_loaded_on_first_use_is_there_in_a_confined_process() -> None:
    field = {"name": "why", "type": "textarea", "gold": ["water falls out of the sky"]}
    sent = Answer(data={"why": "water fell from the sky"})
    lone = {"kind": "webarena", "eval_types": ["string_match"], "reference_answers": {"must_include": ["7"]}}
    async with GradingPool(1, Limits(cpu_seconds=60, wall_seconds=120)) as pool:
        form = await pool.grade(sent, {"kind": "form", "fields": [field], "scoring": "published"})
        assert form.score == pytest.approx(6 / 11)
        told = await pool.grade(Answer(text="There are 7."), lone | {"mode": "classic"})
        assert told.score == 1
