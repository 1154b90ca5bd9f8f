"""What templates of tasks on sites are made with: the seeded content to draw from, and references to judge by."""

import contextlib
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Literal
from urllib.parse import quote

from envs.web_sites.site import site
from packs.problem import Probe

NOTHING = "N/A"
Row = dict[str, Any]


@dataclass(frozen=True)
class Content:
    """The content of one site under the release's seed, as its database holds it before anybody came.

    `extract`: SHA-256 of the owner's file from which it is made, if it is.
    """

    name: str
    database: Path
    extract: str | None = None
    _asked: dict[tuple[str, tuple[tuple[str, Any], ...]], list[Row]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def rows(self, sql: str, **values: Any) -> list[Row]:
        """The rows of a SELECT with `:name` parameters."""
        # A draw that is thrown away asks for the same as the next one; nobody writes into this database.
        asked = (sql, tuple(values.items()))
        if asked not in self._asked:
            self._asked[asked] = self._read(sql, values)
        return [dict(row) for row in self._asked[asked]]

    def _read(self, sql: str, values: dict[str, Any]) -> list[Row]:
        with contextlib.closing(sqlite3.connect(f"file:{quote(str(self.database))}?mode=ro", uri=True)) as connection:
            connection.row_factory = sqlite3.Row
            return [dict(row) for row in connection.execute(sql, values)]

    def named(self, query: str, **values: Any) -> list[Row]:
        """The rows of one of the queries of `site.toml`."""
        return self.rows(site(self.name).queries[query].sql, **values)


Contents = Mapping[str, Content]


@dataclass(frozen=True)
class Task:
    """One task.

    `parts`: references that must all hold; `probes`: what they look at, states excepted. `oracle`: texts of actions
    that solve it, with places as in `envs.places`. `everything`: an answer that lists all candidates, which
    must fail; "" where no answer is asked for. `start`: site and path of each tab. `pictured`: what is right stands in
    pictures, so that the participant sees the page and not its text.
    """

    intent: str
    category: Literal["information", "navigation", "content"]
    parts: tuple[dict[str, Any], ...]
    oracle: tuple[str, ...]
    sites: tuple[str, ...]
    signed_in: Mapping[str, str] = field(default_factory=dict)
    start: tuple[tuple[str, str], ...] = ()
    probes: tuple[Probe, ...] = ()
    everything: str = ""
    unachievable: bool = False
    pictured: bool = False


Template = Callable[[Random, Contents, int], Task]
"""Makes the task number `index` (0, 1, 2, ...) of a template. The function's name, with hyphens, names its group."""


def answer_is(value: str) -> dict[str, Any]:
    """The answer is this value: a number, an amount, a date or a text, compared by type."""
    return {"kind": "fuzzy", "answers": {"exact_match": value}, "mode": "strict"}


def answer_is_none() -> dict[str, Any]:
    """The answer is that there is no answer."""
    return {"kind": "fuzzy", "answers": {"fuzzy_match": NOTHING}, "mode": "strict"}


def ends_at(address: str, *, exact_query: bool = True) -> tuple[dict[str, Any], Probe]:
    """The last page has this address, such as `__SHOP__/basket/`."""
    return {"kind": "url_match", "url": address, "exact_query": exact_query}, Probe(name="page", kind="page")


def changes(name: str, *expected: dict[str, Any], allowed: tuple[dict[str, Any], ...] = ()) -> dict[str, Any]:
    """The site's database changed as expected, and otherwise only as it does when somebody looks around.

    `expected` and `allowed` are in the words of `state_change`.
    """
    free = [*site(name).allowed, *allowed]
    return {"kind": "state_change", "expected": list(expected), "allowed": free, "evidence": f"state_{name}"}


def unchanged(*names: str) -> tuple[dict[str, Any], ...]:
    """Nothing but looking around happened on these sites."""
    return tuple(changes(name) for name in names)


def listed(draw: Random, right: str, others: list[str], count: int = 12) -> str:
    """An answer that names the right one among others."""
    wrong = sorted(set(others) - {right})
    return ", ".join(sorted([right, *draw.sample(wrong, min(count, len(wrong)))]))


def asked(
    name: str,
    intent: str,
    gold: dict[str, Any],
    oracle: tuple[str, ...],
    everything: str,
    *,
    signed_in: Mapping[str, str] | None = None,
    unachievable: bool = False,
) -> Task:
    """A question to a site, which stays as it is."""
    return Task(
        intent=intent,
        category="information",
        parts=(gold, changes(name)),
        oracle=oracle,
        sites=(name,),
        signed_in=signed_in or {},
        everything=everything,
        unachievable=unachievable,
    )


def looked_up(
    draw: Random, name: str, intent: str, right: str, others: list[str], before: tuple[str, ...], *, none: bool = False
) -> Task:
    """A question to a site with one answer, or with `none`; `others` are what else it could be."""
    gold, last = (answer_is_none(), f"stop [{NOTHING}]") if none else (answer_is(right), f"stop [{right}]")
    return asked(name, intent, gold, (*before, last), listed(draw, right, others), unachievable=none)


def opened(name: str, intent: str, path: str, before: tuple[str, ...]) -> Task:
    """A page of a site to get to; `before` are the actions before the last one."""
    part, probe = ends_at(f"__{name.upper()}__{path}")
    return Task(
        intent=intent,
        category="navigation",
        parts=(part, changes(name)),
        oracle=(*before, f"goto [{{{{site {name}}}}}{path}]", "stop []"),
        sites=(name,),
        probes=(probe,),
    )


def state_probes(parts: tuple[dict[str, Any], ...]) -> tuple[Probe, ...]:
    """A probe for each state that the parts judge."""
    names = dict.fromkeys(part["evidence"] for part in parts if part["kind"] == "state_change")
    return tuple(
        Probe(name=name, kind="state", arguments={"site": name.removeprefix("state_")}) for name in sorted(names)
    )


def money(amount: float) -> str:
    """An amount as the shop writes it."""
    return f"${amount:,.2f}"
