"""The page of an instance, and the little server it has inside the session."""

import html
import re
from dataclasses import dataclass, field

from pydantic import JsonValue

from envs.browser.http1 import Request, Response

HOST = "forms.test"
BUTTON = '<p><input type="submit" value="Submit"></p>'
INTEGRITY = re.compile(r"""(<(?:script|link)\b[^>]*?)\s+integrity\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)""", re.IGNORECASE)
PAIRS = re.compile(r"<(?:input|button)\b[^>]*\btype\s*=\s*[\"']?submit\b", re.IGNORECASE)


def filled(template: str, inputs: dict[str, str]) -> str:
    """The template with every `${name}` replaced by the raw value, as the published server does; unknown names stay."""
    return re.sub(r"\$\{(\w+)\}", lambda match: inputs.get(match[1], match[0]), template)


def document(template: str, inputs: dict[str, str], title: str) -> str:
    """A whole page: the filled template in a form, with a submit button if it has none of its own.

    Digests of libraries are left out: the copies are of other versions, which a browser would refuse.
    """
    body = INTEGRITY.sub(r"\1", filled(template, inputs))
    button = "" if PAIRS.search(body) else BUTTON
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title></head><body>'
        f'<form name="mturk_form" id="mturk_form" method="post" action="/submit">{body}{button}</form></body></html>'
    )


@dataclass
class FormSite:
    """Serves one page at its root and takes its submission, which leaves the page in place.

    `submitted` is the last submission: values by name, several of one name in a list; None while there is none.
    """

    page: str
    submitted: dict[str, JsonValue] | None = None
    times: int = field(default=0)

    async def __call__(self, request: Request) -> Response:
        """The page, or 204 for a submission."""
        if request.method == "POST":
            self.times += 1
            self.submitted = collect(request.form())
            return Response(204)
        if request.path == "/":
            return Response.html(self.page)
        return Response.html("<title>Not here</title><p>There is nothing at this address.</p>", 404)


def collect(pairs: list[tuple[str, str]]) -> dict[str, JsonValue]:
    """Form fields by name; a name that comes more than once has a list."""
    values: dict[str, list[str]] = {}
    for name, value in pairs:
        values.setdefault(name, []).append(value)
    return {name: found[0] if len(found) == 1 else [*found] for name, found in values.items()}
