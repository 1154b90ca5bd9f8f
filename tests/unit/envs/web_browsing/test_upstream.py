"""The same questions and the same predictions as AgentBench's own code, over drawn pages and replies."""

import copy
import random
import re
from types import SimpleNamespace
from typing import Any

import lxml.etree
import pytest

from envs.base import Action, Probe
from envs.web_browsing import protocol
from envs.web_browsing.dom import TEXT, Page
from envs.web_browsing.environment import WebBrowsing
from envs.web_browsing.importers.upstream import read_prompt
from envs.web_browsing.spec import Words
from grading import Answer, Evidence, grade, parse_reference
from tests.support.agentbench import functions
from tests.unit.envs.web_browsing.pages import drawn

TRACK = "src/server/tasks/mind2web"
REPLIES = 1200
PROBE = Probe(name="prediction", type="prediction")
WORDS = Words(
    intro="Based on the HTML webpage above, try to complete the following task:",
    ask="What should be the next action? Please select from the following choices "
    "(If the correct action is not in the page above, please select A. 'None of the above'):",
    none="None of the above",
)


def theirs() -> SimpleNamespace:
    """Their track with a session whose replies are given, without their shuffling."""
    known: dict[str, Any] = {"re": re, "copy": copy, "etree": lxml.etree, "lxml": lxml}
    functions(
        f"{TRACK}/data_utils/dom_utils.py",
        ["get_descendants", "prune_tree", "get_attribute_repr", "get_tree_repr"],
        known,
    )
    functions(f"{TRACK}/dataloader.py", ["format_input_multichoice"], known)
    known |= dict.fromkeys(["SampleIndex", "Session", "TaskOutput", "List"], SimpleNamespace)
    known |= {"TaskSampleExecutionResult": SimpleNamespace, "staticmethod": lambda function: function}
    statuses = SimpleNamespace(COMPLETED="completed", AGENT_INVALID_ACTION="invalid_action", UNKNOWN="unknown")
    known |= {"SampleStatus": statuses, "AgentOutputStatus": SimpleNamespace(AGENT_CONTEXT_LIMIT="limit")}
    known |= {"random": SimpleNamespace(shuffle=lambda _: None)}
    names = ["fetch_data", "start_sample", "postprocess_action_llm", "calculate_f1"]
    found = functions(f"{TRACK}/task.py", names, known)
    return SimpleNamespace(**dict(zip(names, found, strict=True)))


async def play_theirs(upstream: SimpleNamespace, sample: dict[str, Any], replies: list[str]) -> tuple[list[str], Any]:
    """The questions they ask, and what they make of the replies."""
    asked: list[str] = []

    async def act(prompt: list[dict[str, str]]) -> SimpleNamespace:
        asked.append(prompt[-1]["content"])
        return SimpleNamespace(status="normal", content=replies[len(asked) - 1])

    track = SimpleNamespace(
        data=[(sample, None)],
        top_k=10,
        candidates_num=5,
        prompt_template=[{"content": ""}],
        postprocess_action_llm=upstream.postprocess_action_llm,
    )
    return asked, await upstream.start_sample(track, 0, SimpleNamespace(action=act, history=[]))


async def play_ours(spec: dict[str, Any], replies: list[str]) -> tuple[list[str], Any, Any]:
    """The same of ours: questions, evidence, how it ended."""
    world = WebBrowsing()
    seen = await world.reset(spec, 0)
    asked: list[str] = []
    finish = None
    for text in replies:
        turns: Any = seen.data.get("messages", [])
        asked += [turns[-1]["content"]] if turns else []
        result = await world.step(Action(text=text))
        seen, finish = result.observation, result.finish
        if finish is not None:
            break
    (evidence,) = await world.probe([PROBE])
    return asked, evidence.value, finish


def said(draw: random.Random) -> str:
    """A reply of any quality."""
    letter = draw.choice(["Answer: A.", "Answer: B.", "Answer: C", "Answer: D.\nAnswer: B.", "answer: E", "Answer:F"])
    letter = draw.choice([letter, letter, f"Answer: {draw.choice('BCDEFGab')}", "Answer: Because", ""])
    action = draw.choice(["Action: CLICK", "Action: TYPE", "Action: SELECT", "Action: HOVER", "action: click", ""])
    value = draw.choice(["", "Value: two  words ", "Value: ", "Value:x", "Value: first\nValue: second", "\tValue: a\r"])
    thought = draw.choice(["", "Thought: hm\n", "I take Answer: C. of Action: TYPE\n"])
    return draw.choice(["{0}{1}\n{2}\n{3}", "{0}{2} {1} {3}", " \n{1}{3}{2}"]).format(thought, letter, action, value)


async def test_questions_predictions_and_endings_are_theirs() -> None:
    upstream = theirs()
    heard, ends = 0, set()
    for number in range(10_000):
        draw = random.Random(number)
        text = drawn(draw)
        named = [node.id for node in Page(text).root.walk() if node.tag != TEXT and node.id != "0"]
        pool = draw.sample(named, min(draw.choice([1, 2, 6, 10, 10]), len(named)))
        previous = [f"[link]  {n} -> CLICK" for n in range(draw.choice([0, 1, 7]))]
        replies = [said(draw) for _ in range(12)]
        sample: dict[str, Any] = {"confirmed_task": "Do it", "cleaned_html": text, "previous_actions": previous}
        sample |= {"pos_ids": pool[:1], "neg_candidates": [{"backend_node_id": one, "rank": 1} for one in pool[1:]]}
        their_questions, result = await play_theirs(upstream, sample, replies)
        spec: dict[str, Any] = {
            "task": "Do it",
            "previous": previous,
            "page": Page(text).slim(pool),
            "candidates": pool,
        }
        spec |= {"protocol": "published", "words": WORDS.model_dump()}
        questions, evidence, finish = await play_ours(spec, replies)
        assert questions == their_questions
        assert finish == result.status
        element, action = result.result["final_prediction"]
        assert (evidence["element"] or "", evidence["action"]) == (element, action.strip())
        heard += len(their_questions)
        ends.add(result.status)
        if heard >= REPLIES:
            break
    assert heard >= REPLIES
    assert ends == {"completed", "invalid_action"}


def test_the_figures_are_theirs() -> None:
    upstream = theirs()
    draw = random.Random(5)
    words = ["CLICK", "TYPE", "SELECT", "two", "adults", "Two"]
    for _ in range(1000):
        given, wanted = (" ".join(draw.choices(words, k=draw.randint(0, 4))) for _ in range(2))
        reference = {"kind": "element_action", "elements": ["7"], "action": wanted, "metric": "operation"}
        evidence = Evidence(name="prediction", value={"element": "7", "action": given})
        verdict = grade(Answer(evidence=(evidence,)), parse_reference(reference))
        assert verdict.score == pytest.approx(float(upstream.calculate_f1(given, wanted)))
        assert verdict.detail["step"] == float(upstream.calculate_f1(given, wanted) >= 1)


def test_the_published_words_are_read_from_the_prompt(data: Any) -> None:
    words, shots = read_prompt(data / "agentbench/mind2web/llm_prompt_cot.json")
    assert words == WORDS
    assert [protocol.parse_published(turn).letter for turn in shots[1::2]] == ["C", "A", "D"]
