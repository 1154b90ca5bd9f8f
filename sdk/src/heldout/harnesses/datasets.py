"""The problems of an open split as a `datasets.Dataset` (`pip install 'heldout[datasets]'`). Not for training.

    from heldout.harnesses.datasets import load
    problems = load("quiz", split="dev")

A row is a problem: `id`, `subject`, `type`, `statement`, `choices`, `answer_format`, `prompt` (all of it as one text),
`gold`, `solution`, `images` (bytes), and `canary`, by which a corpus that took these rows in can be recognised.
"""

from collections.abc import Iterator
from typing import Any

from datasets import Dataset, DatasetInfo, Features, Sequence, Value
from pydantic import TypeAdapter

from heldout._flow import Request, exchange, parse
from heldout._session_calls import params, part_of
from heldout.client import Client
from heldout.errors import Invalid
from heldout.models import Benchmark, Page, Problem

NOTICE = (
    "NOT FOR TRAINING. Problems of a benchmark whose test set stays unseen; the open split is for trying an evaluation "
    "out. Keep the canary with every copy, and leave rows that carry it out of training data."
)
_PAGE = TypeAdapter(Page[Problem])
_TEXT = Value("string")
_TEXTS = ("id", "subject", "type", "statement", "answer_format", "prompt", "gold", "solution", "canary")
_CHOICES = [{"label": _TEXT, "text": _TEXT}]
_FEATURES = Features(dict.fromkeys(_TEXTS, _TEXT) | {"choices": _CHOICES, "images": Sequence(Value("binary"))})


def load(benchmark: str, split: str = "dev", *, client: Client | None = None) -> Dataset:
    """Every question of an open split; episodes are left out, since they are played and not read.

    `dataset.info` holds the notice, the version and the licence. Raises Invalid for a split whose golds are hidden, and
    HeldoutError.
    """
    with client or Client() as asked:
        found = asked.benchmark(benchmark)
        _open(found, split)
        rows = list(_rows(asked, benchmark, split))
    canary = rows[0]["canary"] if rows else ""
    info = DatasetInfo(
        description=f"{found.title} {found.version}, split {split}. {NOTICE}\n{canary}",
        license=found.licence,
        homepage=f"{asked.config.base_url}/b/{benchmark}",
        dataset_name=benchmark,
        features=_FEATURES,
    )
    return Dataset.from_list(rows, features=_FEATURES, info=info)


def _open(found: Benchmark, split: str) -> None:
    opened = [item.name for item in found.splits if item.visibility == "dev"]
    if split not in opened:
        raise Invalid(
            f"the golds of '{split}' are hidden: it is no data set",
            code="split_not_open",
            advice=f"open splits of '{found.slug}': {', '.join(opened) or 'none'}; get_problems serves the others",
        )


def _rows(client: Client, benchmark: str, split: str) -> Iterator[dict[str, Any]]:
    cursor: str | None = None
    while True:
        query = params(split=split, limit=100, cursor=cursor)
        request = Request("GET", f"/v1/benchmarks/{part_of(benchmark)}/problems", query)
        reply = client._run(exchange(request, client._calls._retries))
        page = parse(reply, _PAGE)
        for problem in page.items:
            if not problem.episode:
                yield _row(client, problem, reply.headers.get("heldout-canary", ""))
        cursor = page.next
        if cursor is None:
            return


def _row(client: Client, problem: Problem, canary: str) -> dict[str, Any]:
    row: dict[str, Any] = {name: getattr(problem, name, None) for name in _TEXTS}
    images = [client.image(image) for image in problem.images]
    return row | {"canary": canary, "choices": [item.model_dump() for item in problem.choices], "images": images}
