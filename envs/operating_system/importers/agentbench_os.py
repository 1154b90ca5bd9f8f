"""AgentBench's operating-system samples (THUDM/AgentBench v0.2 and main) as a pack.

`source` is one JSON file (an object or a list) or a folder of the published layout. Mode "published" keeps every
sample that can be built and its comparators as they were; mode "fixed" leaves out what cannot be sound, takes the
gold from a machine the participant never touched in both.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from envs.operating_system.importers.agentbench_scripts import (
    CALCULATOR,
    CALCULATOR_CHECK,
    EXPRESSIONS,
    MissingScriptError,
    Scripts,
    comparator,
    suspicion,
    typed,
)
from envs.operating_system.importers.machine import Machine
from envs.operating_system.importers.upstream import read_words
from envs.operating_system.spec import Script
from packs import cards
from packs.benchmark import Benchmark
from packs.draft import DraftPack, Mode, Soundness, known_mode
from packs.files import json_rows
from packs.problem import Episode, Probe, Problem, ReferenceLine
from packs.report import Report

TURNS = 8
SECONDS = 1800
GOLD = "gold"
# What reads when a file was made or changed.
_TIMES = re.compile(
    r"-(?:mtime|mmin|newer\w*|cmin|ctime|amin|atime)\b|%[TtAaCcWwXxYyZz]|\bls\s+(?:-\S+\s+)*-[a-zA-Z0-9]*t"
    r"|--sort[= ]time|\bstat\b|--time\b|\bdate\s+-r"
)


@dataclass(frozen=True)
class Sample:
    """One published sample, where it stands, and the folders its scripts may be in."""

    id: str
    data: Any
    folders: tuple[Path, ...]


@dataclass
class Judged:
    """What judges a sample: probes, the reference, and the actions that solve it."""

    probes: list[Probe]
    checks: list[dict[str, Any]]
    succeeds: list[str]
    oracle: list[dict[str, Any]]

    def reference(self, mode: Mode) -> dict[str, Any]:
        """The 'commands' reference."""
        gold = [probe.name for probe in self.probes if probe.kind == "gold"]
        held: dict[str, Any] = {"kind": "commands", "mode": mode}
        partial = [probe.name for probe in self.probes if probe.kind == "gold" and _finds(probe)]
        parts = {"checks": self.checks, "succeeds": self.succeeds, "gold": gold, "partial": partial}
        return held | {name: part for name, part in parts.items() if part}


def _finds(gold: Probe) -> bool:
    return re.search(r"\bfind\b", _code(gold)) is not None


def _code(probe: Probe) -> str:
    script = probe.arguments["script"]
    return str(script["code"]) if isinstance(script, dict) else ""


def read(
    source: Path,
    *,
    mode: Mode = "fixed",
    scripts: Path | str | None = None,
    seed: int = 0,
    limit: int | None = None,
    upstream: str = "",
    image: str = "",
) -> DraftPack:
    """The samples of `source`, of which `limit` takes the first alone. The gold of each is to be played: one that does
    not pass (or passes without doing anything) is left out in mode "fixed", marked in "published". `upstream` is a
    checkout of AgentBench v0.2, whose instruction and example are then shown in place of ours. `image` is the sandbox
    image of the tasks, pinned by its digest ("host": this machine's own programs); without it, AgentBench's where
    `make images` built it, else "host", which the report says first.

    Raises FileNotFoundError, and ValueError for another mode and for what is no JSON.
    """
    known_mode(mode)
    report = Report(source.name)
    machine = Machine.chosen(image)
    report.notes += machine.notes
    shown = (read_words(Path(upstream)).spec() if upstream else {}) | machine.spec
    problems: list[Problem] = []
    references: list[ReferenceLine] = []
    for sample in islice(read_samples(source, Path(scripts) if scripts else None), limit):
        report.read += 1
        built = _convert(sample, mode, report, shown)
        if built is not None:
            problems.append(built[0])
            references.append(built[1])
    trial = Episode(environment="operating_system", spec={"problem": "?", **machine.spec})
    soundness = Soundness(exclude=mode == "fixed", seed=seed, trial=trial)
    return DraftPack(report, problems, references, card=partial(benchmark, mode, machine), soundness=soundness)


def read_samples(source: Path, scripts: Path | None = None) -> Iterator[Sample]:
    """Every sample below `source`, with ids after the file it stands in."""
    files = sorted(path for path in source.rglob("*.json*") if path.is_file()) if source.is_dir() else [source]
    if not files or not all(file.is_file() for file in files):
        raise FileNotFoundError(f"no JSON file at {source}")
    for file in files:
        found = json_rows(file)
        if source.is_dir() and not all(map(_looks_right, found)):
            continue
        for number, item in enumerate(found):
            yield Sample(f"{_stem(file)}-{number:05d}", item, _folders(file, scripts))


def _looks_right(item: Any) -> bool:
    # Samples of other tracks have 'evaluation' too, and a table.
    return isinstance(item, dict) and "evaluation" in item and "table" not in item


def _stem(file: Path) -> str:
    group = f"{int(file.parent.name):03d}-" if file.parent.name.isdigit() else ""
    return group + "".join(c if c.isalnum() or c in "-._" else "-" for c in file.stem)


def _folders(file: Path, scripts: Path | None) -> tuple[Path, ...]:
    """Where scripts may be: as published, `scripts/<group>` beside `data/<group>`, or beside the file."""
    group = file.parent.name if file.parent.name.isdigit() else file.stem
    roots = [scripts] if scripts else [file.parents[n] / "scripts" for n in range(min(3, len(file.parents)))]
    return tuple(folder for root in roots for folder in (root / group, root) if folder.is_dir())


def _convert(
    sample: Sample, mode: Mode, report: Report, shown: dict[str, object]
) -> tuple[Problem, ReferenceLine] | None:
    scripts = Scripts(sample.folders)
    if not isinstance(sample.data, dict) or not str(sample.data.get("description") or "").strip():
        report.exclude(sample.id, "format", "a sample is an object with 'description' and 'evaluation'")
        return None
    if not isinstance(sample.data.get("evaluation"), dict):
        report.exclude(sample.id, "format", "'evaluation' is missing, or is no object")
        return None
    try:
        init, example = _world(sample.data, scripts)
        judged = _judge(sample.data["evaluation"], example, scripts)
    except MissingScriptError as error:
        report.exclude(sample.id, "script", str(error))
        return None
    except ValueError as error:
        report.exclude(sample.id, "format", str(error))
        return None
    for name in sorted(scripts.stood_in):
        report.mark(sample.id, "stand-in", f"'{name}' is not in the data; a script of ours does its work")
    if found := suspicion(init, example):
        (report.exclude if mode == "fixed" else report.mark)(sample.id, *found)
        if mode == "fixed":
            return None
    return _problem(sample), _line(sample, mode, init, judged, shown)


def _world(data: dict[str, Any], scripts: Scripts) -> tuple[tuple[Script, ...], Script | None]:
    create = data.get("create")
    found = create.get("init") if isinstance(create, dict) else None
    found = found if isinstance(found, list) else [found]
    init = tuple(scripts.resolve(item) for item in found if item)
    example = data["evaluation"].get("example") or data.get("example")
    if isinstance(example, dict) and data["evaluation"].get("check") == {"file": CALCULATOR_CHECK}:
        try:
            return init, scripts.resolve(example)
        except MissingScriptError:
            return init, Script(code=CALCULATOR)
    return init, scripts.resolve(example) if example else None


def _judge(evaluation: dict[str, Any], example: Script | None, scripts: Scripts) -> Judged:
    if "match" in evaluation:
        return _match(evaluation["match"], example)
    check = evaluation.get("check")
    if check is None:
        raise ValueError("'evaluation' has neither 'match' nor 'check'")
    judged = Judged([], [], [], _oracle(example))
    parameters: list[dict[str, Any]] = [{"answer": True}]
    for number, item in enumerate(check if isinstance(check, list) else [check]):
        _judge_one(item, number, example, scripts, judged, parameters)
    ends = "answer_action" if judged.checks or example is None else "finish_action"
    arguments = {"answer": "{{output}}"} if ends == "answer_action" else {"thought": "the task is done"}
    judged.oracle.append({"tool": {"name": ends, "arguments": arguments}})
    return judged


def _judge_one(
    item: Any, number: int, example: Script | None, scripts: Scripts, judged: Judged, parameters: list[dict[str, Any]]
) -> None:
    if (compare := comparator(item)) is not None:
        outputs = [str(parameter["probe"]) for parameter in parameters if "probe" in parameter]
        if not outputs:
            raise ValueError("a comparator has nothing to compare the answer with")
        judged.checks.append({"compare": compare, "right": {"source": "probe", "probe": outputs[0]}})
        return
    if item == {"file": CALCULATOR_CHECK}:
        try:
            scripts.resolve(item)
        except MissingScriptError:
            _calculator(judged)
            scripts.stood_in.add(CALCULATOR_CHECK)
            return
    if item is None and example is None:
        raise ValueError("the check asks for an example, and there is none")
    script = example if item is None and example else scripts.resolve(item)
    name = GOLD if item is None else f"check-{number}"
    # Gold commands are given no parameters, although published: the answer would decide what is right.
    arguments: dict[str, Any] = {"script": script.model_dump()}
    if item is not None:
        arguments["parameters"] = list(parameters)
        judged.succeeds.append(name)
    judged.probes.append(Probe(name=name, kind="gold" if item is None else "check", arguments=arguments))
    parameters.append({"probe": name})


def _calculator(judged: Judged) -> None:
    for number, (expression, value) in enumerate(EXPRESSIONS):
        name = f"calc-{number}"
        script = {"code": f"calc '{expression}'"}
        judged.probes.append(Probe(name=name, kind="check", arguments={"script": script}))
        left, right = {"source": "probe", "probe": name}, {"source": "text", "text": value}
        judged.checks.append({"compare": "number", "left": left, "right": right, "tolerance": 1e-5})


def _match(match: Any, example: Script | None) -> Judged:
    wanted = match if isinstance(match, dict) else {"answer": match}
    compare, value = ("regex", wanted["regex"]) if "regex" in wanted else ("string", wanted.get("answer"))
    if not isinstance(value, str | int | float):
        raise ValueError("'match' is a text, {answer} or {regex}")
    check = {"compare": compare, "right": {"source": "text", "text": str(value)}}
    oracle = _oracle(example)
    if compare == "string":
        oracle.append({"tool": {"name": "answer_action", "arguments": {"answer": str(value)}}})
    return Judged([], [check], [], oracle)


def _oracle(example: Script | None) -> list[dict[str, Any]]:
    return [{"tool": {"name": "bash_action", "arguments": {"script": typed(example)}}}] if example else []


def _problem(sample: Sample) -> Problem:
    labels = sample.data.get("labels")
    subject = str(labels[0]) if isinstance(labels, list) and labels else "operating system"
    return Problem(
        id=sample.id, split="dev", type="operating_system", subject=subject, statement=_statement(sample), episode=True
    )


def _statement(sample: Sample) -> str:
    """The description; some were stored as quoted Python texts, with their newlines escaped."""
    text = str(sample.data["description"]).strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        try:
            inner = ast.literal_eval(text)
        except (ValueError, SyntaxError):
            return text
        return inner.strip() if isinstance(inner, str) and inner.strip() else text
    return text


def _line(
    sample: Sample, mode: Mode, init: tuple[Script, ...], judged: Judged, shown: dict[str, object]
) -> ReferenceLine:
    spec: dict[str, Any] = {"problem": _statement(sample), "protocol": mode, "turns": TURNS} | shown
    if init:
        spec["init"] = [script.model_dump() for script in init]
    if sample.data.get("start"):
        spec["start"] = str(sample.data["start"])
    if any(_TIMES.search(_code(probe)) for probe in judged.probes):
        spec["times"] = True
    episode = Episode(
        environment="operating_system", spec=spec, probes=tuple(judged.probes), steps=TURNS, seconds=SECONDS
    )
    return ReferenceLine(id=sample.id, reference=judged.reference(mode), episode=episode, oracle=tuple(judged.oracle))


def benchmark(mode: Mode, machine: Machine, problems: Sequence[Problem]) -> Benchmark:
    """The card of the pack, which pins the image."""
    card = cards.published(
        "agentbench-os",
        mode,
        problems,
        title="operating system",
        licence="Apache-2.0",
        summary="Questions about a Linux machine, answered with a shell.",
        card=_CARD.format(mode=mode, count=len(problems), machine=machine.words),
    )
    return card.model_copy(update={"sandbox_images": machine.digests})


_CARD = """\
{count} samples of AgentBench's operating-system track (Liu et al., ICLR 2024, arXiv:2308.03688), mode "{mode}".

The gold commands run in a machine that the participant never touched, made from the same image and preparation; the
answer meets their output on the server. {machine}

The samples have been public since 2023: good for practice and for comparing with published results, not as a hidden
test.
"""
