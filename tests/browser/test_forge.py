"""The forge: pages read as they look, its repositories are git's, merges are real, nobody does what is not theirs."""

import hashlib
import shutil
import subprocess
import zlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from envs.web_sites.environment import WebSites
from envs.web_sites.instance import Instance
from envs.web_sites.site import site
from tests.browser.conftest import EpisodeOpener
from tests.browser.site_play import SEED, Visitor, act, instance, look_at, probed, ready, rows

pytestmark = pytest.mark.browser
PAGES = (
    *("/", "/explore/", "/search/?q=the", "/profile/", "/new/", "/developer/", "/{r}/", "/{r}/tree/main/src/"),
    *("/{r}/blob/main/settings.toml", "/{r}/edit/main/settings.toml", "/{r}/new/main/", "/{r}/commits/main"),
    *("/{r}/commit/{sha}", "/{r}/branches/", "/{r}/contributors/", "/{r}/issues/", "/{r}/issues/?state=closed"),
    *("/{r}/issues/1/", "/{r}/issues/new/", "/{r}/labels/", "/{r}/milestones/", "/{r}/merges/?state=all"),
    *("/{r}/merges/{open}/", "/{r}/merges/{stuck}/", "/{r}/merges/{merged}/", "/{r}/merges/new/", "/{r}/members/"),
    "/{r}/settings/",
)
FORM = "/profile/"
KINDS = {1: b"commit", 2: b"tree", 3: b"blob"}
SCRIPT = "<script>document.title = 'owned'</script><img src=x onerror=document.title='owned'>"


@pytest_asyncio.fixture
async def world(opened: EpisodeOpener) -> WebSites:
    return await opened("forge", signed_in={"forge": "developer"}, characters=400_000)


@pytest_asyncio.fixture
async def own(browser: None) -> AsyncIterator[Instance]:
    """A session's forge without a browser."""
    await ready("forge")
    one = await Instance.open(site("forge"), "forge-x.test", SEED, "small")
    yield one
    await one.close()


def named(one: Instance, number: int = 1) -> str:
    """A repository's address: the first is the developer's own, the second too and private, the fifth is another's."""
    sql = "select p.username || '/' || r.name from repository r join person p on p.id = r.owner_id where r.id = ?"
    return str(rows(one, sql, number)[0][0])


def merge_of(one: Instance, state: str, number: int = 1, last: bool = False) -> int:
    """The number of a merge request."""
    sql = "select number from merge_request where repository_id = ? and state = ? order by number"
    return int(rows(one, sql, number, state)[-1 if last else 0][0])


async def changed(one: Instance) -> set[str]:
    """The tables with changes."""
    return set((await one.state())["tables"])


async def test_every_page_opens_by_itself_and_reads_as_it_looks(world: WebSites) -> None:
    own = instance(world, "forge")
    values: dict[str, object] = {
        "r": named(own),
        "sha": rows(own, "select sha from commit_log where repository_id = 1 order by id")[3][0],
        "open": merge_of(own, "open"),
        "stuck": merge_of(own, "open", last=True),
        "merged": merge_of(own, "merged"),
    }
    for page in PAGES:
        await look_at(world, "forge", page.format_map(values))
    assert world.session.gateway.refusals() == []
    assert await probed(world, ("state", {"site": "forge"})) == [{"tables": {}}]


def exported(one: Instance, folder: Path) -> Path:
    """The first repository as git keeps it on a disk, with the objects of all."""
    place = folder / "bare.git"
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(place)], check=True)
    for sha, kind, data in rows(one, "select sha, kind, data from git_object"):
        whole = KINDS[kind] + b" %d\0" % len(data) + data
        assert hashlib.sha1(whole, usedforsecurity=False).hexdigest() == sha
        file = place / "objects" / sha[:2] / sha[2:]
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(zlib.compress(whole))
    for name, sha in rows(one, "select name, sha from branch where repository_id = 1"):
        (place / "refs" / "heads" / name).write_text(f"{sha}\n")
    return place


def git(place: Path, *arguments: str) -> str:
    """What git says of a repository."""
    done = subprocess.run(["git", "-C", str(place), *arguments], check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
async def test_repositories_are_gits_and_a_merge_is_what_git_makes(own: Instance, tmp_path: Path) -> None:
    developer, number = await Visitor.signed_in(own, FORM, "developer"), merge_of(own, "open")
    before = exported(own, tmp_path / "before")
    (source,) = rows(own, "select source from merge_request where repository_id = 1 and number = ?", number)[0]
    expected = git(before, "merge-tree", "--write-tree", "main", source)
    assert (await developer.post(f"/{named(own)}/merges/{number}/merge", {})).status == 303
    after = exported(own, tmp_path / "after")
    assert git(after, "fsck", "--strict", "--no-dangling") == ""
    assert git(after, "rev-parse", "main^{tree}") == expected
    assert git(after, "rev-parse", "main^1", "main^2").split() == git(before, "rev-parse", "main", source).split()
    assert await changed(own) == {"branch", "commit_log", "merge_request"}
    # What is merged is merged: not again, and not by closing it.
    assert (await developer.post(f"/{named(own)}/merges/{number}/merge", {})).status == 422
    assert (await developer.post(f"/{named(own)}/merges/{number}/close", {})).status == 422


async def test_a_conflict_is_not_merged(own: Instance) -> None:
    developer, number = await Visitor.signed_in(own, FORM, "developer"), merge_of(own, "open", last=True)
    assert (await developer.post(f"/{named(own)}/merges/{number}/merge", {})).status == 422
    assert await changed(own) == set()


PATHS = (
    *(".git/hooks/post-update", ".GIT/config", "src/.git/config", "git~1/config", "../../site.sqlite3", "a/../b"),
    *("/etc/passwd", "a//b", "a/./b", "a\\..\\b", "src", "README.md/x", "C:x", "x" * 201, "-/../x"),
)


@pytest.mark.parametrize("path", PATHS)
async def test_no_path_leaves_the_repository_or_reaches_gits_own_files(own: Instance, path: str) -> None:
    developer = await Visitor.signed_in(own, FORM, "developer")
    response = await developer.post(f"/{named(own)}/create/main", {"path": path, "text": "x", "message": "x"})
    assert response.status == 422
    assert await changed(own) == set()


async def test_a_hook_is_a_file_like_any_other_and_is_never_run(own: Instance) -> None:
    developer, number = await Visitor.signed_in(own, FORM, "developer"), merge_of(own, "open")
    mark = own.folder / "hook-was-here"
    for name in ("post-receive", "post-merge", "reference-transaction", "post-commit"):
        fields = {"path": f"hooks/{name}", "text": f"#!/bin/sh\ntouch {mark}", "message": "hook"}
        assert (await developer.post(f"/{named(own)}/create/main", fields)).status == 303
    assert (await developer.post(f"/{named(own)}/merges/{number}/merge", {})).status == 303
    # Repositories are rows: a session's folder holds its database, its uploads and the link to its template.
    assert sorted(file.name for file in own.folder.iterdir()) == ["media", "site.sqlite3", "template"]


@pytest.mark.parametrize("name", ["../main", "refs/heads/x", "a..b", "x.lock", "A B", "-x", "main", "HEAD", "x" * 70])
async def test_no_branch_has_a_name_that_git_does_not_take(own: Instance, name: str) -> None:
    developer = await Visitor.signed_in(own, FORM, "developer")
    assert (await developer.post(f"/{named(own)}/branches/", {"name": name, "start": "main"})).status == 422
    assert await changed(own) == set()


def not_theirs(one: Instance, number: int) -> list[tuple[str, dict[str, str]]]:
    """What somebody without a role cannot do in a repository."""
    path, merge = named(one, number), merge_of(one, "open", number)
    file = {"path": "x.txt", "text": "x", "message": "x"}
    settings = {"description": "mine", "visibility": "private", "default_branch": "main"}
    return [
        (f"/{path}/create/main", file),
        (f"/{path}/change/main", file | {"path": "README.md"}),
        (f"/{path}/delete/main", {"path": "README.md"}),
        (f"/{path}/branches/", {"name": "mine", "start": "main"}),
        (f"/{path}/branches/new-home/delete", {}),
        (f"/{path}/merges/{merge}/merge", {}),
        (f"/{path}/merges/{merge}/approve", {}),
        (f"/{path}/merges/{merge}/close", {}),
        (f"/{path}/merges/new/", {"source": "new-home", "target": "main", "title": "x"}),
        (f"/{path}/issues/{other_issue(one, number)}/sort", {}),
        (f"/{path}/issues/{other_issue(one, number)}/close", {}),
        (f"/{path}/labels/", {"name": "mine", "colour": "red"}),
        (f"/{path}/milestones/", {"title": "mine", "due": "2026-03-01"}),
        (f"/{path}/members/", {"username": "newcomer", "role": "maintainer"}),
        (f"/{path}/settings/", settings),
    ]


def other_issue(one: Instance, number: int) -> int:
    """An open issue that somebody else has opened."""
    sql = "select number from issue where repository_id = ? and state = 'open' and author_id > 2 order by number"
    return int(rows(one, sql, number)[0][0])


async def test_somebody_without_a_role_changes_nothing_and_sees_nothing_private(own: Instance) -> None:
    newcomer = await Visitor.signed_in(own, FORM, "newcomer")
    for path, fields in not_theirs(own, 1):
        assert (await newcomer.post(path, fields)).status == 403, path
    private = named(own, 2)
    for path in (f"/{private}/", f"/{private}/issues/1/", f"/{private}/blob/main/README.md"):
        assert (await newcomer.get(path)).status == 404
    for path, fields in not_theirs(own, 2):
        assert (await newcomer.post(path, fields)).status == 404, path
    assert (await newcomer.post(f"/{private}/star", {})).status == 404
    for path, query in (("/explore/", ""), ("/developer/", ""), ("/search/", "q=")):
        assert private.partition("/")[2] not in (await newcomer.get(path, query)).body.decode()
    assert await changed(own) == set()


async def test_roles_are_not_climbed(own: Instance) -> None:
    developer, newcomer = [await Visitor.signed_in(own, FORM, role) for role in ("developer", "newcomer")]
    # In the third repository a maintainer: no role as high as one's own, none taken from equals, nothing for oneself.
    third = named(own, 3)
    sql = """select p.username from member m join person p on p.id = m.person_id
    where m.repository_id = 3 and m.role = ? and p.id > 2"""
    equal, owner = rows(own, sql, "maintainer")[0][0], rows(own, sql, "owner")[0][0]
    for username, role, status in (
        ("newcomer", "maintainer", 403),
        ("newcomer", "owner", 422),
        (equal, "guest", 403),
        (owner, "none", 403),
        ("developer", "owner", 422),
        ("developer", "guest", 403),
    ):
        answer = await developer.post(f"/{third}/members/", {"username": username, "role": role})
        assert answer.status == status, (username, role)
    hidden = {"description": "x", "visibility": "private", "default_branch": "main"}
    assert (await developer.post(f"/{third}/settings/", hidden)).status == 403
    # In the fifth a developer: other branches, but neither the main one nor merges into it.
    fifth, file = named(own, 5), {"path": "x.txt", "text": "x", "message": "x"}
    assert (await developer.post(f"/{fifth}/create/main", file)).status == 403
    assert (await developer.post(f"/{fifth}/merges/{merge_of(own, 'open', 5)}/merge", {})).status == 403
    assert await changed(own) == set()
    assert (await developer.post(f"/{fifth}/create/new-home", file)).status == 303
    # Whoever is given a role has it at once, and loses it at once.
    first = named(own)
    assert (await developer.post(f"/{first}/members/", {"username": "newcomer", "role": "developer"})).status == 303
    assert (await newcomer.post(f"/{first}/create/new-home", file)).status == 303
    assert (await developer.post(f"/{first}/members/", {"username": "newcomer", "role": "none"})).status == 303
    assert (await newcomer.post(f"/{first}/delete/new-home", {"path": "x.txt"})).status == 403


async def test_what_is_written_is_text_to_everybody(world: WebSites) -> None:
    own = instance(world, "forge")
    first = named(own)
    await act(
        world,
        f"goto [{{{{site forge}}}}/{first}/issues/new/]",
        f"fill [{{{{element textbox 'Title'}}}}] [{SCRIPT}]",
        f"fill [{{{{element textbox 'Description'}}}}] [{SCRIPT}]",
        "click [{{element button 'Open issue'}}]",
        f"fill [{{{{element textbox 'Comment'}}}}] [{SCRIPT}]",
        "click [{{element button 'Comment'}}]",
        f"goto [{{{{site forge}}}}/{first}/edit/main/README.md]",
        f"fill [{{{{element textbox 'Text'}}}}] [{SCRIPT}]",
        f"fill [{{{{element textbox 'Commit message'}}}}] [{SCRIPT}]",
        "click [{{element button 'Commit'}}]",
    )
    number = rows(own, "select max(number) from issue where repository_id = 1")[0][0]
    number = max(number, rows(own, "select number from issue order by id desc")[0][0])
    for path in (f"/{first}/issues/{number}/", f"/{first}/issues/", f"/{first}/", f"/{first}/commits/main"):
        seen = await act(world, f"goto [{{{{site forge}}}}{path}]")
        assert await world.session.page.title() != "owned"
        assert "onerror" in seen.observation.text


README = """# Bread

Two *words*, `code` and [a page](/explore/).

| Flour | Grams |
| --- | --- |
| Rye | 300 |

[bad](javascript:alert(1)) ![picture](http://elsewhere.test/x.png)

<script>document.title = 'owned'</script>
"""


async def test_a_readme_is_shown_as_its_markdown_means_and_nothing_in_it_runs(own: Instance) -> None:
    first, developer = named(own), await Visitor.signed_in(own, FORM, "developer")
    fields = {"path": "README.md", "text": README, "message": "Say more"}
    assert (await developer.post(f"/{first}/change/main", fields)).status == 303
    page = (await developer.get(f"/{first}/")).body.decode()
    shown = page.partition('aria-label="README.md">')[2].partition("</section>")[0]
    for said in (
        "<h1>Bread</h1>",
        "<em>words</em>",
        '<a href="/explore/">a page</a>',
        "<td>Rye</td>",
        "&lt;script&gt;",
    ):
        assert said in shown
    for hostile in ("<script", "<img", 'href="javascript'):
        assert hostile not in shown
    # The file itself is shown as it was written.
    assert "# Bread" in (await developer.get(f"/{first}/blob/main/README.md")).body.decode()


async def test_the_search_finds_repositories_but_no_private_one_of_others(own: Instance) -> None:
    first, private = named(own), named(own, 2)
    developer, newcomer = [await Visitor.signed_in(own, FORM, role) for role in ("developer", "newcomer")]
    for who, path, found in ((newcomer, first, True), (developer, private, True), (newcomer, private, False)):
        for words in (path, path.partition("/")[2][:4]):
            page = (await who.get("/search/", f"q={words}")).body.decode()
            assert (f'<a href="/{path}/">{path}</a>' in page) is found, (path, words)


async def test_one_star_is_one_and_no_description_is_no_empty_box(own: Instance) -> None:
    developer, number = await Visitor.signed_in(own, FORM, "developer"), 2
    path = named(own, number)
    stars = len(rows(own, "select 1 from star where repository_id = ?", number))
    page = (await developer.get(f"/{path}/")).body.decode()
    assert f">{stars} {'star' if stars == 1 else 'stars'}<" in page
    form = {"title": "Nothing said", "body": ""}
    assert (await developer.post(f"/{path}/issues/new/", form)).status == 303
    made = rows(own, "select max(number) from issue where repository_id = ?", number)[0][0]
    seen = (await developer.get(f"/{path}/issues/{made}/")).body.decode()
    assert "No description." in seen
    assert 'class="panel text"></div>' not in seen
