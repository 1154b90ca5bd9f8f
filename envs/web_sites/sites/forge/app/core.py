"""The application, who may do what in which repository, and what every page of a repository shows."""

import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from small_site import Application, Request, Row, forbidden, not_found, with_query

from .git import Author, Repository

NOW = "2026-01-15 12:00:00"
NOW_SECONDS = 1_768_478_400
ROLES = ("guest", "reporter", "developer", "maintainer", "owner")
COLOURS = ("red", "orange", "green", "blue", "purple", "grey")


@dataclass(frozen=True)
class Person:
    """Somebody with an account."""

    id: int
    username: str
    name: str
    email: str
    bio: str
    location: str

    @property
    def author(self) -> Author:
        """As commits name them, now."""
        return Author(self.name, self.email, NOW_SECONDS)


def _person(database: sqlite3.Connection, username: str) -> Person | None:
    sql = "select id, username, name, email, bio, location from person where username = ?"
    row = database.execute(sql, (username,)).fetchone()
    return Person(*row) if row else None


application = Application(Path(__file__).parent, "login", _person)
application.templates.globals["with_query"] = with_query


@dataclass(frozen=True)
class Project:
    """A repository as somebody sees it: `rank` is the place of their role in ROLES, -1 for none."""

    row: Row
    rank: int
    git: Repository

    @property
    def id(self) -> int:
        """Its number."""
        return int(self.row["id"])

    @property
    def path(self) -> str:
        """Its address, without a slash at its ends."""
        return f"{self.row['owner']}/{self.row['name']}"

    @property
    def main(self) -> str:
        """The branch that is shown first."""
        return str(self.row["default_branch"])

    def may(self, role: str) -> bool:
        """Whether the person has this role or a higher one."""
        return self.rank >= ROLES.index(role)

    def needs(self, role: str) -> None:
        """Raises RefusedError for somebody below this role."""
        if not self.may(role):
            raise forbidden(f"This needs the role {role} in this repository.")


def project(request: Request, owner: str, name: str) -> Project:
    """A repository that the person may see. Raises RefusedError, the same for one that is not there."""
    sql = """select r.*, p.username as owner from repository r join person p on p.id = r.owner_id
    where p.username = ? and r.name = ?"""
    row = request.one(sql, owner, name, what="repository")
    sql = "select role from member where repository_id = ? and person_id = ?"
    roles = request.rows(sql, row["id"], request.person.id)
    rank = ROLES.index(roles[0]["role"]) if roles else -1
    if row["visibility"] != "public" and rank < 0:
        raise not_found("repository")
    return Project(row, rank, Repository(request.database, row["id"]))


def visible(request: Request) -> tuple[str, int]:
    """A condition on repositories `r` that the person may see, and its value."""
    member = "exists (select 1 from member v where v.repository_id = r.id and v.person_id = ?)"
    return f"(r.visibility = 'public' or {member})", request.person.id


def show(request: Request, template: str, one: Project, **values: Any) -> str:
    """A page of a repository, with its head and tabs."""
    count = "select count(*) as n from issue where repository_id = ? and state = 'open'"
    merges = "select count(*) as n from merge_request where repository_id = ? and state = 'open'"
    counts = {"issues": request.one(count, one.id)["n"], "merges": request.one(merges, one.id)["n"]}
    return application.render(request, template, project=one, counts=counts, **values)


def paged(request: Request, rows: list[Row], size: int = 20) -> tuple[list[Row], int, int]:
    """The rows of the page that is asked for, its number and the number of pages."""
    pages = max(1, -(-len(rows) // size))
    asked = request.asked("page", "1")
    number = min(int(asked), pages) if asked.isdecimal() and int(asked[:6]) > 0 else 1
    return rows[size * (number - 1) : size * number], number, pages


def like(text: str) -> str:
    """A pattern for `like ? escape '!'`."""
    for sign in "!%_":
        text = text.replace(sign, f"!{sign}")
    return f"%{text}%"
