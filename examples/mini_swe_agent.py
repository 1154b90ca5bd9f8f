"""mini-swe-agent on live-os: its loop and its model as they are, the episode's shell in place of its own environment.

Needs `heldout` and `mini-swe-agent`; the settings are those of react.py: python mini_swe_agent.py live-os
"""

import os
import sys
from typing import Any

from minisweagent.agents.default import DefaultAgent
from minisweagent.exceptions import LimitsExceeded, Submitted
from minisweagent.models.litellm_model import LitellmModel
from pydantic import BaseModel

import heldout as sdk
from heldout.evaluation import Reply, Task

DONE = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
SYSTEM = "You solve a problem on a Linux machine. Each reply calls the tool bash once."
INSTANCE = f"""{{{{task}}}}

When you are done, run: echo {DONE} && echo 'the answer'. Where no answer is asked for, leave the second echo out."""


class Empty(BaseModel):
    """mini-swe-agent records an environment's settings; an episode has none of its own."""


class Shell:
    """The episode's machine, as mini-swe-agent's environments are."""

    def __init__(self, session: sdk.Session) -> None:
        self.session, self.config = session, Empty()

    def execute(self, action: dict[str, Any], cwd: str = "") -> dict[str, Any]:
        """Run a command there; the marker's output ends the episode with the answer."""
        del cwd  # the shell is where the last command left it
        command = action.get("command", "")
        seen = self.session.step({"name": "bash_action", "arguments": {"script": command}})
        lines = seen.observation.text.splitlines()
        marked = next((number for number, line in enumerate(lines) if line.strip() == DONE), None)
        if marked is not None and not self.session.over:
            answer = "\n".join(lines[marked + 1 :]).strip()
            call = {"name": "answer_action", "arguments": {"answer": answer}} if answer else {"name": "finish_action"}
            self.session.step({"arguments": {}} | call)
            raise Submitted({"role": "exit", "content": answer, "extra": {"exit_status": "Submitted"}})
        if self.session.over:
            ended = {"exit_status": self.session.finish_reason or "over"}
            raise LimitsExceeded({"role": "exit", "content": "the episode is over", "extra": ended})
        return {"output": seen.observation.text, "returncode": 0, "exception_info": ""}

    def get_template_vars(self, **more: Any) -> dict[str, Any]:
        """Nothing that the templates below ask for."""
        return more

    def serialize(self) -> dict[str, Any]:
        """What the trajectory says of the environment."""
        return {"info": {"session": self.session.id}}


def play(task: Task) -> Reply:
    """One episode by mini-swe-agent's own loop."""
    assert task.session
    arguments = {"api_base": os.environ["MODEL_URL"], "api_key": os.environ.get("MODEL_KEY", "none")}
    name = f"openai/{os.environ.get('MODEL', 'm')}"
    model = LitellmModel(model_name=name, model_kwargs=arguments, cost_tracking="ignore_errors")
    agent = DefaultAgent(model, Shell(task.session), system_template=SYSTEM, instance_template=INSTANCE)
    agent.run(task.prompt)
    replies = [message["extra"]["response"] for message in agent.messages if "response" in message.get("extra", {})]
    return Reply(task.session.answer, sdk.Usage(tokens=sum(reply["usage"]["total_tokens"] for reply in replies)))


if __name__ == "__main__":
    outcome = sdk.evaluate(
        play, model="mini-swe-agent@2", benchmark=sys.argv[1], split="dev", out="results", progress=True
    )
    submission = outcome.submission
    print(submission.state, submission.score, dict(outcome.finish_reasons), dict(outcome.errors))
