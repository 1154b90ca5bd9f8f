"""The application, who is signed in, and lists with filters, an order and pages."""

import re
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape, unescape
from pathlib import Path

from small_site import Application, Request, Row, forbidden, with_query, wrong

DAY = re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])")
NOW = "2026-01-15 12:00:00"


@dataclass(frozen=True)
class Staff:
    """Somebody who works in the shop."""

    username: str
    name: str
    role: str
    user: int | None

    @property
    def manages(self) -> bool:
        """Whether products, customers, pages and settings may be changed."""
        return self.role == "manager"


def _staff(database: sqlite3.Connection, username: str) -> Staff | None:
    sql = """select s.username, s.name, s.role, u.id from administration_staff s
    left join auth_user u on u.username = s.username where s.username = ?"""
    row = database.execute(sql, (username,)).fetchone()
    return Staff(*row) if row else None


application = Application(Path(__file__).parent, "staff", _staff)
render = application.render


def managers_only(request: Request) -> None:
    """Raises RefusedError for a clerk."""
    if not request.person.manages:
        raise forbidden("Only managers may do this. Ask one of them.")


def setting(request: Request, name: str) -> str:
    """A setting's value."""
    return str(request.one("select value from administration_setting where name = ?", name)["value"])


def day(request: Request, name: str, default: str = "") -> str:
    """A date of the address, such as 2025-03-31. Raises RefusedError for what is none."""
    value = request.asked(name) or default
    if value and not DAY.fullmatch(value):
        raise wrong("Dates are written like 2025-03-31.")
    return value


@dataclass(frozen=True)
class Page:
    """One page of a list."""

    rows: list[Row]
    count: int
    number: int
    pages: int


@dataclass(frozen=True)
class Listing:
    """A list: `sql` without conditions and order; `order` gives columns for the words of `sort`."""

    sql: str
    order: Mapping[str, str]
    size: int = 20

    def page(self, request: Request, conditions: Sequence[tuple[str, object]], size: int | None = None) -> Page:
        """The page that is asked for, of the rows that meet all conditions."""
        each = size or self.size
        values = [value for _, value in conditions]
        where = "".join(f" and {condition}" for condition, _ in conditions)
        base = f"{self.sql} where 1 = 1{where}"
        count = int(request.one(f"select count(*) as n from ({base})", *values)["n"])  # noqa: S608 - our own words
        pages = max(1, -(-count // each))
        asked = request.asked("page", "1")
        number = min(int(asked), pages) if re.fullmatch(r"[1-9]\d{0,5}", asked) else 1
        sort = self.order.get(request.asked("sort"), next(iter(self.order.values())))
        rows = request.rows(f"{base} order by {sort} limit ? offset ?", *values, each, each * (number - 1))
        return Page(rows, count, number, pages)


def like(text: str) -> str:
    """A pattern for `like ? escape '!'`."""
    for sign in "!%_":
        text = text.replace(sign, f"!{sign}")
    return f"%{text}%"


def plain(html: str) -> str:
    """The text of the shop's paragraphs, a line each."""
    return unescape(re.sub(r"<[^>]*>", "", re.sub(r"</p>\s*<p>", "\n", html.strip())))


def paragraphs(text: str) -> str:
    """Lines as paragraphs; nothing in them is markup."""
    return "\r\n".join(f"<p>{escape(line.strip(), quote=False)}</p>" for line in text.split("\n") if line.strip())


def money(amount: float | None) -> str:
    """An amount as the shop writes it."""
    return f"${amount or 0:,.2f}"


application.templates.filters["money"] = money
application.templates.globals["with_query"] = with_query
