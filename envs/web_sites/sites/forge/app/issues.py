"""Issues with labels, milestones, somebody who looks after them, and what people say about them."""

import re
from typing import Any

from small_site import Reply, Request, Row, forbidden, see, wrong

from .code import REPO
from .core import COLOURS, NOW, Project, application, like, paged, project, show

DAY = re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])")
ORDERS = {"newest": "i.number desc", "oldest": "i.number", "commented": "notes desc, i.number desc"}
ISSUES = """select i.*, a.username as author, coalesce(b.username, '') as assignee, coalesce(m.title, '') as milestone,
(select count(*) from note n where n.issue_id = i.id) as notes,
(select group_concat(name, ', ') from (select l.name from issue_label il join label l on l.id = il.label_id
where il.issue_id = i.id order by l.name)) as labels
from issue i join person a on a.id = i.author_id left join person b on b.id = i.assignee_id
left join milestone m on m.id = i.milestone_id where i.repository_id = ?"""

LABELLED = """exists (select 1 from issue_label x join label y on y.id = x.label_id
where x.issue_id = i.id and y.name = ?)"""


def _choices(request: Request, one: Project) -> dict[str, Any]:
    sql = (
        "select p.id, p.username from member m join person p on p.id = m.person_id where m.repository_id = ? order by 2"
    )
    return {
        "labels": request.rows("select * from label where repository_id = ? order by name", one.id),
        "milestones": request.rows("select * from milestone where repository_id = ? order by due, id", one.id),
        "people": request.rows(sql, one.id),
    }


@application.page(f"{REPO}/issues/")
def issues(request: Request, owner: str, name: str) -> str:
    """Issues by state, label, milestone, person and words."""
    one, values, sql = project(request, owner, name), list[Any](), ISSUES
    if request.asked("state", "open") in ("open", "closed"):
        sql, values = sql + " and i.state = ?", [*values, request.asked("state", "open")]
    for field, condition in (
        ("author", "a.username = ?"),
        ("assignee", "b.username = ?"),
        ("milestone", "m.title = ?"),
        ("label", LABELLED),
    ):
        if request.asked(field):
            sql, values = f"{sql} and {condition}", [*values, request.asked(field)]
    if request.asked("q"):
        sql, values = f"{sql} and i.title || ' ' || i.body like ? escape '!'", [*values, like(request.asked("q"))]
    rows = request.rows(f"{sql} order by {ORDERS.get(request.asked('sort'), ORDERS['newest'])}", one.id, *values)
    page, number, pages = paged(request, rows)
    return show(
        request, "issues.html", one, rows=page, count=len(rows), number=number, pages=pages, **_choices(request, one)
    )


@application.page(f"{REPO}/issues/new/")
def new_issue(request: Request, owner: str, name: str) -> str:
    """An empty issue."""
    one = project(request, owner, name)
    return show(request, "new_issue.html", one, **_choices(request, one))


@application.form(f"{REPO}/issues/new/")
def add_issue(request: Request, owner: str, name: str) -> Reply:
    """Open an issue. Labels, milestone and assignee are for reporters and above."""
    one = project(request, owner, name)
    title, body = request.text("title", least=1), request.text("body", longest=5000, lines=True)
    number = next_number(request, one)
    issue = request.run(
        """insert into issue (repository_id, number, title, body, author_id, state, created)
        values (?, ?, ?, ?, ?, 'open', ?)""",
        *(one.id, number, title, body, request.person.id, NOW),
    )
    if one.may("reporter"):
        _sort_in(request, one, issue)
    return see(f"/{one.path}/issues/{number}/", "The issue is open.")


def next_number(request: Request, one: Project) -> int:
    """The number of the next issue or merge request, which count together."""
    sql = """select max(n) + 1 as n from (select 0 as n union all select number from issue where repository_id = ?
    union all select number from merge_request where repository_id = ?)"""
    return int(request.one(sql, one.id, one.id)["n"])


def _sort_in(request: Request, one: Project, issue: int) -> None:
    choices = _choices(request, one)
    known = {name: {str(row["id"]) for row in rows} for name, rows in choices.items()}
    milestone, assignee = request.text("milestone"), request.text("assignee")
    labels = {value for value in request.form.get("label", []) if value}
    for value, name in ((milestone, "milestones"), (assignee, "people")):
        if value and value not in known[name]:
            raise wrong("That is none of this repository's.")
    if labels - known["labels"]:
        raise wrong("That is no label of this repository.")
    request.run(
        "update issue set milestone_id = ?, assignee_id = ? where id = ?", milestone or None, assignee or None, issue
    )
    there = {str(row["label_id"]) for row in request.rows("select label_id from issue_label where issue_id = ?", issue)}
    for label in sorted(there - labels):
        request.run("delete from issue_label where issue_id = ? and label_id = ?", issue, label)
    for label in sorted(labels - there, key=int):
        request.run("insert into issue_label (issue_id, label_id) values (?, ?)", issue, label)


def _issue(request: Request, one: Project, number: str) -> Row:
    return request.one(f"{ISSUES} and i.number = ?", one.id, int(number), what="issue")


@application.page(f"{REPO}/issues/(\\d{{1,6}})/")
def issue(request: Request, owner: str, name: str, number: str) -> str:
    """An issue, what is said about it, and how it is sorted in."""
    one = project(request, owner, name)
    row = _issue(request, one, number)
    chosen = {found["label_id"] for found in request.rows("select * from issue_label where issue_id = ?", row["id"])}
    notes = notes_on(request, "issue_id", row["id"])
    return show(request, "issue.html", one, issue=row, notes=notes, chosen=chosen, **_choices(request, one))


def notes_on(request: Request, column: str, number: int) -> list[Row]:
    """What was said about an issue (`issue_id`) or a merge request (`merge_request_id`)."""
    sql = "select n.*, p.username as author from note n join person p on p.id = n.author_id where"
    return request.rows(f"{sql} n.{column} = ? order by n.id", number)


@application.form(f"{REPO}/issues/(\\d{{1,6}})/(notes|close|reopen|sort)")
def act(request: Request, owner: str, name: str, number: str, what: str) -> Reply:
    """Say something, close or reopen it, sort it in."""
    one = project(request, owner, name)
    row = _issue(request, one, number)
    if what == "notes":
        body = request.text("body", longest=5000, least=1, lines=True)
        values = (row["id"], request.person.id, body, NOW)
        request.run("insert into note (issue_id, author_id, body, created) values (?, ?, ?, ?)", *values)
    elif what == "sort":
        one.needs("reporter")
        _sort_in(request, one, row["id"])
    else:
        if not one.may("reporter") and row["author_id"] != request.person.id:
            raise forbidden("Only its author and reporters of the repository close and reopen an issue.")
        state = "closed" if what == "close" else "open"
        closed = NOW if what == "close" else None
        request.run("update issue set state = ?, closed = ? where id = ?", state, closed, row["id"])
    return see(f"/{one.path}/issues/{number}/", "It is saved.")


@application.page(f"{REPO}/labels/")
def labels(request: Request, owner: str, name: str) -> str:
    """Labels, and how many open issues have them."""
    one = project(request, owner, name)
    sql = """select l.*, (select count(*) from issue_label il join issue i on i.id = il.issue_id
    where il.label_id = l.id and i.state = 'open') as n from label l where l.repository_id = ? order by l.name"""
    return show(request, "labels.html", one, rows=request.rows(sql, one.id), colours=COLOURS)


@application.form(f"{REPO}/labels/")
def add_label(request: Request, owner: str, name: str) -> Reply:
    """A new label."""
    one = project(request, owner, name)
    one.needs("reporter")
    title, colour = request.text("name", longest=40, least=1), request.text("colour")
    if colour not in COLOURS:
        raise wrong(f"Colours are {', '.join(COLOURS)}.")
    if request.rows("select 1 from label where repository_id = ? and name = ?", one.id, title):
        raise wrong("There is a label of this name.")
    request.run("insert into label (repository_id, name, colour) values (?, ?, ?)", one.id, title, colour)
    return see(f"/{one.path}/labels/", "The label is made.")


@application.page(f"{REPO}/milestones/")
def milestones(request: Request, owner: str, name: str) -> str:
    """Milestones, and how far they are."""
    one = project(request, owner, name)
    sql = """select m.*, (select count(*) from issue i where i.milestone_id = m.id) as n,
    (select count(*) from issue i where i.milestone_id = m.id and i.state = 'closed') as done
    from milestone m where m.repository_id = ? order by m.due, m.id"""
    return show(request, "milestones.html", one, rows=request.rows(sql, one.id))


@application.form(f"{REPO}/milestones/")
def add_milestone(request: Request, owner: str, name: str) -> Reply:
    """A new milestone."""
    one = project(request, owner, name)
    one.needs("reporter")
    title, due = request.text("title", longest=80, least=1), request.text("due")
    if not DAY.fullmatch(due):
        raise wrong("Dates are written like 2026-03-31.")
    if request.rows("select 1 from milestone where repository_id = ? and title = ?", one.id, title):
        raise wrong("There is a milestone of this title.")
    request.run("insert into milestone (repository_id, title, due) values (?, ?, ?)", one.id, title, due)
    return see(f"/{one.path}/milestones/", "The milestone is made.")
