"""The documentation site: what is broken stops it, and what GitHub shows of a page is what the site shows."""

import re
import shutil
from collections import Counter
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from tests.support.guide import guide
from tests.support.snippets import ROOT
from tools.guide.build import GuideError, build
from tools.guide.links import Links, faults

__all__ = ["guide"]
PAGES = sorted(path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md"))
ELEMENTS = re.compile(r"<(li|tr|th|td|pre|h[1-6]|ol|ul|blockquote|img)\b")

AWAY = re.compile(r"(?:url\(\s*[\"']?|@import\s+[\"'])(?:https?:)?//")


def test_every_page_is_there_with_its_pictures_and_files(guide: Path) -> None:
    assert sorted(path.relative_to(guide) for path in guide.rglob("*.html")) == [
        page.with_suffix(".html") for page in PAGES
    ]
    assert (guide / "images" / "leaderboard.png").read_bytes().startswith(b"\x89PNG")
    example = (guide / "files" / "examples" / "openai_agents.py.txt").read_text()
    assert example == (ROOT / "examples" / "openai_agents.py").read_text()
    assert 'href="files/examples/openai_agents.py.txt"' in (guide / "client.html").read_text()


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_a_page_is_read_as_github_reads_it(guide: Path, page: Path) -> None:
    """Lists and tables that need an empty line before them for one and not for the other are told apart here."""
    expected = MarkdownIt("commonmark").enable("table").render((ROOT / "docs" / page).read_text(encoding="utf-8"))
    built = (guide / page.with_suffix(".html")).read_text(encoding="utf-8")
    article = built[built.index("<article") : built.index("</article>")]
    assert Counter(ELEMENTS.findall(article)) == Counter(ELEMENTS.findall(expected))


def test_nothing_is_fetched_from_another_host_and_nothing_stands_inline(guide: Path) -> None:
    assert faults(guide) == []
    for page in guide.rglob("*.html"):
        links = Links.of(page)
        assert any(name.endswith(".css") for name in links.fetched)
        assert any("bundle" in name for name in links.fetched)
        assert not [name for name in links.fetched if "//" in name]
    for sheet in guide.rglob("*.css"):
        assert not re.search(r"(?:url\(\s*[\"']?|@import\s+[\"'])(?:https?:)?//", sheet.read_text(encoding="utf-8")), (
            sheet
        )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[a](nowhere.md)", "page does not exist"),
        ("[a](owners.md#no-such-place)", "anchor does not exist"),
        ("[a](#no-such-place)", "anchor does not exist"),
        ("![a](images/none.png)", "lanes.html: images/none.png leads nowhere"),
        ("[a](../examples/none.py)", "lanes.html: ../examples/none.py leads nowhere"),
        ('<a href="none.html">a</a>', "lanes.html: none.html leads nowhere"),
        ('<a href="owners.html#none">a</a>', "lanes.html: owners.html#none names no place on that page"),
        ("![a](https://example.org/a.png)", "https://example.org/a.png is fetched from another host"),
        ('<p style="color: red">a</p>', "style of <p> stands in the page"),
        ("", "orphan.html: no page leads here"),
    ],
)
def test_what_is_broken_stops_the_building_and_leaves_the_site_alone(tmp_path: Path, text: str, says: str) -> None:
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    shutil.copy(ROOT / "zensical.toml", tmp_path)
    page = tmp_path / "docs" / ("lanes.md" if text else "orphan.md")
    with page.open("a", encoding="utf-8") as file:
        file.write(f"\n\n{text or '# An orphan'}\n")
    out = tmp_path / "out"
    out.mkdir()
    (out / "index.html").write_text("as it was")
    with pytest.raises(GuideError, match=re.escape(says)):
        build(out, tmp_path)
    assert (out / "index.html").read_text() == "as it was"
