"""Merge requests: what a branch would change, what reviewers say, and the merge itself."""

from small_site import Reply, Request, Row, forbidden, see, wrong

from .code import REPO, logged
from .core import NOW, Project, application, paged, project, show
from .issues import next_number, notes_on

MERGES = """select m.*, a.username as author, coalesce(b.username, '') as reviewer,
(select count(*) from note n where n.merge_request_id = m.id) as notes from merge_request m
join person a on a.id = m.author_id left join person b on b.id = m.reviewer_id where m.repository_id = ?"""


@application.page(f"{REPO}/merges/")
def merges(request: Request, owner: str, name: str) -> str:
    """Merge requests by state and person."""
    one, sql, values = project(request, owner, name), MERGES, list[str]()
    if request.asked("state", "open") in ("open", "merged", "closed"):
        sql, values = f"{sql} and m.state = ?", [request.asked("state", "open")]
    for field, column in (("author", "a.username"), ("reviewer", "b.username")):
        if request.asked(field):
            sql, values = f"{sql} and {column} = ?", [*values, request.asked(field)]
    rows = request.rows(f"{sql} order by m.number desc", one.id, *values)
    page, number, pages = paged(request, rows)
    return show(
        request,
        "merges.html",
        one,
        rows=page,
        count=len(rows),
        number=number,
        pages=pages,
        people=_people(request, one),
    )


def _people(request: Request, one: Project) -> list[Row]:
    sql = (
        "select p.id, p.username from member m join person p on p.id = m.person_id where m.repository_id = ? order by 2"
    )
    return request.rows(sql, one.id)


@application.page(f"{REPO}/merges/new/")
def new_merge(request: Request, owner: str, name: str) -> str:
    """An empty merge request."""
    one = project(request, owner, name)
    one.needs("developer")
    return show(request, "new_merge.html", one, branches=list(one.git.branches()), people=_people(request, one))


@application.form(f"{REPO}/merges/new/")
def add_merge(request: Request, owner: str, name: str) -> Reply:
    """Ask for a branch to be merged into another one."""
    one = project(request, owner, name)
    one.needs("developer")
    source, target = request.text("source"), request.text("target")
    title, body = request.text("title", least=1), request.text("body", longest=5000, lines=True)
    reviewer = request.text("reviewer")
    if reviewer and reviewer not in {str(row["id"]) for row in _people(request, one)}:
        raise wrong("Reviewers are members of the repository.")
    if source == target or not one.git.ahead(source, target):
        raise wrong(f"{source} has nothing that {target} has not.")
    sql = "select 1 from merge_request where repository_id = ? and source = ? and target = ? and state = 'open'"
    if request.rows(sql, one.id, source, target):
        raise wrong("There is an open merge request of these branches.")
    number = next_number(request, one)
    request.run(
        """insert into merge_request (repository_id, number, title, body, author_id, reviewer_id, source, target, state,
        created) values (?, ?, ?, ?, ?, ?, ?, ?, 'open', ?)""",
        *(one.id, number, title, body, request.person.id, reviewer or None, source, target, NOW),
    )
    return see(f"/{one.path}/merges/{number}/", "The merge request is open.")


def _merge(request: Request, one: Project, number: str) -> Row:
    return request.one(f"{MERGES} and m.number = ?", one.id, int(number), what="merge request")


@application.page(f"{REPO}/merges/(\\d{{1,6}})/")
def merge(request: Request, owner: str, name: str, number: str) -> str:
    """A merge request: its commits, its changes, its review."""
    one = project(request, owner, name)
    row, branches = _merge(request, one, number), one.git.branches()
    commits, changes, conflicts = [], [], []
    if row["state"] == "merged":
        ours = one.git.commit(row["merge_commit"]).parents[0]
        changes = one.git.changes(ours.decode(), row["merge_commit"])
    elif row["source"] in branches and row["target"] in branches:
        commits = [commit.message.decode().strip() for commit in one.git.ahead(row["source"], row["target"])]
        source = branches[row["source"]]
        changes = one.git.changes(one.git.base(branches[row["target"]], source), source)
        conflicts = one.git.conflicts(row["source"], row["target"]) if row["state"] == "open" else []
    sql = "select p.username, p.id from approval a join person p on p.id = a.person_id where a.merge_request_id = ?"
    return show(
        request,
        "merge.html",
        one,
        merge=row,
        commits=commits,
        changes=changes,
        conflicts=conflicts,
        approvals=request.rows(f"{sql} order by a.id", row["id"]),
        notes=notes_on(request, "merge_request_id", row["id"]),
        people=_people(request, one),
    )


@application.form(f"{REPO}/merges/(\\d{{1,6}})/(notes|approve|merge|close|review)")
def act(request: Request, owner: str, name: str, number: str, what: str) -> Reply:
    """Say something, approve, choose a reviewer, merge or close."""
    one = project(request, owner, name)
    row = _merge(request, one, number)
    if what == "notes":
        values = (row["id"], request.person.id, request.text("body", longest=5000, least=1, lines=True), NOW)
        request.run("insert into note (merge_request_id, author_id, body, created) values (?, ?, ?, ?)", *values)
        return see(f"/{one.path}/merges/{number}/", "It is saved.")
    if row["state"] != "open":
        raise wrong(f"This merge request is {row['state']}.")
    if what == "close":
        if row["author_id"] != request.person.id:
            one.needs("maintainer")
        request.run("update merge_request set state = 'closed' where id = ?", row["id"])
    elif what == "merge":
        _do_merge(request, one, row)
    else:
        one.needs("developer")
        _review(request, one, row, what)
    return see(f"/{one.path}/merges/{number}/", "It is done.")


def _review(request: Request, one: Project, row: Row, what: str) -> None:
    if what == "approve":
        if row["author_id"] == request.person.id:
            raise forbidden("Nobody approves what they have written.")
        sql = "select 1 from approval where merge_request_id = ? and person_id = ?"
        if request.rows(sql, row["id"], request.person.id):
            raise wrong("You have approved this.")
        request.run("insert into approval (merge_request_id, person_id) values (?, ?)", row["id"], request.person.id)
    else:
        reviewer = request.text("reviewer")
        if reviewer and reviewer not in {str(person["id"]) for person in _people(request, one)}:
            raise wrong("Reviewers are members of the repository.")
        request.run("update merge_request set reviewer_id = ? where id = ?", reviewer or None, row["id"])


def _do_merge(request: Request, one: Project, row: Row) -> None:
    one.needs("maintainer" if row["target"] == one.main else "developer")
    message = f"Merge branch '{row['source']}' into '{row['target']}'"
    sha = one.git.merge(row["source"], row["target"], message, request.person.author)
    logged(request, one, row["target"], sha, message)
    request.run("update merge_request set state = 'merged', merge_commit = ? where id = ?", sha, row["id"])
