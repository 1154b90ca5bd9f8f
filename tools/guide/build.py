"""Zensical makes the pages; what it leaves inline becomes files, and every link of the result is followed.

The service lets in scripts of its own address alone, and none that stand in a page: so the theme's few are moved into
files, in the place where they stood. Files of the checkout that a page links to come along as plain text.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.guide.links import faults

ROOT = Path(__file__).parents[2]
OUT = ROOT / "api" / "web" / "guide"
STARTER = ROOT / "sdk" / "src" / "heldout" / "starter"
_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
_AWAY = re.compile(r'href="((?:\.\./)+[^"#?:]+)"')
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


class GuideError(Exception):
    """The site cannot be built as it stands; the message says where."""


def build(out: Path, root: Path = ROOT) -> int:
    """Write the site of the checkout `root` to `out`, which is replaced whole or left alone; returns the pages."""
    with tempfile.TemporaryDirectory() as name:
        stage = Path(name)
        shutil.copytree(root / "docs", stage / "docs")
        shutil.copy(root / "zensical.toml", stage)
        _generate(stage)
        site = stage / "site"
        # For owners who have nothing but a browser.
        shutil.make_archive(str(site / "files" / "pack-example"), "zip", STARTER)
        # Its links are absolute, and the service has a page for what is missing.
        (site / "404.html").unlink()
        pages = sorted(site.rglob("*.html"))
        for page in pages:
            text = _with_files(page.read_text(encoding="utf-8"), page, site, root)
            page.write_text(_without_inline_scripts(text, page, site), encoding="utf-8")
        if found := faults(site):
            raise GuideError("\n".join(found))
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(site, out)
    return len(pages)


def _generate(stage: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--strict", "--clean"],
        cwd=stage,
        capture_output=True,
        text=True,
        env=os.environ | {"NO_COLOR": "1"},
        check=False,
    )
    if done.returncode:
        said = _COLOURS.sub("", done.stdout + done.stderr)
        raise GuideError(said.partition("Traceback")[0].strip() or said)


def _without_inline_scripts(text: str, page: Path, site: Path) -> str:
    """The page with each script that stands in it as a file of the site, run at the same place."""

    def moved(found: re.Match[str]) -> str:
        name = f"assets/javascripts/inline.{hashlib.sha256(found[1].encode()).hexdigest()[:8]}.js"
        (site / name).write_text(found[1], encoding="utf-8")
        return f'<script src="{_relative(name, page, site)}"></script>'

    return _SCRIPT.sub(moved, text)


def _with_files(text: str, page: Path, site: Path, root: Path) -> str:
    """The page with its links to files of the checkout leading to copies in the site."""
    docs = (root / "docs").resolve()

    def brought(found: re.Match[str]) -> str:
        source = (docs / page.parent.relative_to(site) / found[1]).resolve()
        if not source.is_file() or not source.is_relative_to(docs.parent) or source.is_relative_to(docs):
            return found[0]
        name = f"files/{source.relative_to(docs.parent)}.txt"
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, site / name)
        return f'href="{_relative(name, page, site)}"'

    return _AWAY.sub(brought, text)


def _relative(name: str, page: Path, site: Path) -> str:
    return os.path.relpath(site / name, page.parent)
