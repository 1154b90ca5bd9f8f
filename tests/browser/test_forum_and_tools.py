"""The forum and the tools in Chromium: pages open by themselves and read as they look; sessions stay apart."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import urlencode

import pytest

from envs.base import Action
from envs.browser.http1 import Request
from envs.web_sites.environment import WebSites
from envs.web_sites.instance import Instance
from tests.browser.conftest import EpisodeOpener
from tests.browser.site_play import act, instance, look_at, probed, rows

pytestmark = pytest.mark.browser
FORUM_PAGES = (
    ("visitor", ("/", "/category/", "{board}", "{topic}", "{poll}", "{member}", "/user/login/", "/user/register/")),
    (
        "member",
        (
            *("/", "{topic}", "/topic/publish/", "/topic/private/", "{message}", "/topic/private/publish/", "/user/"),
            *("/topic/notification/", "/topic/unread/", "/search/?q=the", "{member}", "/user/menu/"),
        ),
    ),
    ("moderator", ("{topic}", "{edit}", "{closing}", "{flag}")),
    ("administrator", ("/st/admin/", "/st/admin/comment/flag/", "/st/admin/category/", "/st/admin/config/")),
)
TOOLS_PAGES = ("/", "/calculator", "/calculator?sum=2%2B3", "/calculator?sum=2%2B", "/scratchpad", "/scratchpad/1")


def addresses(world: WebSites) -> dict[str, str]:
    """Pages whose numbers follow from the content."""
    rows = content(world)
    one = rows("select id, slug from spirit_topic_topic where category_id <> 1 and comment_count > 2 limit 1")[0]
    board = rows("select id, slug from spirit_category_category where parent_id is not null limit 1")[0]
    member = rows("select user_id, slug from spirit_user_userprofile where comment_count > 3 limit 1")[0]
    poll = rows(
        "select t.id, t.slug from spirit_topic_topic t join spirit_comment_comment c on c.topic_id = t.id "
        "join spirit_comment_poll_commentpoll p on p.comment_id = c.id limit 1"
    )[0]
    message = rows(
        "select t.id, t.slug from spirit_topic_topic t join spirit_topic_private_topicprivate p on p.topic_id = t.id "
        "join auth_user u on u.id = p.user_id where u.username = ? limit 1",
        username(world, "member"),
    )[0]
    comment = rows("select id from spirit_comment_comment where topic_id = ? limit 1", one[0])[0]
    return {
        "topic": "/topic/{}/{}/".format(*one),
        "board": "/category/{}/{}/".format(*board),
        "member": "/user/{}/{}/".format(*member),
        "poll": "/topic/{}/{}/".format(*poll),
        "message": "/topic/private/{}/{}/".format(*message),
        "edit": f"/topic/update/{one[0]}/",
        "closing": f"/topic/moderate/lock/{one[0]}/",
        "flag": f"/comment/flag/{comment[0]}/create/",
    }


def content(world: WebSites) -> Callable[..., list[Any]]:
    """Asks the forum's database."""
    return partial(rows, instance(world, "forum"))


def username(world: WebSites, role: str) -> str:
    """Who has a role."""
    return str(json.loads((instance(world, "forum").template / "roles.json").read_text())[role])


@pytest.mark.parametrize(("role", "pages"), FORUM_PAGES, ids=[role for role, _ in FORUM_PAGES])
async def test_every_page_of_the_forum_opens_by_itself_and_reads_as_it_looks(
    opened: EpisodeOpener, role: str, pages: tuple[str, ...]
) -> None:
    world = await opened("forum", signed_in={"forum": role}, characters=200_000)
    known = addresses(world)
    for page in pages:
        await look_at(world, "forum", page.format_map(known))
    assert world.session.gateway.refusals() == []


async def test_every_page_of_the_tools_opens_by_itself_and_reads_as_it_looks(opened: EpisodeOpener) -> None:
    world = await opened("tools", "forum")
    for page in TOOLS_PAGES:
        await look_at(world, "tools", page)
        assert await world.session.page.evaluate("() => document.querySelectorAll('meta[name=viewport]').length") == 1
    assert world.session.gateway.refusals() == []
    seen = await act(world, "click [{{element link 'Home'}}]", "click [{{element link 'A hobby forum'}}]")
    assert str(seen.observation.data["url"]).startswith(instance(world, "forum").address)


async def test_the_tools_do_what_they_say(opened: EpisodeOpener) -> None:
    world = await opened("tools", start=[{"site": "tools", "path": "/calculator"}])
    seen = await act(
        world, "fill [{{element textbox 'Sum'}}] [12.50 * (3 + 4)]", "click [{{element button 'Calculate'}}]"
    )
    assert "StaticText '87.5'" in seen.observation.text
    await act(
        world,
        "click [{{element link 'Scratchpad'}}]",
        "fill [{{element textbox 'Title'}}] [Sum]",
        "fill [{{element textbox 'Text'}}] [<b>87.5</b>]",
        "click [{{element button 'Save note'}}]",
        "click [{{element button 'Edit'}}]",
        "fill [{{element textbox 'Title'}}] [First]",
        "click [{{element button 'Save changes'}}]",
        "click [{{element button 'Delete' 2}}]",
    )
    (state,) = await probed(world, ("state", {"site": "tools"}))
    note = state["tables"]["note"]
    assert [(row["title"], row["text"]) for row in note["inserted"]] == [("Sum", "<b>87.5</b>")]
    assert [pair["after"]["title"] for pair in note["updated"]] == ["First"]
    assert [row["id"] for row in note["deleted"]] == [2]
    assert list(state["tables"]) == ["note"]


INJECTION = """<script>document.title = 'owned'</script><img src=x onerror="document.title = 'owned'">
<svg onload="document.title = 'owned'"></svg> [click](javascript:document.title='owned')
<h1>Another title</h1><div class="comment__text">a post that was never written</div>"""


async def test_what_is_written_into_a_post_is_text_to_everybody(opened: EpisodeOpener) -> None:
    world = await opened("forum", signed_in={"forum": "member"})
    topic = addresses(world)["topic"]
    before = content(world)("select count(*) from spirit_comment_comment where topic_id = ?", topic.split("/")[2])
    seen = await act(
        world,
        f"goto [{{{{site forum}}}}{topic}]",
        f"fill [{{{{element textbox 'Write comment...'}}}}] [{INJECTION}]",
        "click [{{element button 'Publish'}}]",
        f"goto [{{{{site forum}}}}{topic}]",
    )
    assert "owned" not in await world.session.page.title()
    assert "document.title" in seen.observation.text
    named = {"page": {"site": "forum"}, "locator": {"named": "posts", "values": {"topic": topic.split("/")[2]}}}
    title = {"page": {"site": "forum"}, "locator": {"named": "title", "values": {"topic": topic.split("/")[2]}}}
    whole = {"page": {"address": f"__FORUM__{topic}"}, "scripts": True, "locator": {"expression": "document.title"}}
    posts, heading, scripted = await probed(
        world, ("page_content", named), ("page_content", title), ("page_content", whole)
    )
    assert posts["content"].count("document.title") == 3
    assert "Another title" not in heading["content"]
    assert "owned" not in scripted["content"]
    counted = {"page": {"address": f"__FORUM__{topic}"}}
    counted["locator"] = {"expression": "document.querySelectorAll('.comment__text').length"}
    (posts,) = await probed(world, ("page_content", counted))
    assert int(posts["content"]) == before[0][0] + 1


async def test_cookies_and_hosts_of_one_session_say_nothing_in_another(opened: EpisodeOpener) -> None:
    mine = await opened("forum", signed_in={"forum": "visitor"}, session=1)
    other = await opened("forum", signed_in={"forum": "administrator"}, session=2)
    here, there = instance(mine, "forum"), instance(other, "forum")
    headers = {"cookie": await cookie(there)}
    assert "Log out" in await page(there, headers)
    assert "Log out" not in await page(here, headers)
    assert "Log out" not in await page(here, headers | {"x-heldout-session": there.name})
    result = await mine.step(Action(text=f"goto [{there.address}/]"))
    assert "not a site of this session" in str(result.error)


async def test_settings_of_one_session_do_not_show_in_another(opened: EpisodeOpener) -> None:
    worlds = [await opened("forum", session=number) for number in (1, 2)]
    sessions = [instance(world, "forum") for world in worlds]
    # Saved at the same moment of a clock that stands still, which is what the forum knows its settings by.
    for one, name in zip(sessions, ("Only here", "Only there"), strict=True):
        await rename(one, name)
    for _ in range(2):
        shown = [await page(one, {}) for one in sessions]
        assert ["Only here" in text for text in shown] == [True, False]
        assert ["Only there" in text for text in shown] == [False, True]


async def cookie(one: Instance) -> str:
    """The header of somebody signed in as administrator."""
    (made,) = await one.cookies("administrator")
    return f"{made['name']}={made['value']}"


async def page(one: Instance, headers: dict[str, str]) -> str:
    """The forum's front page."""
    return (await one(Request("GET", one.host, "/", headers=headers))).body.decode()


async def rename(one: Instance, name: str) -> None:
    """Give the forum another name, as its administrator."""
    signed_in, path = await cookie(one), "/st/admin/config/"
    form = await one(Request("GET", one.host, path, headers={"cookie": signed_in}))
    token = form.cookies[0].split(";")[0]
    fields = {"site_name": name, "comments_per_page": 20, "topics_per_page": 20}
    body = urlencode(fields | {"csrfmiddlewaretoken": token.partition("=")[2]}).encode()
    kind = {"cookie": f"{signed_in}; {token}", "content-type": "application/x-www-form-urlencoded"}
    assert (await one(Request("POST", one.host, path, headers=kind, body=body))).status == 302


async def test_another_page_cannot_write_on_the_scratchpad(opened: EpisodeOpener) -> None:
    world = await opened("tools")
    tools = instance(world, "tools")
    body = b"title=planted&text=by+another+page"
    kind = {"content-type": "application/x-www-form-urlencoded"}
    for told, status in (({"sec-fetch-site": "cross-site"}, 403), ({"sec-fetch-site": "same-origin"}, 303)):
        response = await tools(Request("POST", tools.host, "/scratchpad", headers=kind | told, body=body))
        assert response.status == status
    (state,) = await probed(world, ("state", {"site": "tools"}))
    assert len(state["tables"]["note"]["inserted"]) == 1
