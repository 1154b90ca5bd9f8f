"""What the admission check of a pack found: reports by split and by participant."""

from pydantic import BaseModel, ConfigDict


class ParticipantReport(BaseModel):
    """What one participant scored on a split and what it was allowed; `unscored` items wait for a judge."""

    model_config = ConfigDict(frozen=True)

    name: str
    score: float
    allowed: float
    unscored: int
    passed: bool
    remedy: str = ""


class Finding(BaseModel):
    """A gold found where it must not be, or a gold answer that its own reference does not accept."""

    model_config = ConfigDict(frozen=True)

    check: str
    problem: str
    place: str
    remedy: str


class SplitReport(BaseModel):
    """What was found among the questions of one split, and where its golds lie in the open."""

    model_config = ConfigDict(frozen=True)

    split: str
    problems: int
    chance_level: float
    participants: list[ParticipantReport]
    findings: list[Finding]
    passed: bool


class EpisodesReport(BaseModel):
    """How the episodes of one split stood. `unplayed` names those that could not be played here, with the reason."""

    model_config = ConfigDict(frozen=True)

    split: str
    episodes: int
    played: int
    chance_level: float
    participants: list[ParticipantReport]
    unplayed: dict[str, str]
    without_oracle: int
    passed: bool


class AdmissionReport(BaseModel):
    """`passed` when every hidden split passes. `not_covered` says what this check did not look at, `warnings` what
    fails nothing but protects less than its owner may think."""

    model_config = ConfigDict(frozen=True)

    passed: bool
    splits: list[SplitReport]
    episodes: list[EpisodesReport] = []
    not_covered: list[str]
    warnings: list[str] = []


def refusals(report: AdmissionReport) -> list[str]:
    """Every reason why a report did not pass, a line each. Findings name problems: for the owner's eyes only."""
    reports: list[SplitReport | EpisodesReport] = [*report.splits, *report.episodes]
    lines = [
        f"{split.split}: {one.name} scored {one.score:.3f}, allowed {one.allowed:.3f}: {one.remedy}"
        for split in reports
        for one in split.participants
        if not one.passed
    ]
    for split in report.splits:
        lines += [f"{split.split}: {f.problem}: {f.check} ({f.place}); {f.remedy}" for f in split.findings]
    return lines


def summary(report: AdmissionReport) -> dict[str, object]:
    """What is public of a report: what was played, and what passed.

    Scores are not: these participants' answers are known to everybody, so each score would say how many golds they hit.
    """
    return {
        "passed": report.passed,
        "splits": {
            split.split: {
                "passed": split.passed,
                "problems": split.problems,
                "chance_level": split.chance_level,
                "participants": {p.name: p.passed for p in split.participants},
            }
            for split in report.splits
        },
        "episodes": {
            split.split: {
                "passed": split.passed,
                "episodes": split.episodes,
                "played": split.played,
                "chance_level": split.chance_level,
                "participants": {p.name: p.passed for p in split.participants},
            }
            for split in report.episodes
        },
        "not_covered": report.not_covered,
    }
