"""Library copies for pages that load from content delivery networks, and neutral answers for the rest.

The copies are npm packages (`infra/forms/package.json`), one for each major version; nothing is fetched when
a page asks.
"""

import functools
import io
import os
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from PIL import Image

from envs.browser.http1 import Request, Response

HERE = Path(__file__).resolve()
TYPES = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8"}
PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".bmp", ".ico")

# What an address names, and the file that stands for it; the first match counts.
RULES: tuple[tuple[str, str], ...] = (
    (r"jquery-ui|jqueryui|/ui/1\.\d+", "jquery-ui-dist/jquery-ui.min.{kind}"),
    (r"jquery\.dataTables\S*\.js", "datatables.net/js/jquery.dataTables.js"),
    (r"jquery[/.-]1[.\d]*\S*\.js", "jquery1/dist/jquery.min.js"),
    (r"jquery[/.-]2[.\d]*\S*\.js", "jquery2/dist/jquery.min.js"),
    (r"jquery\S*\.slim(\.min)?\.js", "jquery3/dist/jquery.slim.min.js"),
    (r"jquery[/.-](3[.\d]*|latest)\S*\.js|/jquery(\.min)?\.js", "jquery3/dist/jquery.min.js"),
    (r"popper(\.min)?\.js", "popper.js/dist/umd/popper.min.js"),
    (r"bootstrap-slider\S*\.js", "bootstrap-slider/dist/bootstrap-slider.min.js"),
    (r"bootstrap-slider\S*\.css", "bootstrap-slider/dist/css/bootstrap-slider.min.css"),
    (r"bs30/css|bootstrap/3[.\d]*/css/bootstrap(\.min)?\.css", "bootstrap3/dist/css/bootstrap.min.css"),
    (r"bootstrap/3[.\d]*/css/bootstrap-theme", "bootstrap3/dist/css/bootstrap-theme.min.css"),
    (r"bootstrap/3[.\d]*/js", "bootstrap3/dist/js/bootstrap.min.js"),
    (r"bootstrap[/@]4[.\d]*\S*/css", "bootstrap4/dist/css/bootstrap.min.css"),
    (r"bootstrap[/@]4[.\d]*\S*/js", "bootstrap4/dist/js/bootstrap.min.js"),
    (r"svg\.js/2", "svg.js/dist/svg.min.js"),
    (r"chroma-js/1", "chroma-js/chroma.min.js"),
    (r"distinct-colors", "distinct-colors/dist/distinct-colors.min.js"),
    (r"tachyons", "tachyons/css/tachyons.min.css"),
    (r"lightbox-plus-jquery", "lightbox2/dist/js/lightbox-plus-jquery.min.js"),
    (r"lightbox\S*\.css", "lightbox2/dist/css/lightbox.min.css"),
    (r"gojs/release/go", "gojs/release/go.js"),
)


def folder() -> Path | None:
    """The copies: `HELDOUT_FORM_LIBRARIES`, else `node_modules` in the checkout's `infra/forms`; None if absent."""
    named = os.environ.get("HELDOUT_FORM_LIBRARIES")
    place = Path(named) if named else HERE.parents[2] / "infra" / "forms" / "node_modules"
    return place if place.is_dir() else None


@functools.cache
def placeholder() -> bytes:
    """A grey PNG of 320 by 240 pixels, for pictures that only the Internet has."""
    out = io.BytesIO()
    Image.new("RGB", (320, 240), "#c8c8c8").save(out, "PNG")
    return out.getvalue()


@dataclass
class Elsewhere:
    """Answers for every host that is not the page's own, out of the copies; counts what it could not give.

    `missing` counts hosts of scripts, styles and pages that no copy stands for, `pictures` hosts of remote images.
    """

    missing: Counter[str] = field(default_factory=Counter)
    pictures: Counter[str] = field(default_factory=Counter)

    async def __call__(self, request: Request) -> Response:
        """The copy, a placeholder for an image, or 404."""
        address = f"{request.host}{request.path}?{request.query}"
        copy = find(address)
        if copy:
            headers = {"Content-Type": TYPES.get(copy.suffix, "application/octet-stream")}
            return Response(200, copy.read_bytes(), headers | {"Access-Control-Allow-Origin": "*"})
        if request.headers.get("sec-fetch-dest") == "image" or request.path.lower().endswith(PICTURES):
            self.pictures[request.host] += 1
            return Response(200, placeholder(), {"Content-Type": "image/png"})
        self.missing[request.host] += 1
        return Response.html("<title>Not here</title>", 404)


def find(address: str) -> Path | None:
    """The file that stands for an address, if there is one."""
    place = folder()
    kind = "css" if ".css" in address else "js"
    for pattern, name in RULES:
        if place and re.search(pattern, address, re.IGNORECASE):
            file = place / name.format(kind=kind)
            return file if file.is_file() else None
    return None
