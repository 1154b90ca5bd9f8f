"""Articles as a book holds them: an infobox, text, sections and categories, as HTML and as facts."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape

STYLE = """\
body { font: 16px/1.55 Georgia, serif; margin: 0; color: #202122; background: #fff } article { max-width: 58rem;
margin: 1rem auto; padding: 0 1rem } h1, h2 { font-weight: normal; border-bottom: 1px solid #a2a9b1; margin:
.6rem 0 } h1 { font-size: 1.8rem } h2 { font-size: 1.35rem } a { color: #0645ad; text-decoration: none } a:hover
{ text-decoration: underline } .infobox { float: right; clear: right; margin: 0 0 1rem 1.2rem; width: 20rem;
border: 1px solid #a2a9b1; background: #f8f9fa; font: 14px/1.45 sans-serif; border-spacing: 0 } .infobox caption
{ font-weight: bold; padding: .3rem } .infobox th { text-align: left; vertical-align: top; width: 8rem }
.infobox th, .infobox td { padding: .2rem .5rem } table.list { border-collapse: collapse; font: 14px/1.4 sans-
serif } table.list th, table.list td { border: 1px solid #a2a9b1; padding: .2rem .6rem; text-align: left }
.categories { clear: both; border: 1px solid #a2a9b1; background: #f8f9fa; padding: .3rem .6rem; margin-top:
1.5rem; font: 14px sans-serif } ul.columns { columns: 3 14rem } @media (max-width: 600px) { .infobox { float:
none; width: 100%; margin: 0 0 1rem } }"""


def path_of(title: str) -> str:
    """The last part of an article's address."""
    return re.sub(r"[^A-Za-z0-9_-]", "", title.replace(" ", "_"))


@dataclass(frozen=True)
class Ref:
    """A link to another article of the book."""

    title: str

    @property
    def html(self) -> str:
        """As it stands in a text."""
        return f'<a href="{path_of(self.title)}">{escape(self.title)}</a>'


Value = str | Ref


@dataclass(frozen=True)
class Fact:
    """A line of an infobox; `target` is the path of the article that it links to, or ""."""

    label: str
    value: str
    target: str


@dataclass
class Article:
    """One page. `text` and `sections` (heading, body) are HTML."""

    title: str
    kind: str
    rows: list[tuple[str, list[Value]]] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    sections: list[tuple[str, str]] = field(default_factory=list)
    categories: list[str] = field(default_factory=list)

    @property
    def path(self) -> str:
        """The last part of its address."""
        return path_of(self.title)

    def row(self, label: str, *values: Value) -> None:
        """One more line of the infobox; nothing for no value."""
        if values:
            self.rows.append((label, list(values)))

    def section(self, heading: str, body: str) -> None:
        """One more section; nothing for no body."""
        if body:
            self.sections.append((heading, body))

    def facts(self) -> list[Fact]:
        """The infobox, one fact a value."""
        return [
            Fact(label, one.title, path_of(one.title)) if isinstance(one, Ref) else Fact(label, one, "")
            for label, values in self.rows
            for one in values
        ]

    def html(self) -> str:
        """The whole page."""
        box = "".join(
            f"<tr><th scope='row'>{escape(label)}</th><td>{_values(values)}</td></tr>" for label, values in self.rows
        )
        box = f'<table class="infobox"><caption>{escape(self.title)}</caption>{box}</table>' if box else ""
        text = "".join(f"<p>{paragraph}</p>" for paragraph in self.text)
        sections = "".join(f"<h2>{escape(heading)}</h2>{body}" for heading, body in self.sections)
        named = ", ".join(Ref(f"Category: {name}").html for name in self.categories)
        categories = f'<nav class="categories" aria-label="Categories">Categories: {named}</nav>' if named else ""
        head = (
            '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
            f'<title>{escape(self.title)}</title><link rel="stylesheet" href="../style.css">'
        )
        return (
            f'<!doctype html><html lang="en"><head>{head}</head><body><article><h1>{escape(self.title)}</h1>'
            f"{box}{text}{sections}{categories}</article></body></html>"
        )


def _values(values: list[Value]) -> str:
    return "<br>".join(one.html if isinstance(one, Ref) else escape(one) for one in values)


def bullets(items: Iterable[str], *, columns: bool = False) -> str:
    """A list; "" for nothing."""
    held = "".join(f"<li>{item}</li>" for item in items)
    return f"{'<ul class=columns>' if columns else '<ul>'}{held}</ul>" if held else ""


def table(headings: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table of HTML cells."""
    head = "".join(f"<th scope='col'>{escape(heading)}</th>" for heading in headings)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<table class="list"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
