"""ReAct in 40 lines: think, act and observe until the episode ends. Needs `heldout`, and an OpenAI-compatible endpoint.

HELDOUT_BASE_URL=... HELDOUT_API_KEY=... MODEL_URL=https://models.example/v1 MODEL_KEY=... python react.py live-os
"""

import os
import sys

import httpx2

import heldout as sdk
from heldout.evaluation import Reply, Task

endpoint = httpx2.Client(timeout=600, headers={"authorization": f"Bearer {os.environ.get('MODEL_KEY', '')}"})


def ask(messages: list[dict[str, str]]) -> tuple[str, int]:
    """What the model says next, and the tokens that it cost."""
    body = {"model": os.environ.get("MODEL", "m"), "messages": messages}
    reply = endpoint.post(f"{os.environ['MODEL_URL']}/chat/completions", json=body)
    reply.raise_for_status()
    return reply.json()["choices"][0]["message"]["content"], reply.json()["usage"]["total_tokens"]


def react(task: Task) -> Reply:
    """The instruction says how to think and how to act; the world reads each reply and shows what came of it."""
    messages, tokens = [{"role": "user", "content": task.prompt}], 0
    while task.session and not task.session.over:
        said, used = ask(messages)
        tokens += used
        seen = task.session.step(said).observation
        messages += [{"role": "assistant", "content": said}, {"role": "user", "content": seen.text}]
    return Reply(task.session.answer if task.session else None, sdk.Usage(tokens=tokens))


if __name__ == "__main__":
    outcome = sdk.evaluate(react, model="react@1", benchmark=sys.argv[1], split="dev", out="results", progress=True)
    submission = outcome.submission
    print(submission.state, submission.score, dict(outcome.finish_reasons), dict(outcome.errors))
