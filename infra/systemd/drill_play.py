"""A participant for the drills: `drill_play.py COUNT` sends so many runs of the smoke test with the public golds."""

import sys

import heldout

BENCHMARK, SPLIT = "smoke", "dev"


def main(count: int) -> None:
    """Print how many submissions have been graded; ends with 1 where one is not, or not with full marks."""
    with heldout.Client(benchmark=BENCHMARK) as client:
        answers = {problem.id: problem.gold or "" for problem in client.get_problems(split=SPLIT)}
        sent = [client.submit(answers, model=f"drill-{number}", split=SPLIT) for number in range(count)]
        for submission in sent:
            ended = submission.wait(timeout=180)
            if (ended.state, ended.score) != ("graded", 1.0):
                raise SystemExit(f"{ended.id} is {ended.state} with {ended.score}")
    print(len(sent))


main(int(sys.argv[1]))
