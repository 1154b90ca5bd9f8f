"""The encyclopaedia's articles as templates draw from them."""

from collections import defaultdict
from dataclasses import dataclass, field

from envs.web_sites.generator.forum_parts import visit
from envs.web_sites.generator.parts import Content

SITE = "encyclopaedia"


@dataclass
class Entry:
    """An article: what its infobox says, and where its lines lead."""

    path: str
    title: str
    kind: str
    values: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    targets: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def one(self, label: str) -> str:
        """The line's only value."""
        (value,) = self.values[label]
        return value

    def number(self, label: str) -> int:
        """The number at the front of a line: people, metres, kilometres."""
        return int(self.one(label).split()[0].replace(",", ""))

    def year(self, label: str) -> int:
        """The year of a date."""
        return int(self.one(label).split()[-1])


class Entries(dict[str, Entry]):
    """The articles of one book by their paths."""

    def of(self, kind: str, *labels: str) -> list[Entry]:
        """Articles of a kind that say all of this."""
        return [one for one in self.values() if one.kind == kind and all(label in one.values for label in labels)]

    def follow(self, one: Entry, label: str) -> Entry:
        """The article that a line leads to."""
        return self[one.targets[label][0]]

    def leading_to(self, one: Entry, label: str) -> list[Entry]:
        """Articles with a line that leads here."""
        return [other for other in self.values() if one.path in other.targets.get(label, ())]


def entries(content: Content, book: str = SITE) -> Entries:
    """All articles of a book, in its order."""
    found = Entries()
    for row in content.rows("select path, title, kind from article where book = :book order by id", book=book):
        found[row["path"]] = Entry(row["path"], row["title"], row["kind"])
    facts = "select path, label, value, target from fact where book = :book order by id"
    for row in content.rows(facts, book=book):
        entry = found[row["path"]]
        entry.values[row["label"]].append(row["value"])
        if row["target"]:
            entry.targets[row["label"]].append(row["target"])
    return found


def page(one: Entry, book: str = SITE) -> str:
    """The address of an article on its site."""
    return f"/{book}/A/{one.path}"


def read(*several: Entry, book: str = SITE) -> tuple[str, ...]:
    """Open one article after the other."""
    return tuple(visit(page(one, book), SITE) for one in several)
