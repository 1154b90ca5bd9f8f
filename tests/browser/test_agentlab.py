"""AgentLab's own agent on served episodes, by its released packages; `make test-agentlab` installs and runs them."""

import asyncio
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import heldout
from api.cli.baselines.throwaway import throwaway, unlimited
from envs import registry
from envs.web_sites import generator
from heldout.harnesses.browsergym import tree
from packs.pack import Pack
from packs.read import read_pack
from tests.browser.site_play import ready
from tests.support.scratch import scratch

INTERPRETER = os.environ.get("HELDOUT_AGENTLAB", "")
ROOT = Path(__file__).parents[2]
SEEN = """Tab 0 (current): Shop
Address: http://shop.test/

[1] RootWebArea 'Shop' focused: True
\t[4] link "Kim's \\"best\\""
\t[-] combobox 'Sort by' value: 'Price: low' hasPopup: menu expanded: False options: ['Price: low', 'Name']
\t\t[9] textbox 'Search' focused: True required: False
[cut: 3 of 9 lines are not shown]"""


def test_an_observation_becomes_browsergyms_tree() -> None:
    root, link, box, field = tree(SEEN)
    assert [node["role"]["value"] for node in (root, link, box, field)] == [
        "RootWebArea",
        "link",
        "combobox",
        "textbox",
    ]
    assert (root["childIds"], box["childIds"]) == ([link["nodeId"], box["nodeId"]], [field["nodeId"]])
    assert (link["name"]["value"], link["browsergym_id"]) == ('Kim\'s "best"', "4")
    assert "browsergym_id" not in box
    assert box["value"] == {"value": "Price: low"}
    said = {item["name"]: item["value"]["value"] for item in box["properties"]}
    assert said == {"hasPopup": "menu", "expanded": False, "options": "['Price: low', 'Name']"}
    assert {item["name"]: item["value"]["value"] for item in field["properties"]} == {
        "focused": True,
        "required": False,
    }


def test_an_empty_page_has_a_root() -> None:
    assert [node["role"]["value"] for node in tree("A dialog is open")] == ["RootWebArea"]


async def _agent(folder: Path, pack: Pack, replies: list[str]) -> tuple[dict[str, Any], heldout.SubmissionStatus]:
    """AgentLab's summary, and the submission."""
    async with throwaway(unlimited(pack), place=scratch()) as running:
        address = f"http://127.0.0.1:{running.instance.port}"
        async with heldout.AsyncClient(api_key=running.key, base_url=address, benchmark=running.slug) as client:
            made = await client.submit({}, model="scripted", split="test", finalize=False)
            script, said = str(ROOT / "tests/support/agentlab_agent.py"), json.dumps(replies).encode()
            variables = {
                "HELDOUT_BASE_URL": address,
                "HELDOUT_API_KEY": running.key,
                "PYTHONPATH": str(ROOT / "sdk/src"),
            }
            process = await asyncio.create_subprocess_exec(
                INTERPRETER,
                script,
                running.slug,
                made.id,
                str(folder),
                cwd=folder,
                env=os.environ | variables,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
            )
            out, _ = await process.communicate(said)
            assert process.returncode == 0
            made = await client.submission(made.id)
            return json.loads(out.splitlines()[-1]), await (await made.finalize()).wait()


# One form, and two tabs of two sites.
PLAYED = {
    "demo-forms": ("opinion-2", ["click('0')", "click('<radio 'negative'>')", "click('<button 'Submit'>')"]),
    "demo-web": (
        "price-on-a-note-2",
        [
            "tab_focus(1)",
            "click('<link 'Scratchpad'>')",
            "fill('<textbox 'Title'>', 'Price 72')",
            "fill('<textbox 'Text'>', '$66.44')",
            "click('<button 'Save note'>')",
            "send_msg_to_user('Done.')",
        ],
    ),
}


@pytest.mark.browser
@pytest.mark.timeout(600)
@pytest.mark.skipif(not INTERPRETER, reason="AgentLab is large: `make test-agentlab` installs it")
@pytest.mark.parametrize("name", PLAYED)
async def test_agentlabs_agent_plays_unchanged(has_chromium: None, tmp_path: Path, name: str) -> None:
    if name == "demo-web":
        await ready("shop", "tools", seed=generator.SEED, size="full")
    whole, (task, replies) = read_pack(ROOT / "benchmarks" / name, registry), PLAYED[name]
    one = replace(
        whole,
        problems=tuple(problem for problem in whole.problems if problem.id == task),
        references=(whole.reference_by_id[task],),
    )
    summary, made = await _agent(tmp_path, one, replies)
    ended = {"terminated": True, "truncated": False, "err_msg": None, "stack_trace": None}
    assert summary == {"n_steps": len(replies)} | ended
    assert (made.state, made.score) == ("graded", 1.0)
