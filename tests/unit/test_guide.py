"""The documentation site: what is broken stops it, and what GitHub shows of a page is what the site shows."""

import re
import shutil
import zipfile
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
    with zipfile.ZipFile(guide / "files" / "pack-example.zip") as example_pack:
        assert {"benchmark.toml", "problems.jsonl", "references.jsonl"} <= set(example_pack.namelist())
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


# The generator's own faults, which end the building before ours are looked for, by line and column of a new page.
LINKS = {
    "[a](nowhere.md)": "orphan.md:3:5 ]",
    "[a](owners.md#no-such-place)": "orphan.md:3:31 ]",
    "[a](#no-such-place)": "orphan.md:3:51 ]",
}
OTHERS = {
    "![a](images/none.png)": "orphan.html: images/none.png leads nowhere",
    "[a](../examples/none.py)": "orphan.html: ../examples/none.py leads nowhere",
    '<a href="none.html">a</a>': "orphan.html: none.html leads nowhere",
    '<a href="owners.html#none">a</a>': "orphan.html: owners.html#none names no place on that page",
    "![a](https://example.org/a.png)": "orphan.html: https://example.org/a.png is fetched from another host",
    '<b style="color: red">a</b>': "orphan.html: style of <b> stands in the page",
    "[a](lanes.md)": "orphan.html: no page leads here",
}


@pytest.mark.parametrize("broken", [LINKS, OTHERS], ids=["links", "others"])
def test_what_is_broken_stops_the_building_and_leaves_the_site_alone(tmp_path: Path, broken: dict[str, str]) -> None:
    for folder in ("docs", "examples"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    shutil.copy(ROOT / "zensical.toml", tmp_path)
    (tmp_path / "docs" / "orphan.md").write_text(f"# An orphan\n\n{' '.join(broken)}\n")
    out = tmp_path / "out"
    out.mkdir()
    (out / "index.html").write_text("as it was")
    with pytest.raises(GuideError) as raised:
        build(out, tmp_path)
    assert [says for says in broken.values() if says not in str(raised.value)] == [], str(raised.value)
    assert (out / "index.html").read_text() == "as it was"
