"""The same steps by BrowserGym, in its own environment: one JSON object in, one out. Nothing of ours is imported.

In: `executable`, `proxy`, `storage_state`, `rounds`, and `steps`, each `{"goto": url}`, `{"scroll": pixels}` or
`{"click": name of a link}`. Out: `{"steps", "cpu", "wall", "failed", "version"}`, the processor time
of its processes and how many of its actions ran into its limit of half a second (they are done all the same).
"""

import importlib.metadata
import json
import sys
import time
from typing import Any

from browsergym.core.action.highlevel import HighLevelActionSet
from browsergym.core.env import BrowserEnv
from browsergym.core.task import OpenEndedTask
from browsergym.utils.obs import flatten_axtree_to_str
from playwright.sync_api import BrowserType

from tools.bench_web.processes import Family


def link(shown: dict[str, Any], name: str) -> str:
    """The number of the link of this name in the tree that was shown last."""
    for node in shown["axtree_object"]["nodes"]:
        if node["role"]["value"] == "link" and node["name"]["value"] == name and "browsergym_id" in node:
            return str(node["browsergym_id"])
    raise SystemExit(f"BrowserGym shows no link {name!r}")


def written(step: dict[str, Any], shown: dict[str, Any]) -> str:
    """The step as one of its actions."""
    if "goto" in step:
        return f"goto({step['goto']!r})"
    return f"scroll(0, {step['scroll']})" if "scroll" in step else f"click({link(shown, step['click'])!r})"


def _start_with(executable: str) -> None:
    """Have every browser be this one: its window for the chat cannot be told which."""
    launch = BrowserType.launch

    def started(kind: BrowserType, **options: Any) -> Any:
        return launch(kind, executable_path=executable, **options)

    BrowserType.launch = started  # type: ignore[method-assign, assignment]


def main() -> None:
    """Walk once to warm up, then `rounds` times."""
    given = json.load(sys.stdin)
    _start_with(given["executable"])
    env = BrowserEnv(
        task_entrypoint=OpenEndedTask,
        task_kwargs={"start_url": given["steps"][0]["goto"]},
        headless=True,
        slow_mo=0,
        pre_observation_delay=0.0,
        pw_chromium_kwargs={"proxy": {"server": given["proxy"]}},
        pw_context_kwargs={"storage_state": given["storage_state"]},
        action_mapping=HighLevelActionSet(["bid", "nav", "coord"]).to_python_code,
    )
    shown, _ = env.reset()
    family = Family()
    spent, walled, failed = 0, 0.0, 0
    for number in range(given["rounds"] + 1):
        family.look()
        before, begun = sum(family.microseconds().values()), time.perf_counter()
        for step in given["steps"]:
            shown, *_ = env.step(written(step, shown))
            failed += number > 0 and bool(shown["last_action_error"])
            # What its agents read.
            flatten_axtree_to_str(shown["axtree_object"], extra_properties=shown["extra_element_properties"])
        family.look()
        if number:
            spent += sum(family.microseconds().values()) - before
            walled += time.perf_counter() - begun
    env.close()
    version = importlib.metadata.version("browsergym-core")
    print(
        json.dumps(
            {
                "steps": given["rounds"] * len(given["steps"]),
                "cpu": spent / 1e6,
                "wall": walled,
                "failed": failed,
                "version": version,
            }
        )
    )


main()
