"""The admission check of questions: who knows nothing must not score, the gold must, no gold may lie in the open.

Pure: the caller hands over the problems, their references and the texts that are public; grading is `grading.grade`.
Every variant of a problem is played, and a problem's score is the mean over its variants.
"""

from collections.abc import Mapping, Sequence

from api.admission.report import AdmissionReport, Finding, ParticipantReport, SplitReport
from grading import Answer, Outcome, grade, parse_reference
from grading.reference import Reference
from grading.registry import needs_of
from packs import leaks
from packs.benchmark import SplitConfig, Visibility
from packs.participants import GUESSING, LEVEL, NAIVE, REMEDIES, declared_chance, luck, play, prompt
from packs.problem import Problem, ReferenceLine
from packs.variation.variants import variants_of

VARIANT_KEY = b"admission"
Form = tuple[Problem, ReferenceLine]


def check_questions(
    splits: Mapping[str, SplitConfig],
    problems: Sequence[Problem],
    lines: Mapping[str, ReferenceLine],
    public: Mapping[str, str],
) -> AdmissionReport:
    """Judge the questions of every hidden split, and search the golds of all its problems.

    `public` maps the name of each other public text (card, asset) to its content.
    """
    reports = []
    for name, config in splits.items():
        if config.visibility is Visibility.DEV:
            continue
        mine = [problem for problem in problems if problem.split == name]
        reports.append(_split(name, config, mine, lines, problems, public))
    return AdmissionReport(passed=all(report.passed for report in reports), splits=reports, not_covered=[])


def _split(
    name: str,
    config: SplitConfig,
    mine: Sequence[Problem],
    lines: Mapping[str, ReferenceLine],
    everything: Sequence[Problem],
    public: Mapping[str, str],
) -> SplitReport:
    played = [variants_of(problem, lines[problem.id], VARIANT_KEY) for problem in mine if not problem.episode]
    parsed = [[(problem, parse_reference(line.reference)) for problem, line in group] for group in played]
    participants = [_play(name, parsed, config.chance_level) for name in NAIVE]
    gold, refused = _gold(played)
    texts = dict(public) | {leaks.prompt_of(p.id): prompt(p) for p in everything}
    found = leaks.search([lines[problem.id] for problem in mine], texts)
    findings = refused + [
        Finding(check=leak.check, problem=leak.problem, place=leak.place, remedy="remove it from there")
        for leak in found
    ]
    passed = all(report.passed for report in participants) and gold.passed and not findings
    return SplitReport(
        split=name,
        problems=len(mine),
        chance_level=config.chance_level,
        participants=[*participants, gold] if played else [],
        findings=findings,
        passed=passed,
    )


def _play(name: str, played: Sequence[Sequence[tuple[Problem, Reference]]], chance: float) -> ParticipantReport:
    scores, unscored = [], 0
    for group in played:
        marks = [play(name, problem, reference) for problem, reference in group]
        scores.append(sum(mark for mark, _ in marks) / len(marks))
        unscored += sum(waits for _, waits in marks)
    score = sum(scores) / len(scores) if scores else 0.0
    # Guessing has luck: only what lies beyond it is a hole. The other participants get no slack.
    allowed = luck(chance, len(scores)) if name in GUESSING else chance
    passed = score <= allowed + 1e-9
    remedy = "" if passed else _remedy(name, score, chance)
    return ParticipantReport(
        name=name, score=round(score, 6), allowed=round(allowed, 6), unscored=unscored, passed=passed, remedy=remedy
    )


def _remedy(name: str, score: float, chance: float) -> str:
    beyond = f"more than luck at chance {chance:g} (1 set in {1 / LEVEL:g}): " if name in GUESSING and chance else ""
    return beyond + REMEDIES[name] + _raise_chance(score)


def _raise_chance(score: float) -> str:
    return f"; or declare it: chance_level = {declared_chance(score):g}" if score < 1 else ""


def _gold(played: Sequence[Sequence[Form]]) -> tuple[ParticipantReport, list[Finding]]:
    scores, findings, unscored = [], [], 0
    for group in played:
        for problem, line in group:
            reference = parse_reference(line.reference)
            stated = line.solution or reference.solution_text() or reference.gold_text() or ""
            text = line.gold if line.gold is not None else stated
            verdict = grade(Answer(text=text), reference)
            # A proof without a solution has nothing to try: it waits for people like one with a solution.
            if verdict.outcome is Outcome.UNSCORED or (not text and "people" in needs_of(reference)):
                unscored += 1
                continue
            scores.append(verdict.score or 0.0)
            if verdict.score != 1.0:
                remedy = "fix the reference or the gold: " + verdict.reason
                findings.append(Finding(check="gold scores 1", problem=problem.id, place="reference", remedy=remedy))
    score = sum(scores) / len(scores) if scores else 1.0
    passed = score >= 1.0
    remedy = "" if passed else f"{len(findings)} gold answers are not accepted by their own references"
    report = ParticipantReport(
        name="gold", score=round(score, 6), allowed=1.0, unscored=unscored, passed=passed, remedy=remedy
    )
    return report, findings
