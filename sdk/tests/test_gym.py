"""The Gymnasium adapter over a scripted service, and BrowserGym's action strings."""

import base64
import io
import json
import math
import warnings
from typing import Any

import httpx2
import numpy as np
import pytest
from PIL import Image

from heldout import Action
from heldout.browsergym import NotTranslatedError, translate
from heldout.errors import Invalid
from heldout.gym import EpisodeEnv
from heldout.harnesses.webarena import Environment
from sdk.tests.scripted import Scripted

STATUS: dict[str, Any] = {
    "id": "ses_1",
    "problem": "p",
    "benchmark": "demo",
    "split": "dev",
    "state": "running",
    "instruction": "Do it.",
    "observation": {"text": "first"},
}


@pytest.mark.parametrize(
    ("text", "name", "arguments"),
    [
        ("click('12')", "click", {"element": "12"}),
        ("fill('12', 'a, \\'b\\' (c)')", "fill", {"element": "12", "text": "a, 'b' (c)"}),
        ("select_option('7', ['Red', 'Blue'])", "select_option", {"element": "7", "option": "Red|Blue"}),
        ("scroll(0, -200)", "scroll", {"direction": "up"}),
        ("scroll(delta_x=90, delta_y=0)", "scroll", {"direction": "right"}),
        ("mouse_drag_and_drop(1, 2, 3, 4)", "mouse_drag", {"x": 1, "y": 2, "to_x": 3, "to_y": 4}),
        ("tab_focus(2)", "tab_focus", {"index": 2}),
        ("noop(500)", "noop", {}),
        ("send_msg_to_user('42')", "stop", {"answer": "42"}),
        ("report_infeasible('no such product')", "stop", {"answer": "N/A"}),
    ],
)
def test_a_call_is_translated(text: str, name: str, arguments: dict[str, Any]) -> None:
    assert translate(text) == Action(tool={"name": name, "arguments": arguments})


@pytest.mark.parametrize(
    "text",
    [
        "click [12]",
        "click(12",
        "click()",
        "click('1', '2', '3', '4')",
        "click('1', button='right')",
        "dance('1')",
        "fill('1', __import__('os').system('id'))",
        "fill('1', 'a' * 9**9)",
        "page.click('1')",
        "click('1'); click('2')",
        "click(**{'bid': '1'})",
        "(" * 5000,
        "fill('1', open('/etc/passwd').read())",
    ],
)
def test_what_is_no_single_plain_call_is_refused(text: str) -> None:
    with pytest.raises(NotTranslatedError):
        translate(text)


def test_an_escape_that_python_warns_of_stands_as_it_is() -> None:
    with warnings.catch_warnings(action="error"):
        assert translate(r"fill('1', '\d')") == translate(r"fill('1', '\\d')")


def png(shade: int) -> str:
    out = io.BytesIO()
    Image.new("RGB", (1280, 720), (shade, shade, shade)).save(out, "PNG")
    return base64.b64encode(out.getvalue()).decode()


def served(service: Scripted, finish: str, verdict: dict[str, Any] | None) -> None:
    """One episode of one step that ends in this way."""
    service.first("POST", "/v1/sessions", lambda _: httpx2.Response(201, json=STATUS))
    step = {
        "session": "ses_1",
        "number": 1,
        "observation": {"text": "second"},
        "finish_reason": finish,
        "answer": None,
        "error": None,
        "steps_left": 0,
        "deadline": None,
    }
    service.first("POST", "/v1/sessions/ses_1/steps", lambda _: httpx2.Response(200, json=step))
    ended = STATUS | {"state": "ended", "finish_reason": finish}
    last = STATUS | {"state": "graded", "finish_reason": finish, "verdict": verdict}
    service.first("GET", "/v1/sessions/ses_1", *(lambda _, s=s: httpx2.Response(200, json=s) for s in (ended, last)))


def test_an_episode_is_reset_stepped_and_rewarded(service: Scripted) -> None:
    served(service, "completed", {"score": 0.75, "outcome": "partial", "reason": "", "grader": "form"})
    env = EpisodeEnv(service.client(), ["p"], actions="browsergym")
    seen, info = env.reset(seed=3)
    assert (seen, info["instruction"]) == ({"text": "first"}, "Do it.")
    assert seen in env.observation_space
    assert env.action_space.sample() in env.action_space
    told, reward, terminated, truncated, more = env.step("click('12')")
    assert (told["text"], reward, terminated, truncated, more["scored"]) == ("second", 0.75, True, False, True)
    sent = service.sent("POST", "/v1/sessions/ses_1/steps")[0]
    assert json.loads(sent.content)["action"] == {"tool": {"name": "click", "arguments": {"element": "12"}}}
    env.close()
    with pytest.raises(RuntimeError, match="reset"):
        env.step("noop()")


def test_an_end_by_a_limit_is_a_truncation_and_a_hidden_verdict_no_reward(service: Scripted) -> None:
    served(service, "task_limit", None)
    env = EpisodeEnv(service.client(), ["p"], actions="browsergym")
    env.reset()
    _, reward, terminated, truncated, info = env.step("no call at all")
    assert (reward, terminated, truncated, info["scored"]) == (0.0, False, True, False)
    sent = service.sent("POST", "/v1/sessions/ses_1/steps")[0]
    assert json.loads(sent.content)["action"] == {"text": "no call at all"}


def test_screenshots_are_pixels(service: Scripted) -> None:
    service.first("POST", "/v1/sessions", lambda _: httpx2.Response(201, json=STATUS))
    shots = [{"text": "", "images": {"screenshot": png(shade)}} for shade in (9, 200)]
    service.first("POST", "/v1/sessions/ses_1/observe", *(lambda _, s=s: httpx2.Response(200, json=s) for s in shots))
    env = EpisodeEnv(service.client(), ["p"], screenshot=True)
    seen, _ = env.reset()
    assert seen in env.observation_space
    assert seen["screenshot"].shape == (720, 1280, 3)
    assert np.all(seen["screenshot"] == 9)
    assert np.all(env.render() == 200)


RIGHT = {"score": 1.0, "outcome": "correct", "reason": "", "grader": "form"}
UNSCORED = {"score": None, "outcome": "unscored", "reason": "a fault", "grader": "form"}


@pytest.mark.parametrize(("verdict", "score"), [(RIGHT, 1.0), (UNSCORED, math.nan), (None, math.nan)])
def test_webarenas_loop_waits_for_the_verdict_and_counts_none_as_no_failure(
    service: Scripted, verdict: dict[str, Any] | None, score: float
) -> None:
    served(service, "completed", verdict)
    environment = Environment(service.client(), "sub_1", "")
    environment.session = service.client().open_session("p")
    stop = {"action_type": 17, "answer": "42"}
    assert environment.evaluated("0.json")([{}, stop]) == pytest.approx(score, nan_ok=True)
    assert len(service.pauses) == 1, "it was asked once before there was a verdict"


def test_a_verdict_that_is_late_is_an_error_and_one_before_the_end_is_refused(service: Scripted) -> None:
    served(service, "completed", RIGHT)
    session = service.client().open_session("p")
    with pytest.raises(Invalid, match="still running"):
        session.judged()
    session.step("finish")
    with pytest.raises(TimeoutError, match="not judged"):
        session.judged(timeout=0.0)
    verdict = session.judged()
    assert verdict is not None
    assert (verdict.score, session.status.state) == (1.0, "graded")


async def test_the_asynchronous_session_waits_alike(service: Scripted) -> None:
    served(service, "completed", RIGHT)
    async with service.async_client() as client:
        session = await client.open_session("p")
        await session.step("finish")
        verdict = await session.judged()
    assert verdict is not None
    assert verdict.score == 1.0
