"""Run in an environment that holds the wheel and nothing else of Heldout: the README's snippet, and a batch."""

import contextlib
import io
import re
import sys
from pathlib import Path

if __name__ == "__main__":
    snippet = re.findall(r"```python\n(.*?)```", Path(sys.argv[1]).read_text(encoding="utf-8"), flags=re.DOTALL)[0]
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(snippet, {})  # noqa: S102 - our own README
    lines = out.getvalue().splitlines()
    assert lines[0] == lines[2] == "True", lines
    assert "incorrect" in lines[1], lines
    assert not [name for name in sys.modules if name.split(".")[0] in {"grading", "heldout", "fastapi", "httpx2"}]

    from heldout_grading import BatchGrader, grade, grade_batch

    pairs = [("The answer is 5.", "5"), {"response": "it is (A)", "gold": "B", "choices": ["x", "y"]}, ("7", "7")] * 20
    found = grade_batch(pairs, processes=2, timeout=2)
    alone = [grade("The answer is 5.", "5"), grade("it is (A)", "B", choices=["x", "y"]), grade("7", "7")] * 20
    assert found == alone, found[:3]
    assert [one.correct for one in found[:3]] == [True, False, True]
    choices = ["red", "green", "blue"]
    assert all(grade("Only (B) remains.", gold, choices=choices).correct for gold in ("B", "b", "(B)", "green"))
    assert grade("So it is 5.", 5).correct
    assert grade("0.5", 0.5).correct
    unfit = [("5", "5"), ("5", ""), {"response": "A", "gold": "Z", "choices": choices}, {"response": "5"}, ("7", "7")]
    with BatchGrader(processes=2, timeout=2) as grader:
        for _ in range(2):
            told = grader.grade(unfit)
            assert [one.outcome for one in told] == ["correct", "unscored", "unscored", "unscored", "correct"], told
            assert "'gold' is missing" in told[3].reason, told
    print("alone: the README's snippet and a batch of 60")
