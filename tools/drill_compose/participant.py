"""A participant of the drill: `submissions 3`, `code`, `echo`, `machine` or `read ID`; what it saw, as JSON."""

import json
import sys

import heldout


def submissions(count: str) -> dict[str, object]:
    """Runs of the smoke test with the public golds: each has to be graded with full marks."""
    with heldout.Client(benchmark="smoke") as client:
        answers = {problem.id: problem.gold or "" for problem in client.get_problems(split="dev")}
        sent = [client.submit(answers, model=f"drill-{number}", split="dev") for number in range(int(count))]
        for one in sent:
            ended = one.wait(timeout=300)
            if (ended.state, ended.score) != ("graded", 1.0):
                raise SystemExit(f"{ended.id} is {ended.state} with {ended.score}")
        return {"graded": len(sent), "last": sent[-1].id}


def code() -> dict[str, object]:
    """A program that is right, and one that is wrong, run in the sandboxes of workers."""
    found = {}
    with heldout.Client(benchmark="drill-code") as client:
        (problem,) = client.get_problems(split="dev").all()
        for name, program in {"right": "print(2 * int(input()))", "wrong": "print(input())"}.items():
            ended = client.submit({problem.id: program}, model=name, split="dev").wait(timeout=300)
            found[name] = (ended.items or ())[0].outcome
    return dict(found)


def echo() -> dict[str, object]:
    """An episode of the echo world, solved."""
    with heldout.Client(benchmark="drill-echo") as client:
        (episode,) = client.episodes(split="dev").all()
        with client.open_session(episode.id) as session:
            session.step("hello")
            session.step("finish[0]")
            verdict = session.judged()
            return {"outcome": verdict.outcome if verdict else None}


def machine() -> dict[str, object]:
    """A shell in a sandbox: what it sees of its task, of the network and of what is the service's."""
    look = "id -u; grep -c 'eth' /proc/net/dev; ls /data/secrets 2>/dev/null; find /srv -type f | wc -l"
    with heldout.Client(benchmark="live-os") as client:
        first = client.episodes(split="dev").first(1)[0]
        with client.open_session(first.id) as session:
            seen = session.step(f"Act: bash\n```bash\n{look}\n```")
            return {"saw": seen.observation.text}


def read(submission: str) -> dict[str, object]:
    """A submission that was graded before."""
    with heldout.Client(benchmark="smoke") as client:
        ended = client.submission(submission)
        return {"state": ended.state, "score": ended.score}


if __name__ == "__main__":
    print(json.dumps(globals()[sys.argv[1]](*sys.argv[2:])))
