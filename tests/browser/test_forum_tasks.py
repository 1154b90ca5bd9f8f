"""Tasks on the forum and the tools: their oracles pass, and what is done besides or otherwise does not."""

import zlib
from collections.abc import AsyncIterator
from dataclasses import replace
from random import Random

import pytest
import pytest_asyncio

from api.admission import policies, simulation
from envs.browser import chromium
from envs.web_sites import generator, install, process
from envs.web_sites.generator import across
from envs.web_sites.generator import forum as finding
from envs.web_sites.generator import forum_write_tasks as write_tasks
from envs.web_sites.generator.forum_parts import click, fill, visit
from envs.web_sites.generator.parts import Content, Contents, Task, Template
from envs.web_sites.site import site
from grading.verdict import Outcome
from packs.problem import ReferenceLine
from tests.browser.site_play import SEED, ready

pytestmark = pytest.mark.browser
PLAYED: tuple[Template, ...] = (
    finding.open_private_topic,
    write_tasks.reply_to_topic,
    write_tasks.like_last_post,
    write_tasks.send_private_message,
    write_tasks.close_or_pin_topic,
    across.drop_a_note,
)


@pytest_asyncio.fixture(scope="module")
async def held(shared_browser: chromium.Chromium) -> AsyncIterator[Contents]:
    """Small content of the sites."""
    await ready("forum", "tools")
    places = {name: await install.template(site(name), SEED, "small") for name in ("forum", "tools")}
    yield {name: Content(name, place / "site.sqlite3") for name, place in places.items()}
    await process.shared().close()


def line(task: Task) -> ReferenceLine:
    """The task as a pack holds it, on small content."""
    episode = generator.episode(task, SEED)
    spec = episode.spec | {"size": "small", "timeout": 300.0}
    return ReferenceLine(
        id=f"task-{zlib.crc32(task.intent.encode())}",
        reference=generator.reference(task),
        episode=episode.model_copy(update={"spec": spec}),
        oracle=tuple({"text": text} for text in task.oracle),
    )


async def played(task: Task) -> simulation.Simulation:
    """The task's own oracle."""
    result = await simulation.simulate_episode(line(task), policies.gold(line(task)))
    assert result.error is None, result.error
    return result


@pytest.mark.parametrize("template", PLAYED, ids=lambda template: template.__name__)
async def test_an_oracle_passes(held: Contents, template: Template) -> None:
    result = await played(template(Random(template.__name__), held, 0))
    assert result.verdict.outcome is Outcome.CORRECT, (result.verdict.reason, result.verdict.detail)


async def test_a_deed_besides_the_one_asked_for_fails(held: Contents) -> None:
    task = write_tasks.reply_to_topic(Random(1), held, 0)
    post = held["forum"].rows("select max(id) as id from spirit_comment_comment where user_id <> :me", me=0)[0]["id"]
    like = (visit(f"/comment/like/{post}/create/"), click("button", "Like"))
    beside = replace(task, oracle=(*task.oracle[:-1], *like, task.oracle[-1]))
    assert (await played(beside)).verdict.outcome is Outcome.INCORRECT


@pytest.mark.parametrize("wrong", ["another text", ""])
async def test_another_text_or_none_fails(held: Contents, wrong: str) -> None:
    task = write_tasks.reply_to_topic(Random(1), held, 0)
    acts = (task.oracle[0], fill("Write comment...", wrong), click("button", "Publish"), "stop []")
    assert (await played(replace(task, oracle=acts))).verdict.outcome is Outcome.INCORRECT


async def test_a_right_message_to_two_members_fails(held: Contents) -> None:
    task = write_tasks.send_private_message(Random(2), held, 0)
    names = [row["nickname"] for row in held["forum"].named("members")]
    reader = next(text for text in task.oracle if "Invite users" in text).rsplit("[", 1)[1].rstrip("]")
    another = next(name for name in names if name != reader and name not in task.intent)
    acts = tuple(text.replace(f"[{reader}]", f"[{reader}, {another}]") for text in task.oracle)
    assert acts != task.oracle
    assert (await played(replace(task, oracle=acts))).verdict.outcome is Outcome.INCORRECT


def test_another_draw_gives_another_task(held: Contents) -> None:
    for template in (*finding.TEMPLATES, *write_tasks.TEMPLATES):
        tasks = [template(Random(number), held, 0) for number in range(6)]
        assert len({task.intent for task in tasks}) > 1, template.__name__
        assert template(Random(3), held, 0) == tasks[3]
