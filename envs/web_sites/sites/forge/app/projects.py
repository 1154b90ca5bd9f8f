"""The forge's own pages: what is mine, what there is, people, new repositories, members and settings."""

import re

from small_site import Reply, Request, forbidden, not_found, see, wrong

from .code import REPO
from .core import NOW, ROLES, application, like, paged, project, show, visible
from .git import Repository

render = application.render
NAME = re.compile(r"[a-z0-9][a-z0-9-]{1,40}")
TAKEN = {"explore", "new", "profile", "search"}
ORDERS = {"stars": "stars desc, r.id", "name": "r.name, r.id", "newest": "r.created desc, r.id"}


@application.page("/")
def dashboard(request: Request) -> str:
    """What the person has to do with."""
    me = request.person.id
    mine = """select p.username || '/' || r.name as path, r.description, r.visibility, m.role from member m
    join repository r on r.id = m.repository_id join person p on p.id = r.owner_id
    where m.person_id = ? order by r.name"""
    issues = """select p.username || '/' || r.name as path, i.number, i.title from issue i
    join repository r on r.id = i.repository_id join person p on p.id = r.owner_id
    where i.assignee_id = ? and i.state = 'open' order by r.name, i.number"""
    merges = """select p.username || '/' || r.name as path, m.number, m.title from merge_request m
    join repository r on r.id = m.repository_id join person p on p.id = r.owner_id
    where m.reviewer_id = ? and m.state = 'open' order by r.name, m.number"""
    return render(
        request,
        "dashboard.html",
        repositories=request.rows(mine, me),
        issues=request.rows(issues, me),
        merges=request.rows(merges, me),
    )


@application.page("/explore/")
def explore(request: Request) -> str:
    """Repositories by words."""
    condition, value = visible(request)
    order = ORDERS.get(request.asked("sort"), ORDERS["stars"])
    rows = request.rows(
        f"""select p.username || '/' || r.name as path, r.description, r.visibility,
        (select count(*) from star s where s.repository_id = r.id) as stars,
        (select count(*) from issue i where i.repository_id = r.id and i.state = 'open') as issues
        from repository r join person p on p.id = r.owner_id
        where {condition} and r.name || ' ' || r.description like ? escape '!' order by {order}""",  # noqa: S608
        value,
        like(request.asked("q")),
    )
    page, number, pages = paged(request, rows)
    return render(request, "explore.html", rows=page, count=len(rows), number=number, pages=pages)


@application.page("/search/")
def search(request: Request) -> str:
    """Repositories, issues and people by words."""
    condition, value = visible(request)
    words = like(request.asked("q"))
    repositories = f"""select p.username || '/' || r.name as path, r.description, r.visibility from repository r
    join person p on p.id = r.owner_id
    where {condition} and p.username || '/' || r.name || ' ' || r.description like ? escape '!'
    order by r.name, r.id limit 50"""  # noqa: S608 - a constant
    issues = f"""select p.username || '/' || r.name as path, i.number, i.title, i.state from issue i
    join repository r on r.id = i.repository_id join person p on p.id = r.owner_id
    where {condition} and i.title || ' ' || i.body like ? escape '!'
    order by i.created desc, i.id desc limit 50"""  # noqa: S608 - a constant
    people = (
        "select username, name from person where username || ' ' || name like ? escape '!' order by username limit 50"
    )
    return render(
        request,
        "search.html",
        repositories=request.rows(repositories, value, words),
        issues=request.rows(issues, value, words),
        people=request.rows(people, words),
    )


@application.page("/profile/")
def profile(request: Request) -> str:
    """What others read about the person."""
    return render(request, "profile.html")


@application.form("/profile/")
def change_profile(request: Request) -> Reply:
    """Save it."""
    name, bio = request.text("name", longest=80, least=1), request.text("bio", longest=300)
    values = (name, bio, request.text("location", longest=80), request.person.id)
    request.run("update person set name = ?, bio = ?, location = ? where id = ?", *values)
    return see("/profile/", "Your profile is saved.")


@application.page("/new/")
def new(request: Request) -> str:
    """An empty form for a repository."""
    return render(request, "new.html")


@application.form("/new/")
def add(request: Request) -> Reply:
    """A new repository of the person's, with a README as its first commit if asked for."""
    name, visibility = request.text("name"), request.text("visibility")
    if not NAME.fullmatch(name) or name in TAKEN:
        raise wrong("Names of repositories have small letters, digits and hyphens, 2 to 41 of them.")
    if visibility not in ("public", "private"):
        raise wrong("A repository is public or private.")
    me = request.person
    if request.rows("select 1 from repository where owner_id = ? and name = ?", me.id, name):
        raise wrong("You have a repository of this name.")
    description = request.text("description")
    number = request.run(
        """insert into repository (owner_id, name, description, visibility, default_branch, created)
        values (?, ?, ?, ?, 'main', ?)""",
        *(me.id, name, description, visibility, NOW),
    )
    request.run("insert into member (repository_id, person_id, role) values (?, ?, 'owner')", number, me.id)
    if "readme" in request.form:
        git = Repository(request.database, number)
        git.write("main", {"README.md": f"# {name}\n\n{description}\n"}, "First commit", me.author)
    return see(f"/{me.username}/{name}/", "The repository is made.")


@application.page(r"/([\w-]+)/")
def person(request: Request, username: str) -> str:
    """Somebody's profile and repositories."""
    row = request.one("select * from person where username = ?", username, what="person")
    condition, value = visible(request)
    sql = f"""select r.name, r.description, r.visibility from repository r
    where {condition} and r.owner_id = ? order by 1"""  # noqa: S608 - a constant
    return render(request, "person.html", shown=row, repositories=request.rows(sql, value, row["id"]))


@application.form(f"{REPO}/(star|unstar)")
def star(request: Request, owner: str, name: str, what: str) -> Reply:
    """Remember a repository, or no longer."""
    one = project(request, owner, name)
    request.run("delete from star where repository_id = ? and person_id = ?", one.id, request.person.id)
    if what == "star":
        request.run("insert into star (repository_id, person_id) values (?, ?)", one.id, request.person.id)
    return see(f"/{one.path}/")


@application.page(f"{REPO}/members/")
def members(request: Request, owner: str, name: str) -> str:
    """Who works here, as what."""
    one = project(request, owner, name)
    sql = """select m.id, m.role, p.username, p.name from member m join person p on p.id = m.person_id
    where m.repository_id = ? order by p.username"""
    return show(request, "members.html", one, rows=request.rows(sql, one.id), roles=ROLES[:-1])


@application.form(f"{REPO}/members/")
def change_member(request: Request, owner: str, name: str) -> Reply:
    """Add somebody, give them another role, or take them off. An owner stays owner."""
    one = project(request, owner, name)
    one.needs("maintainer")
    row = request.one("select id, username from person where username = ?", request.text("username"), what="person")
    role, there = request.text("role"), "select role from member where repository_id = ? and person_id = ?"
    now = request.rows(there, one.id, row["id"])
    if role not in (*ROLES[:-1], "none"):
        raise wrong(f"Roles are {', '.join(ROLES[:-1])}.")
    if (now and ROLES.index(now[0]["role"]) >= one.rank) or role == ROLES[one.rank]:
        raise forbidden("Roles are given and taken by people who have a higher one.")
    if role == "none":
        request.run("delete from member where repository_id = ? and person_id = ?", one.id, row["id"])
    elif now:
        sql = "update member set role = ? where repository_id = ? and person_id = ?"
        request.run(sql, role, one.id, row["id"])
    else:
        values = (one.id, row["id"], role)
        request.run("insert into member (repository_id, person_id, role) values (?, ?, ?)", *values)
    return see(f"/{one.path}/members/", f"{row['username']} is now {role if role != 'none' else 'no member'}.")


@application.page(f"{REPO}/settings/")
def settings(request: Request, owner: str, name: str) -> str:
    """Description, visibility, main branch."""
    one = project(request, owner, name)
    one.needs("maintainer")
    return show(request, "settings.html", one, branches=list(one.git.branches()))


@application.form(f"{REPO}/settings/")
def change_settings(request: Request, owner: str, name: str) -> Reply:
    """Save them. Only an owner changes who can see the repository."""
    one = project(request, owner, name)
    one.needs("maintainer")
    visibility, branch = request.text("visibility"), request.text("default_branch")
    if visibility not in ("public", "private"):
        raise wrong("A repository is public or private.")
    if visibility != one.row["visibility"]:
        one.needs("owner")
    if branch not in one.git.branches():
        raise not_found("branch")
    sql = "update repository set description = ?, visibility = ?, default_branch = ? where id = ?"
    request.run(sql, request.text("description"), visibility, branch, one.id)
    return see(f"/{one.path}/settings/", "The settings are saved.")
