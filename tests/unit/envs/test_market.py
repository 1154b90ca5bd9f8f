"""The picture market: its pages are the same whatever its pictures show, so that who reads them alone has to guess."""

from typing import Any

from tests.support.site_programs import told

PROGRAM = """
import hashlib, io, json, os, random, re, sys, tempfile
from pathlib import Path
os.environ["HELDOUT_SITE_SECRET"] = "s"
import tenancy
from app import facts, site_app

def answer(path):
    said = []
    environ = {"REQUEST_METHOD": "GET", "PATH_INFO": path, "QUERY_STRING": "", "wsgi.input": io.BytesIO()}
    environ["HTTP_COOKIE"] = "visitor=" + site_app.application.login("visitor")["visitor"]
    body = b"".join(site_app.application(environ, lambda status, headers: said.append(status)))
    return said[0], body

def market(words, pictures):
    folder = Path(tempfile.mkdtemp()) / "session"
    folder.mkdir()
    with tenancy.within(folder):
        site_app.fill(random.Random(words), random.Random(pictures), "small")
        (folder / "template").symlink_to(folder)
        pages, media, todo = {}, {}, ["/"]
        while todo:
            path = todo.pop()
            if path in pages or path in media:
                continue
            status, body = answer(path)
            assert status == "200 OK", (path, status)
            if path.startswith("/media/"):
                media[path] = hashlib.sha256(body).hexdigest()
                continue
            # The form's token follows from the session alone.
            pages[path] = re.sub('name="token" value="[0-9a-f]+"', "", body.decode())
            todo += [found for found in re.findall('(?:href|src)="(/[^"]*)"', pages[path]) if found != "/style.css"]
    return pages, media

def seen(words, pictures):
    pages, media = market(words, pictures)
    return {"pages": pages, "media": media}

first, other, again = seen(1, 2), seen(1, 3), seen(1, 2)
print(json.dumps({
    "pages": len(first["pages"]), "pictures": len(first["media"]),
    "same_pages": first["pages"] == other["pages"], "same_again": first == again,
    "pictures_that_differ": sum(first["media"][name] != other["media"][name] for name in first["media"]),
    "alike": len(first["media"]) - len(set(first["media"].values())),
}))
"""


def test_no_page_says_what_a_picture_shows() -> None:
    found: dict[str, Any] = told("market", PROGRAM)
    assert found["pictures"] == 12 + 4 + 2
    # The front page, the list, and a page for each seller, lot, chart and plan.
    assert found["pages"] == 2 + 2 + 12 + 4 + 2
    assert found["same_pages"], "a page says something that follows from a picture"
    assert found["same_again"]
    assert (found["pictures_that_differ"], found["alike"]) == (18, 0)
