"""Reading a pack from disk. Everything is checked before anything is returned, and every fault is told."""

from pathlib import Path

from packs import checks
from packs.assets import read_assets
from packs.environments import Environments, episode_faults
from packs.faults import Fault, PackError
from packs.files import Located, read_benchmark, read_lines
from packs.pack import ASSETS_FOLDER, BENCHMARK_FILE, PROBLEMS_FILE, REFERENCES_FILE, Pack
from packs.problem import Problem, ReferenceLine

__all__ = ["Fault", "Pack", "PackError", "read_pack"]


def read_pack(path: Path, environments: Environments, *, grade_gold: bool = True) -> Pack:
    """The pack in the folder `path`, its episodes for some of the `environments`; raises PackError with all faults.

    `grade_gold` grades each stated gold answer under its own reference: one call of a grader for each answer.
    """
    if not path.is_dir():
        raise PackError([Fault(str(path), 0, "", "not a folder", "name the folder that holds benchmark.toml")])
    faults: list[Fault] = []
    benchmark = read_benchmark(path / BENCHMARK_FILE, faults)
    problems = read_lines(path / PROBLEMS_FILE, Problem, faults)
    references = read_lines(path / REFERENCES_FILE, ReferenceLine, faults)
    assets = read_assets(path / ASSETS_FOLDER, faults)
    readable = not faults
    faults += _across(problems, references, complete=readable)
    if benchmark is not None:
        faults += checks.splits(benchmark, problems, complete=readable)
    faults += checks.images(problems, assets, benchmark.card if benchmark else "", complete=readable)
    by_id = {item.record.id: item.record for item in problems}
    for item in references:
        faults += episode_faults(item, by_id.get(item.record.id), environments)
    faults += checks.gold_answers(references, grade_gold=grade_gold)
    if faults or benchmark is None:
        raise PackError(faults)
    rows = tuple(item.record for item in problems)
    return Pack(path, benchmark, rows, tuple(item.record for item in references), assets)


def _across(
    problems: list[Located[Problem]], references: list[Located[ReferenceLine]], *, complete: bool
) -> list[Fault]:
    faults = checks.duplicates(PROBLEMS_FILE, problems) + checks.duplicates(REFERENCES_FILE, references)
    if complete:
        faults += checks.counterparts(problems, references)
    for item in problems:
        faults += checks.choices(item)
    by_id = {item.record.id: item for item in references}
    for item in problems:
        if (other := by_id.get(item.record.id)) is not None:
            faults += checks.episode(item, other) + checks.leaks(item, other) + checks.variation(item, other)
    return faults
