"""What some write and others read: cards, names, trajectories that were edited or are somebody else's."""

import dataclasses
import re
from html.parser import HTMLParser
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.accounts.models import MemberRole
from api.core.settings import Settings
from api.hosting.server import Host
from api.web.markdown import render
from tests.support.service import Service, choice_pack
from tests.support.sessions import Player, echo_pack
from tests.support.sql import sql
from tests.support.visitor import enter

CARDS = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[a](javascript:alert(1))",
    "[a](JaVaScRiPt&colon;alert(1))",
    "[a](java&#10;script:alert(1))",
    "[a](data:text/html;base64,PHNjcmlwdD4=)",
    "[a](vbscript:x)",
    '[a](https://e.example "onmouseover=alert(1)")',
    "![a](https://tracker.example/pixel.png)",
    "<iframe src=//e.example></iframe>",
    "<a href=x style=position:fixed;inset:0>cover</a>",
    "<svg/onload=alert(1)>",
    "<form action=//e.example><input name=csrf></form>",
    "<base href=//e.example>",
    "<meta http-equiv=refresh content=0;url=//e.example>",
    "</section></main><h1>Forged</h1>",
    "<!--><script>alert(1)</script-->",
    "<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "`</code><script>`",
    "$\\href{javascript:alert(1)}{x}$",
    "[ref]: javascript:alert(1)\n[ref]",
    "<http://e.example/onclick=alert(1)>",
    "{{ 7 * 7 }}{% for x in ().__class__.__base__.__subclasses__() %}{% endfor %}",
    "\u202e<b>x</b>",
)
_ALLOWED = {"p", "em", "strong", "code", "pre", "blockquote", "a", "br", "hr", "ul", "ol", "li"}
_ALLOWED |= {"h1", "h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td"}


class _Reader(HTMLParser):
    """Notes every tag with its attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def _harmless(html: str) -> None:
    for tag, attributes in _Reader(html).tags:
        assert tag in _ALLOWED, html
        assert set(attributes) <= {"href", "rel", "title"}, html
        href = attributes.get("href")
        assert href is None or not re.match(r"\s*[a-z]+\s*:", href, re.IGNORECASE) or href.startswith("http"), html


@pytest.mark.parametrize("card", CARDS)
def test_a_card_runs_loads_and_covers_nothing(card: str) -> None:
    _harmless(render(card))
    _harmless(render(f"# Title\n\n{card}\n\n| a | b |\n| - | - |\n| {card} | x |"))


@given(st.lists(st.sampled_from([*CARDS, "<", ">", '"', "`", "\n", "(", "]", "&#x3c;", "\\"]), max_size=8))
def test_no_mixture_of_them_does_either(parts: list[str]) -> None:
    _harmless(render("".join(parts)))


async def test_pages_with_hostile_cards_and_names_hold_no_script_but_ours(service: Service) -> None:
    pack = choice_pack()
    hostile = "\n\n".join(CARDS)
    head = pack.benchmark.model_copy(
        update={"card": hostile, "title": "<b onclick=alert(1)>T", "summary": "</p><script>alert(1)</script>"}
    )
    await service.publish(dataclasses.replace(pack, benchmark=head))
    ada = await service.reader()
    problems = await ada.problems("quiz", "dev")
    model = {"name": "<script>alert(1)</script>", "organisation": "'\"><img src=x onerror=alert(1)>"}
    model |= {"version": "{{7*7}}", "url": "https://e.example/?\"onmouseover='alert(1)"}
    body = {"benchmark": "quiz", "split": "dev", "model": model}
    items = [{"problem": problem["id"], "answer": "A"} for problem in problems]
    made = await ada.post("/v1/submissions", json=body | {"items": items})
    assert made.status_code == 202
    await service.work()
    run = f"/s/{made.json()['id']}"
    of_run = (run, "/o/lab", f"/m/lab/{quote(model['name'])}", "/b/quiz/problems/dev/1", "/b/quiz/problems")
    reviewer = await enter(service, "one@example.org", "owners", role=MemberRole.MEMBER)
    for path in ("/", "/b/quiz?split=dev", "/b/quiz?split=test", "/review/quiz", *of_run):
        page = await (reviewer if path.startswith("/review") else service.client).get(path)
        assert page.status_code == 200
        for tag, attributes in _Reader(page.text).tags:
            assert not any(name.startswith("on") for name in attributes), (path, tag)
            assert tag not in ("iframe", "object", "embed", "base", "img"), (path, tag)
            source = str(attributes.get("src") or "/static/")
            assert tag != "script" or source.startswith("/static/"), (path, attributes)
            assert not str(attributes.get("href") or "").lower().startswith(("javascript", "data", "vbscript"))
        assert "script-src 'self'" in page.headers["Content-Security-Policy"]
        # Written as it came, not worked out.
        assert ("{{7*7}}" in page.text) is (path in ("/b/quiz?split=dev", run)), path


FORGED: list[Any] = [
    [
        {
            "action": {"text": "hello"},
            "observation": {"text": "you have solved it"},
            "finish_reason": "completed",
            "score": 1,
        }
    ],
    [{"text": "hello"}, {"verdict": "correct", "score": 1.0, "finish_reason": "completed", "text": "done"}],
    [{"text": "finish[2]"}, {"text": "finish[1]"}],
    [{"text": "finish[1]", "state": {"solved": True}, "evidence": {"log": ["finish[3]"]}}],
    [{"tool": {"name": "finish", "arguments": {"answer": "9", "score": 1}}}],
    [{"tool": {"name": "__class__", "arguments": {}}}, {"tool": {"name": "finish", "arguments": {"answer": ["0"]}}}],
    [{}] * 500,
    [{"number": -1, "text": "hello"}, {"number": 99, "text": "finish[8]"}],
]


async def test_what_a_trajectory_claims_counts_for_nothing(settings: Settings, service: Service) -> None:
    """Only its actions are played: observations, scores, ends and evidence in it are nobody's word."""
    await service.publish(echo_pack(count=len(FORGED)))
    player = Player(await service.reader())
    async with Host.running(settings):
        problems = await player.episodes()
        items = [{"problem": p, "trajectory": t} for p, t in zip(problems, FORGED, strict=True)]
        body = {"benchmark": "parrot", "split": "dev", "model": {"name": "m"}, "items": items}
        done = await player.caller.post("/v1/submissions", json=body)
        assert done.status_code == 202, done.text
        for _ in range(3):
            await service.work()
        told = (await player.caller.get(done.headers["location"])).json()
    assert told["state"] == "graded"
    assert [item["score"] for item in told["items"]] == [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    async with service.admin.session() as session:
        said = (await sql(session, "select observation->>'text' from session_step")).scalars().all()
    assert "you have solved it" not in said


async def test_somebody_elses_trajectory_and_session_are_nobodys_here(settings: Settings, service: Service) -> None:
    """Its ids mean nothing to another organisation; its actions are played in the copy that one was given."""
    await service.publish(echo_pack())
    ada = Player(await service.reader())
    eve = Player(await service.reader("eve@example.org", "other"))
    async with Host.running(settings):
        mine, hers = await ada.episodes("test"), await eve.episodes("test")
        assert not set(mine) & set(hers), "ids are an organisation's own"
        session = (await ada.opened(mine[0]))["id"]
        await ada.said(session, 1, "hello")
        body = {"benchmark": "parrot", "split": "test", "model": {"name": "m"}}
        stolen = [{"problem": mine[0], "trajectory": [{"text": "hello"}]}]
        refused = await eve.caller.post("/v1/submissions", json=body | {"items": stolen})
        assert (refused.status_code, refused.json()["code"]) == (409, "unknown_problem")
        run = (await ada.caller.post("/v1/submissions", json=body | {"finalize": False})).json()["id"]
        for method, path, sent in (
            ("GET", f"/v1/sessions/{session}", None),
            ("POST", f"/v1/sessions/{session}/steps", {"number": 2, "action": {"text": "finish[0]"}}),
            ("POST", f"/v1/sessions/{session}/finish", {"answer": "0"}),
            ("DELETE", f"/v1/sessions/{session}", None),
            ("GET", f"/v1/submissions/{run}", None),
            ("POST", f"/v1/submissions/{run}/items", {"items": [{"problem": hers[0], "trajectory": [{"text": "x"}]}]}),
            ("POST", f"/v1/submissions/{run}/finalize", None),
        ):
            response = await eve.caller.call(method, path, json=sent)
            assert response.status_code == 404, (method, path, response.text)
        joined = await eve.open(hers[0], submission=run)
        assert joined.status_code in (404, 409, 422), joined.text
        assert (await ada.said(session, 2, "finish[0]"))["finish_reason"] == "completed"
