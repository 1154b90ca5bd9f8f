"""AgentBench's database samples (THUDM/AgentBench v0.2 and main; JSON lines) as a pack.

Mode "published" judges with the digests and the comparison as published; mode "fixed" compares with the table that the
gold statement leaves in a server of its own, and with the later comparison of answers. Published labels of questions
are noisy: with `check` the published query is run on the published table, and what contradicts its label is left out
("fixed") or marked ("published"). Labels whose query does not run cannot be verified; they are marked.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from envs import registry
from envs.base import Probe as WorldProbe
from envs.database.importers.upstream import read_words
from envs.database.spec import Table
from grading.answer import Answer
from grading.registry import grade
from grading.verdict import Outcome
from packs import cards
from packs.benchmark import Benchmark, Scoring
from packs.draft import DraftPack, Finding, Mode, Soundness, known_mode
from packs.files import json_rows
from packs.problem import Episode, Probe, Problem, ReferenceLine
from packs.report import Report

TURNS = 15
SECONDS = 1800
STATES = ("INSERT", "UPDATE", "DELETE")


@dataclass(frozen=True)
class Sample:
    """One published sample: its id, its kind of task, and its fields."""

    id: str
    kind: str
    data: Any

    @property
    def changes(self) -> bool:
        """Whether it is judged by the table it leaves."""
        return self.kind in STATES

    @property
    def labels(self) -> list[str]:
        """The gold: statements where it changes data, values where it asks for them."""
        label = self.data.get("label")
        return [str(item) for item in label] if isinstance(label, list) else [str(label)]

    @property
    def query(self) -> str:
        """The published query of a question; empty where there is none."""
        sql = self.data.get("sql")
        return str(sql.get("query") or "") if isinstance(sql, dict) else ""


def read(
    source: Path, *, mode: Mode = "fixed", seed: int = 0, limit: int | None = None, upstream: str = ""
) -> DraftPack:
    """The samples of `source`, of which `limit` takes the first alone. The golds of those that change data are to be
    played, and the published queries of the others to be run: that needs a sandbox with MariaDB. `upstream` is a
    checkout of AgentBench v0.2, whose instruction is then shown in place of ours.

    Raises FileNotFoundError, and ValueError for another mode and for what is no JSON.
    """
    known_mode(mode)
    report = Report(source.name)
    shown = read_words(Path(upstream)).spec() if upstream else {}
    problems: list[Problem] = []
    references: list[ReferenceLine] = []
    samples: dict[str, Sample] = {}
    for sample in islice(read_samples(source), limit):
        report.read += 1
        tables = _tables(sample, report) if _is_sample(sample, report) else None
        if tables is None:
            continue
        samples[sample.id] = sample
        problems.append(_problem(sample))
        references.append(_line(sample, tables, mode, shown))
    soundness = Soundness(
        exclude=mode == "fixed",
        seed=seed,
        times=1,
        # A question's gold is its label: there is nothing to play, but a query to hold it against.
        ids=frozenset(name for name, sample in samples.items() if sample.changes),
        examine=partial(_against_label, samples),
        trial=Episode(environment="database", spec={"problem": "?", "tables": [{"name": "t", "columns": ["a"]}]}),
    )
    return DraftPack(
        report, problems, references, card=partial(benchmark, mode), soundness=soundness, notes=_by_category
    )


def _by_category(kept: Sequence[Problem]) -> list[str]:
    counts = sorted(Counter(problem.subject for problem in kept).items())
    return ["kept by category: " + ", ".join(f"{name} {count}" for name, count in counts)]


def read_samples(source: Path) -> Iterator[Sample]:
    """Every sample of a file (JSON lines, or a JSON list), or of all such files in a folder."""
    files = sorted(path for path in source.rglob("*.json*") if path.is_file()) if source.is_dir() else [source]
    if not files or not all(file.is_file() for file in files):
        raise FileNotFoundError(f"no JSON-lines file at {source}")
    for file in files:
        stem = "".join(c if c.isalnum() or c in "-._" else "-" for c in file.stem)
        held = json_rows(file)
        if source.is_dir() and not any(isinstance(found, dict) and "table" in found for found in held):
            continue
        for number, found in enumerate(held):
            stated = found.get("type") if isinstance(found, dict) else None
            kind = stated[0] if isinstance(stated, list) and stated else stated
            yield Sample(f"{stem}-{number:05d}", str(kind), found)


def _is_sample(sample: Sample, report: Report) -> bool:
    needed = {"description", "label", "type", "table"}
    if isinstance(sample.data, dict) and needed <= sample.data.keys() and str(sample.data["description"]).strip():
        return True
    report.exclude(sample.id, "format", "a sample is an object with 'description', 'label', 'type' and 'table'")
    return False


def _tables(sample: Sample, report: Report) -> list[Table] | None:
    """The tables of a sample, or None when one cannot be made."""
    found = sample.data["table"] if isinstance(sample.data["table"], list) else [sample.data["table"]]
    if not found:
        report.exclude(sample.id, "table", "there is no table")
    try:
        return [_table(item) for item in found] or None
    except (ValidationError, KeyError, TypeError) as error:
        report.exclude(sample.id, "table", _reason(error))
        return None


def _reason(error: Exception) -> str:
    if not isinstance(error, ValidationError):
        return f"{type(error).__name__}: {error}"
    first = error.errors()[0]
    if first["type"] == "string_too_short":
        return f"an empty name at {'.'.join(map(str, first['loc']))}"
    return str(first["msg"]).removeprefix("Value error, ")


def _table(found: dict[str, Any]) -> Table:
    information = found["table_info"]
    columns = [str(column["name"]) for column in information["columns"]]
    return Table(name=str(found["table_name"]), columns=tuple(columns), rows=tuple(map(tuple, information["rows"])))


def _problem(sample: Sample) -> Problem:
    subject = sample.kind if sample.changes else "SELECT"
    type_ = "".join(c if c.isascii() and c.isalnum() else "_" for c in sample.kind.lower())
    return Problem(
        id=sample.id,
        split="dev",
        type=f"database_{type_}"[:64],
        subject=subject,
        statement=str(sample.data["description"]),
        episode=True,
    )


def _line(sample: Sample, tables: Sequence[Table], mode: Mode, shown: dict[str, object]) -> ReferenceLine:
    spec = shown | {
        "problem": str(sample.data["description"]),
        "hint": str(sample.data.get("add_description") or ""),
        "tables": [table.model_dump(mode="json") for table in tables],
        "protocol": mode,
        "turns": TURNS,
    }
    reference, probes = _judged(sample, tables[0].name, mode)
    # One action more than statements: the answer comes after the last of them.
    episode = Episode(environment="database", spec=spec, probes=probes, steps=TURNS + 1, seconds=SECONDS)
    return ReferenceLine(id=sample.id, reference=reference, episode=episode, oracle=tuple(_oracle(sample)))


def _judged(sample: Sample, table: str, mode: Mode) -> tuple[dict[str, Any], tuple[Probe, ...]]:
    if not sample.changes:
        return {"kind": "table", "task": "answer", "mode": mode, "labels": sample.labels}, ()
    seen = Probe(name="table", kind="table", arguments={"table": table})
    if mode == "published" and (digest := _digest(sample)):
        return {"kind": "table", "task": "state", "mode": mode, "digest": digest}, (seen,)
    gold = Probe(name="gold", kind="gold_table", arguments={"table": table, "statements": list(sample.labels)})
    return {"kind": "table", "task": "state", "mode": mode, "expected": "gold"}, (seen, gold)


def _digest(sample: Sample) -> str:
    """The 32 hexadecimal digits inside the published text `[('...',)]`."""
    stated = str(sample.data.get("answer_md5") or "").strip("[]()', ")
    return stated if len(stated) == 32 and set(stated) <= set("0123456789abcdef") else ""


def _oracle(sample: Sample) -> Iterator[dict[str, Any]]:
    statements = sample.labels if sample.changes else [sample.query] if sample.query else []
    for statement in statements:
        yield {"tool": {"name": "execute_sql", "arguments": {"query": statement}}}
    answers = ["done"] if sample.changes else list(sample.labels)
    yield {"tool": {"name": "commit_final_answer", "arguments": {"answers": answers}}}


async def _against_label(samples: Mapping[str, Sample], line: ReferenceLine) -> Finding | None:
    """Run a question's published query on its table and hold the rows against the label."""
    sample = samples[line.id]
    if sample.changes or not sample.query or line.episode is None:
        return None
    world = registry.create("database")
    try:
        await world.reset(dict(line.episode.spec), 0)
        query = WorldProbe(name="query", type="query", arguments={"statement": sample.query})
        seen = (await world.probe([query]))[0]
    finally:
        await world.close()
    if seen.error is not None:
        return Finding("unverified", f"the published query does not run: {seen.error}"[:300], unsound=False)
    if _agrees(seen.value, sample.labels):
        return None
    cause = f"the published query gives {_values(seen.value)[:5]}, the label says {sample.labels[:5]}"
    return Finding("contradicted", cause)


def _agrees(value: Any, labels: list[str]) -> bool:
    reference = {"kind": "table", "task": "answer", "mode": "fixed", "labels": labels}
    answers = [_values(value)] if len(labels) == 1 and not _values(value) else [_values(value), _first_column(value)]
    return any(grade(Answer(data=list(given)), reference).outcome is Outcome.CORRECT for given in answers if given)


def _values(value: Any) -> list[str | None]:
    return [cell for row in value["rows"] for cell in row] if isinstance(value, dict) else []


def _first_column(value: Any) -> list[str | None]:
    return [row[0] for row in value["rows"] if row] if isinstance(value, dict) else []


def benchmark(mode: Mode, problems: Sequence[Problem]) -> Benchmark:
    """The card of the pack; the score is the mean of the accuracies of SELECT, INSERT and UPDATE, as published."""
    return cards.published(
        "agentbench-db",
        mode,
        problems,
        title="database",
        licence="Apache-2.0",
        summary="Questions about a table, and changes to it, in SQL.",
        card=_CARD.format(mode=mode, count=len(problems)),
        scoring=Scoring(scheme="macro", by="subject"),
    )


_CARD = """\
{count} samples of AgentBench's database track (Liu et al., ICLR 2024, arXiv:2308.03688), mode "{mode}". The tables come
from WikiSQL, WikiTableQuestions, SQA, HybridQA and FeTaQA, each under its own terms.

Each session has a MariaDB server of its own. Changes are judged by the table they leave; the score is the mean of the
accuracies of SELECT, INSERT and UPDATE. The samples have been public since 2023: good for practice and for comparing
with published results, not as a hidden test.
"""
