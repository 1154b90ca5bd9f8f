"""AgentLab's own agent, with scripted replies, on an episode: run by its interpreter, with `heldout` installed there.

Arguments: the benchmark, the submission, the folder for its logs; standard input: a list of replies. Each is one of
BrowserGym's actions, where `<link 'X'>` stands for the number that the prompt shows for that link. The last line of the
output is AgentLab's summary of the run.
"""

import json
import re
import sys
from dataclasses import dataclass
from typing import Any

from agentlab.agents.dynamic_prompting import ActionFlags, ObsFlags
from agentlab.agents.generic_agent import GenericAgentArgs
from agentlab.agents.generic_agent.generic_agent_prompt import GenericPromptFlags
from agentlab.llm.base_api import AbstractChatModel, BaseModelArgs
from bgym import HighLevelActionSetArgs
from browsergym.experiments.loop import EnvArgs, ExpArgs

from heldout.harnesses import browsergym

REPLIES: list[str] = json.load(sys.stdin)


class Scripted(AbstractChatModel):
    """Says the next reply."""

    def __call__(self, messages: Any, **_: Any) -> dict[str, Any]:
        text = str(messages)
        action = REPLIES.pop(0)
        for place in re.findall(r"<(\w+ '[^']*')>", action):
            found = re.findall(rf"\[(\d+)\] {re.escape(place)}", text.replace("\\'", "'"))
            action = action.replace(f"<{place}>", found[-1] if found else "0")
        return {"role": "assistant", "content": f"<action>\n{action}\n</action>"}


@dataclass
class ScriptedArgs(BaseModelArgs):
    """Makes it."""

    def make_model(self) -> AbstractChatModel:
        return Scripted()


def main(benchmark: str, submission: str, folder: str) -> None:
    """Play the first episode."""
    name = browsergym.register(benchmark, submission=submission)[0]
    flags = GenericPromptFlags(
        obs=ObsFlags(use_ax_tree=True, use_html=False, use_screenshot=False),
        action=ActionFlags(action_set=HighLevelActionSetArgs(subsets=("bid", "nav", "tab", "chat", "infeas"))),
    )
    agent = GenericAgentArgs(chat_model_args=ScriptedArgs(model_name="gpt-4"), flags=flags)
    experiment = ExpArgs(agent_args=agent, env_args=EnvArgs(task_name=name, max_steps=10))
    experiment.prepare(folder)
    experiment.run()
    summary = json.loads((experiment.exp_dir / "summary_info.json").read_text())
    print(json.dumps({key: summary[key] for key in ("n_steps", "terminated", "truncated", "err_msg", "stack_trace")}))


if __name__ == "__main__":
    main(*sys.argv[1:])
