"""What the OpenAPI document says beside the routes: short names of operations, and a text for each group of them."""

from typing import Any

from fastapi import FastAPI
from fastapi.routing import APIRoute

from api.core.examples import with_examples

_TAGS = {
    "accounts": "Who a key belongs to, and what is left of its limits.",
    "organisations": "Members of your organisation, and invitations.",
    "login": "Signing in from a command line, and revoking keys.",
    "benchmarks": "What there is to take part in: cards, splits, releases, agreements.",
    "problems": "Problems as your organisation is shown them. On hidden splits each is a row in the exposure ledger.",
    "submissions": "Answers, how far their grading is, and what the split's policy lets you learn of it.",
    "sessions": "Episodes that are played live, step by step.",
    "matches": "Matches of two participants, each with a session of its own, and ratings on Elo's scale.",
    "containers": "Programs of participants that the service runs itself, in a sandbox without network.",
    "endpoint runs": "Runs for which the service asks your model's endpoint itself.",
    "leaderboard": "Boards, with filters, in JSON and CSV; entries that an owner hides or verifies.",
    "feedback": "Decisions and scheduled releases of hidden splits.",
    "disputes": "Golds that participants dispute, the owners' answers, and what became of each.",
    "reviews": "Answers that people grade, and who may.",
    "regrades": "Submissions that were graded anew after a correction, and who moved.",
    "packs": "Owners bring a benchmark: upload, check, preview, publish.",
    "owners": "What a worker does for a benchmark's owner: diffs, exports, retirement, item statistics, previews.",
    "access": "Who asked for access to one's benchmark, and who has it.",
    "ledger": "Who was served what, and what looks like scraping.",
    "leaks": "Texts that were found outside, traced to who was served them.",
    "operations": "How the service is.",
}
TAGS = [{"name": name, "description": text} for name, text in _TAGS.items()]
"""The groups of operations in the order in which a reader meets them."""


def operation_id(route: APIRoute) -> str:
    """The name of the route's function: `list_problems`. No two routes of the interface have the same."""
    return route.name


def install(app: FastAPI) -> None:
    """Have the document give examples; it is made once."""
    plain = app.openapi

    def document() -> dict[str, Any]:
        made = app.openapi_schema is not None
        found = plain()
        return found if made else with_examples(found)

    app.__dict__["openapi"] = document
