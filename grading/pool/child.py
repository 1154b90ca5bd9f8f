"""The process that grades: one JSON request a line on standard input, one JSON reply a line on standard output.

It is given the reference of one item with each request and keeps none.
"""

import json
import sys
import time
from typing import Any

from grading.answer import Answer
from grading.pool.limits import CpuLimitError, Limits, confine, timed
from grading.registry import grade, kinds
from grading.tools import UndeclaredNeedError

_WARM_UP = (
    (r"1 + x^2 \sqrt{2} - \sin^2 y", {"kind": "math", "value": r"\sqrt{2} x^2 + \int_0^1 t dt + e^{i\pi x}"}),
    ("240 cm", {"kind": "math", "value": "2.4", "unit": "m", "rel_tol": 0.01}),
    (r"x = \frac{y-3}{2}", {"kind": "math", "value": "y = 2x + 3"}),
    (r"\sum_{k=1}^\infty \frac{1}{k^3}", {"kind": "math", "value": r"\lim_{n\to\infty} \frac{n}{n+1} + \zeta(3)"}),
    ("x > 2", {"kind": "math", "value": r"(2, \infty)"}),
)


def warm_up() -> None:
    """Import every grader and run the paths that load or cache something on their first use."""
    kinds()
    for text, reference in _WARM_UP:
        grade(Answer(text=text), reference)


def reply_to(line: str, limits: Limits) -> tuple[dict[str, Any], bool]:
    """The reply to one request, and whether this process is still fit for another."""
    request = json.loads(line)
    answer = Answer.model_validate(request["answer"])
    started = time.perf_counter()
    try:
        with timed(limits):
            verdict = grade(answer, request["reference"])
        reply: dict[str, Any] = {"verdict": verdict.model_dump(mode="json")}
        fit = True
    except CpuLimitError:
        reply, fit = {"fault": f"the grader used more than {limits.cpu_seconds:g} s of processor time"}, False
    except MemoryError:
        reply, fit = {"fault": f"the grader needed more than {limits.memory_bytes >> 20} MiB"}, False
    except UndeclaredNeedError as error:
        reply, fit = {"fault": str(error)}, True
    except RecursionError:
        reply, fit = {"fault": "the grader nested too deep"}, True
    reply["ms"] = (time.perf_counter() - started) * 1000
    return reply, fit


def main(arguments: list[str]) -> int:
    """Serve until standard input ends or this process is worn out."""
    limits = Limits(**json.loads(arguments[0]))
    warm_up()
    confine(limits)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    for _ in range(limits.recycle_after):
        line = sys.stdin.readline()
        if not line:
            break
        reply, fit = reply_to(line, limits)
        sys.stdout.write(json.dumps(reply) + "\n")
        sys.stdout.flush()
        if not fit:
            break
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
