"""Files, commits and branches of repositories, and changing files in the browser."""

import datetime
from typing import Any

from markdown_it import MarkdownIt
from markupsafe import Markup
from small_site import Reply, Request, see, wrong

from .core import NOW, Project, application, project, show
from .git import LONGEST_FILE

REPO = r"/([\w-]+)/([\w.-]+)"
BRANCH = r"([\w.-]+)"
# HTML in a text is shown as text, links with a script stay words, and pictures would be asked for elsewhere.
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")


@application.page(REPO + "/")
def overview(request: Request, owner: str, name: str) -> str:
    """A repository's first page: what it is, its files and its README."""
    one = project(request, owner, name)
    return _folder(request, one, one.main, "")


@application.page(f"{REPO}/tree/{BRANCH}/(.*)")
def folder(request: Request, owner: str, name: str, branch: str, path: str) -> str:
    """The files of a folder."""
    return _folder(request, project(request, owner, name), branch, path.strip("/"))


def _folder(request: Request, one: Project, branch: str, path: str) -> str:
    branches = one.git.branches()
    if not branches:
        return show(
            request,
            "folder.html",
            one,
            branch=branch,
            path="",
            entries=[],
            readme=Markup(),
            branches=[],
            last=None,
            stars=0,
            starred=False,
        )
    head = one.git.head(branch)
    below = f"{path}/" if path else ""
    inside = [file.removeprefix(below) for file in one.git.files(head) if file.startswith(below)]
    if path and not inside:
        raise wrong("There is no such folder.")
    entries = sorted({(0 if "/" in file else 1, file.partition("/")[0]) for file in inside})
    text = one.git.read(head, f"{below}README.md") if "README.md" in inside else ""
    readme = Markup(_MARKDOWN.render(text))  # noqa: S704 - escaped by the renderer
    last, commits = _shown(one.git.commit(head)), len(one.git.history(head))
    values = {"branch": branch, "path": path, "entries": entries, "branches": list(branches), "commits": commits}
    stars = request.one("select count(*) as n from star where repository_id = ?", one.id)["n"]
    sql = "select 1 from star where repository_id = ? and person_id = ?"
    starred = bool(request.rows(sql, one.id, request.person.id))
    return show(request, "folder.html", one, readme=readme, last=last, stars=stars, starred=starred, **values)


@application.page(f"{REPO}/blob/{BRANCH}/(.+)")
def blob(request: Request, owner: str, name: str, branch: str, path: str) -> str:
    """A file."""
    one = project(request, owner, name)
    return show(request, "blob.html", one, branch=branch, path=path, text=one.git.read(one.git.head(branch), path))


@application.page(f"{REPO}/edit/{BRANCH}/(.+)")
def edit(request: Request, owner: str, name: str, branch: str, path: str) -> str:
    """A file to change."""
    one = project(request, owner, name)
    _may_write(one, branch)
    text = one.git.read(one.git.head(branch), path)
    return show(request, "edit.html", one, branch=branch, path=path, text=text, new=False)


@application.page(f"{REPO}/new/{BRANCH}/")
def new_file(request: Request, owner: str, name: str, branch: str) -> str:
    """An empty file."""
    one = project(request, owner, name)
    _may_write(one, branch)
    return show(request, "edit.html", one, branch=branch, path="", text="", new=True)


@application.form(f"{REPO}/(create|change|delete)/{BRANCH}")
def write(request: Request, owner: str, name: str, what: str, branch: str) -> Reply:
    """Commit a file that is new, changed or deleted."""
    one = project(request, owner, name)
    _may_write(one, branch)
    path, text = request.text("path", longest=200, least=1), request.form.get("text", [""])[0].replace("\r\n", "\n")
    message = request.text("message", longest=200) or f"{what.capitalize()} {path}"
    if len(text) > LONGEST_FILE:
        raise wrong(f"A file has at most {LONGEST_FILE} characters.")
    there = path in one.git.files(one.git.head(branch)) if one.git.branches() else False
    if there == (what == "create"):
        raise wrong(f"{path} is there already." if there else f"There is no {path} on this branch.")
    kept = None if what == "delete" else text.rstrip("\n") + "\n"
    sha = one.git.write(branch, {path: kept}, message, request.person.author)
    logged(request, one, branch, sha, message)
    sql = "insert into file_change (commit_id, what, path, text) values (?, ?, ?, ?)"
    request.run(sql, request.one("select max(id) as id from commit_log")["id"], what, path, kept or "")
    return see(f"/{one.path}/commit/{sha}", "The commit is made.")


def logged(request: Request, one: Project, branch: str, sha: str, message: str) -> None:
    """Note who has put which commit on which branch."""
    request.run(
        "insert into commit_log (repository_id, sha, branch, person_id, message, created) values (?, ?, ?, ?, ?, ?)",
        *(one.id, sha, branch, request.person.id, message, NOW),
    )


def _may_write(one: Project, branch: str) -> None:
    one.needs("maintainer" if branch == one.main else "developer")


def _shown(commit: Any) -> dict[str, str]:
    return {
        "sha": commit.id.decode(),
        "author": commit.author.decode().rpartition(" <")[0],
        "message": commit.message.decode().strip(),
        "day": datetime.datetime.fromtimestamp(commit.commit_time, datetime.UTC).strftime("%Y-%m-%d %H:%M"),
    }


@application.page(f"{REPO}/commits/{BRANCH}")
def commits(request: Request, owner: str, name: str, branch: str) -> str:
    """The history of a branch, or of what one author did there."""
    one = project(request, owner, name)
    found = [_shown(commit) for commit in one.git.history(one.git.head(branch))]
    authors = sorted({commit["author"] for commit in found})
    if request.asked("author"):
        found = [commit for commit in found if commit["author"] == request.asked("author")]
    values = {"branches": list(one.git.branches()), "authors": authors, "commits": found}
    return show(request, "commits.html", one, branch=branch, **values)


@application.page(f"{REPO}/commit/([0-9a-f]{{40}})")
def commit(request: Request, owner: str, name: str, sha: str) -> str:
    """What a commit changed."""
    one = project(request, owner, name)
    reached = (commit for head in one.git.branches().values() for commit in one.git.history(head))
    found = next((commit for commit in reached if commit.id.decode() == sha), None)
    if found is None:
        raise wrong("No branch of this repository has this commit.")
    before = found.parents[0].decode() if found.parents else None
    parents = [parent.decode() for parent in found.parents]
    return show(
        request, "commit.html", one, commit=_shown(found), parents=parents, changes=one.git.changes(before, sha)
    )


@application.page(f"{REPO}/contributors/")
def contributors(request: Request, owner: str, name: str) -> str:
    """Who has written how many commits of the main branch."""
    one = project(request, owner, name)
    counts: dict[str, int] = {}
    for commit in one.git.history(one.git.head(one.main)):
        author = _shown(commit)["author"]
        counts[author] = counts.get(author, 0) + 1
    rows = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return show(request, "contributors.html", one, rows=rows)


@application.page(f"{REPO}/branches/")
def branches(request: Request, owner: str, name: str) -> str:
    """All branches."""
    one = project(request, owner, name)
    rows = [(branch, _shown(one.git.commit(sha))) for branch, sha in one.git.branches().items()]
    return show(request, "branches.html", one, rows=rows)


@application.form(f"{REPO}/branches/")
def add_branch(request: Request, owner: str, name: str) -> Reply:
    """A new branch that starts where another one ends."""
    one = project(request, owner, name)
    one.needs("developer")
    branch = request.text("name", longest=60, least=1)
    if branch in one.git.branches():
        raise wrong("There is a branch of this name.")
    one.git.move(branch, one.git.head(request.text("start")))
    return see(f"/{one.path}/tree/{branch}/", f"The branch {branch} is made.")


@application.form(f"{REPO}/branches/{BRANCH}/delete")
def delete_branch(request: Request, owner: str, name: str, branch: str) -> Reply:
    """A branch that is needed no more."""
    one = project(request, owner, name)
    one.needs("developer")
    one.git.head(branch)
    if branch == one.main:
        raise wrong("The main branch stays.")
    request.run("delete from branch where repository_id = ? and name = ?", one.id, branch)
    return see(f"/{one.path}/branches/", f"The branch {branch} is deleted.")
