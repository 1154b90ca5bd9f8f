"""The forge's content as templates draw from it (its history out of git's own objects), and what tasks on it leave."""

from collections import deque
from functools import partial
from random import Random
from typing import Any

from envs.web_sites.generator import parts
from envs.web_sites.generator.admin_parts import insert, update
from envs.web_sites.generator.forum_parts import visit
from envs.web_sites.generator.parts import Content, Contents, Row, Task, changes, ends_at

SITE = "forge"
DEVELOPER, NEWCOMER = {SITE: "developer"}, {SITE: "newcomer"}
ME = 1
WRITES = ("owner", "maintainer")


def forge(contents: Contents) -> Content:
    """The forge's content."""
    return contents[SITE]


def repositories(content: Content, *roles: str) -> list[Row]:
    """Repositories in which the developer has one of these roles; without roles all that everybody sees."""
    mine = {row["repository"]: row["role"] for row in content.named("members") if row["person"] == ME}
    rows = content.named("repositories")
    return [row for row in rows if (mine.get(row["id"]) in roles if roles else row["visibility"] == "public")]


def head(content: Content, repository: int, branch: str = "main") -> str:
    """The last commit of a branch."""
    sql = "select sha from branch where repository_id = :repository and name = :branch"
    return str(content.rows(sql, repository=repository, branch=branch)[0]["sha"])


def _object(content: Content, sha: str) -> bytes:
    return bytes(content.rows("select data from git_object where sha = :sha", sha=sha)[0]["data"])


def authors(content: Content, repository: int) -> list[str]:
    """Who wrote the commits that the main branch holds, one name a commit."""
    names: dict[str, str] = {}
    todo = deque([head(content, repository)])
    while todo:
        sha = todo.popleft()
        if sha not in names:
            lines = _object(content, sha).decode().partition("\n\n")[0].split("\n")
            names[sha] = next(line for line in lines if line.startswith("author "))[7:].rpartition(" <")[0]
            todo += [line[7:] for line in lines if line.startswith("parent ")]
    return list(names.values())


def text(content: Content, repository: int, path: str) -> str:
    """A file of the first folder of the main branch."""
    tree = _object(content, head(content, repository)).decode()[5:45]
    data, entries = _object(content, tree), dict[str, str]()
    while data:
        name, _, rest = data.partition(b"\0")
        entries[name.partition(b" ")[2].decode()] = rest[:20].hex()
        data = rest[20:]
    return _object(content, entries[path]).decode()


def issues(content: Content, repository: int, state: str = "open") -> list[Row]:
    """A repository's issues in a state."""
    return [row for row in content.named("issues") if (row["repository"], row["state"]) == (repository, state)]


def merges(content: Content, repository: int, state: str = "open") -> list[Row]:
    """A repository's merge requests in a state; the last open one cannot be merged."""
    return [row for row in content.named("merges") if (row["repository"], row["state"]) == (repository, state)]


def drawn(draw: Random, content: Content, *roles: str) -> Row:
    """A repository with such a role."""
    return draw.choice(repositories(content, *roles))


def go(path: str) -> str:
    """Open an address of the forge."""
    return visit(path, SITE)


def committed(content: Content, repository: int, branch: str = "main") -> tuple[dict[str, Any], dict[str, Any]]:
    """A branch has moved on by one noted commit."""
    sql = "select id from branch where repository_id = :repository and name = :branch"
    number = content.rows(sql, repository=repository, branch=branch)[0]["id"]
    log = insert("commit_log", repository_id=repository, branch=branch, person_id=ME)
    return update("branch", number, sha={"present": True}), log


asked = partial(parts.asked, SITE, signed_in=DEVELOPER)
"""A question to the forge, which stays as it is."""


def shown(intent: str, addresses: tuple[str, ...], oracle: tuple[str, ...]) -> Task:
    """A page to get to, at one of these addresses."""
    part, probe = ends_at(" |OR| ".join(f"__FORGE__{one}" for one in addresses))
    return Task(
        intent=intent,
        category="navigation",
        parts=(part, changes(SITE)),
        oracle=(*oracle, "stop []"),
        sites=(SITE,),
        signed_in=DEVELOPER,
        probes=(probe,),
    )


def done(intent: str, oracle: tuple[str, ...], *expected: dict[str, Any]) -> Task:
    """Something to change on the forge."""
    return Task(
        intent=intent,
        category="content",
        parts=(changes(SITE, *expected),),
        oracle=(*oracle, "stop []"),
        sites=(SITE,),
        signed_in=DEVELOPER,
    )
