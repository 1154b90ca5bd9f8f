"""WebArena's own agent loop on served episodes, from its checkout; `make test-webarena-loop` installs what it needs."""

import asyncio
import json
import os
import re
import shutil
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import heldout
from api.cli.baselines.throwaway import throwaway, unlimited
from envs import registry
from envs.web_sites import generator
from heldout.harnesses.webarena import call
from packs.read import read_pack
from tests.browser.site_play import ready
from tests.support.scratch import scratch

INTERPRETER = os.environ.get("HELDOUT_WEBARENA", "")
ROOT = Path(__file__).parents[2]
UPSTREAM = Path(os.environ.get("HELDOUT_TEST_UPSTREAM", ROOT.parent / "shared" / "upstream")) / "webarena"
KEYS = ["a", "b", "\n", "]"]
# One form, and two tabs of two sites.
PLAYED = {
    "demo-forms": (
        "opinion-2",
        [
            "You click on nothing: ```click [99999]```",
            "Negative. ```click [{radio 'negative'}]```",
            "```click [{button 'Submit'}]```",
        ],
    ),
    "demo-web": (
        "price-on-a-note-2",
        [
            "```tab_focus [1]```",
            "```click [{link 'Scratchpad'}]```",
            "```type [{textbox 'Title'}] [Price 72] [0]```",
            "```type [{textbox 'Text'}] [$66.44] [0]```",
            "```click [{button 'Save note'}]```",
            "```stop [done]```",
        ],
    ),
}


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        ({"action_type": 6, "element_id": "12"}, {"name": "click", "arguments": {"element": "12"}}),
        (
            {"action_type": 7, "element_id": "3", "text": [0, 3, 1, 2]},
            {"name": "type", "arguments": {"element": "3", "text": "a]b", "enter": True}},
        ),
        ({"action_type": 1, "direction": "up"}, {"name": "scroll", "arguments": {"direction": "up"}}),
        ({"action_type": 17, "answer": "a [b]"}, {"name": "stop", "arguments": {"answer": "a [b]"}}),
        ({"action_type": 0}, {"name": "noop", "arguments": {}}),
        ({"action_type": 6, "pw_code": "page.get_by_role('link').click()"}, "page.get_by_role('link').click()"),
    ],
)
def test_an_action_is_the_call_that_it_means(action: dict[str, object], expected: object) -> None:
    assert call(action, KEYS) == expected


class _Scripted(BaseHTTPRequestHandler):
    """Says the next action; what is in braces is the number that the last message shows for it."""

    left: list[str]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        said = self.left.pop(0)
        for place in re.findall(r"{(.*?)}", said):
            found = re.search(rf"\[(\d+)\] {re.escape(place)}", body["messages"][-1]["content"])
            said = said.replace(f"{{{place}}}", found[1] if found else "0")
        choice = {"index": 0, "message": {"role": "assistant", "content": said}, "finish_reason": "stop"}
        content = json.dumps({"id": "1", "object": "chat.completion", "created": 1, "choices": [choice]}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        pass


async def _loop(folder: Path, slug: str, variables: dict[str, str]) -> str:
    """Run it; what it wrote."""
    arguments = ["--instruction_path", "agent/prompts/jsons/p_direct_id_actree_2s.json", "--result_dir", "results"]
    process = await asyncio.create_subprocess_exec(
        INTERPRETER,
        "-m",
        "heldout.harnesses.webarena",
        slug,
        "--",
        *arguments,
        cwd=folder,
        env=os.environ | variables,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    out, _ = await process.communicate()
    assert process.returncode == 0, out.decode()[-3000:]
    return out.decode()


@pytest.mark.browser
@pytest.mark.timeout(600)
@pytest.mark.skipif(not INTERPRETER, reason="WebArena's packages are large: `make test-webarena-loop` installs them")
@pytest.mark.parametrize("name", PLAYED)
async def test_the_published_loop_plays_a_served_episode(has_chromium: None, tmp_path: Path, name: str) -> None:
    if name == "demo-web":
        await ready("shop", "tools", seed=generator.SEED, size="full")
    shutil.copytree(UPSTREAM, tmp_path / "webarena", copy_function=shutil.copyfile)
    whole, (task, actions) = read_pack(ROOT / "benchmarks" / name, registry), PLAYED[name]
    problems = tuple(problem for problem in whole.problems if problem.id == task)
    pack = replace(whole, problems=problems, references=(whole.reference_by_id[task],))
    _Scripted.left = list(actions)
    with ThreadingHTTPServer(("127.0.0.1", 0), _Scripted) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        async with throwaway(unlimited(pack), place=scratch()) as running:
            address = f"http://127.0.0.1:{running.instance.port}"
            variables = {"OPENAI_API_BASE": f"http://127.0.0.1:{server.server_port}/v1", "OPENAI_API_KEY": "x"}
            variables |= {
                "HELDOUT_BASE_URL": address,
                "HELDOUT_API_KEY": running.key,
                "PYTHONPATH": str(ROOT / "sdk/src"),
            }
            out = await _loop(tmp_path / "webarena", running.slug, variables)
            async with heldout.AsyncClient(api_key=running.key, base_url=address, benchmark=running.slug) as client:
                made = await client.submission(out.split()[-1])
        server.shutdown()
    assert (made.state, made.score) == ("graded", 1.0), out[-3000:]
    assert _Scripted.left == []
