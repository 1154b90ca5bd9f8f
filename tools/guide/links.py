"""What is wrong with the links of a built site: every one is followed, as a browser would."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# What a browser fetches by itself, by element; `a` is followed by the reader alone.
FETCHED = {
    "script": "src",
    "link": "href",
    "img": "src",
    "source": "src",
    "iframe": "src",
    "video": "src",
    "audio": "src",
}
# Pages of the service that serves the site.
SERVICE = {"/", "/docs"}


@dataclass
class Links(HTMLParser):
    """What one page refers to, what can be referred to in it, and what stands in it and should not."""

    followed: list[str] = field(default_factory=list)
    fetched: list[str] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    inline: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element's references and names."""
        given = {name: value or "" for name, value in attrs}
        self.names |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.followed.append(given["href"])
        if (attribute := FETCHED.get(tag)) in given and attribute:
            self.fetched.append(given[attribute])
        if tag == "style" or (tag == "script" and "src" not in given and given.get("type") != "application/json"):
            self.inline.append(f"<{tag}>")
        self.inline += [f"{name} of <{tag}>" for name in given if name == "style" or name.startswith("on")]

    @classmethod
    def of(cls, page: Path) -> "Links":
        """Those of a page."""
        links = cls()
        links.feed(page.read_text(encoding="utf-8"))
        return links


def faults(site: Path) -> list[str]:
    """What is broken, asks another host for something, stands inline, or cannot be reached from the first page."""
    pages = {page.resolve(): Links.of(page) for page in sorted(site.rglob("*.html"))}
    found = [fault for page in pages for fault in _faults_of(page, pages, site.resolve())]
    unreached, fresh = set(pages), {(site / "index.html").resolve()}
    while fresh:
        unreached -= fresh
        fresh = unreached & {_target(page, link) for page in fresh for link in pages[page].followed}
    return found + [f"{page.relative_to(site.resolve())}: no page leads here" for page in sorted(unreached)]


def _faults_of(page: Path, pages: dict[Path, Links], site: Path) -> Iterator[str]:
    links, where = pages[page], page.relative_to(site)
    for link in links.fetched:
        if urlsplit(link).scheme not in ("", "data") or link.startswith("//"):
            yield f"{where}: {link} is fetched from another host"
    for inline in links.inline:
        yield f"{where}: {inline} stands in the page"
    for link in (*links.followed, *links.fetched):
        if link in SERVICE or urlsplit(link).scheme or link.startswith("//"):
            continue
        target, name = _target(page, link), unquote(urlsplit(link).fragment)
        if target.is_dir() or not target.exists() or not target.is_relative_to(site):
            yield f"{where}: {link} leads nowhere"
        elif name and target in pages and name not in pages[target].names:
            yield f"{where}: {link} names no place on that page"


def _target(page: Path, link: str) -> Path:
    path = unquote(urlsplit(link).path)
    return (page.parent / path).resolve() if path else page
