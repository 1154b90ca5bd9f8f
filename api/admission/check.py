"""The admission check: may this pack go live? Its golds must pass, and participants that know nothing must not."""

from collections.abc import Iterator

from api.admission.episodes import check_episodes
from api.admission.questions import check_questions
from api.admission.report import AdmissionReport, EpisodesReport
from packs.benchmark import Visibility
from packs.pack import Pack


def has_hidden_problems(pack: Pack) -> bool:
    """Whether the admission check has anything to play."""
    hidden = {name for name, config in pack.benchmark.splits.items() if config.visibility is not Visibility.DEV}
    return any(problem.split in hidden for problem in pack.problems)


def check_pack_questions(pack: Pack) -> AdmissionReport:
    """The report on the questions of a pack, and on golds that lie in the open."""
    public = {"card": pack.benchmark.card, "summary": pack.benchmark.summary} | {
        f"assets/{name}": path.read_bytes().decode("utf-8", errors="replace") for name, path in pack.assets.items()
    }
    return check_questions(pack.benchmark.splits, pack.problems, pack.reference_by_id, public)


async def check_pack(pack: Pack, episodes: int | None) -> AdmissionReport:
    """The report on questions, and on at most so many episodes of each hidden split (None: all)."""
    report = check_pack_questions(pack)
    played = await check_episodes(pack.benchmark.splits, pack.problems, pack.reference_by_id, episodes)
    notes = [note for split in played for note in _not_covered(split)]
    passed = report.passed and all(split.passed for split in played)
    found = {"passed": passed, "episodes": played, "not_covered": notes, "warnings": list(_weak_marks(pack))}
    return report.model_copy(update=found)


def _weak_marks(pack: Pack) -> Iterator[str]:
    """Hidden splits whose copies can be told apart by the order of choices alone, which sorting takes away."""
    for name, config in pack.benchmark.splits.items():
        if config.visibility is Visibility.DEV:
            continue
        marks = [pack.reference_by_id[problem.id].variation for problem in pack.problems if problem.split == name]
        varying = [variation for variation in marks if variation is not None]
        if varying and all(not variation.constants and not variation.slots for variation in varying):
            yield (
                f"{name}: {len(varying)} of {len(marks)} problems carry a mark, and each is the order of its choices: "
                "whoever sorts the choices of a copy leaves nothing to trace it by. Give problems constants "
                "('variation.constants', docs/variants.md), or siblings with 'randomised_exposure', whose test needs "
                "no marks"
            )


def _not_covered(report: EpisodesReport) -> Iterator[str]:
    if report.played < report.episodes:
        yield f"{report.split}: {report.played} of {report.episodes} episodes played"
    if report.without_oracle:
        yield f"{report.split}: {report.without_oracle} episodes without an oracle"
    if report.unplayed:
        yield f"{report.split}: {len(report.unplayed)} episodes could not be played on the owner's machine"
