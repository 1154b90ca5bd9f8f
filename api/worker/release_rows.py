"""What a pack becomes: rows of the public catalogue, and the secret sides for the vault. No I/O but its assets."""

import hashlib
import mimetypes
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from api.catalog.models import AssetRow, NgramFilterRow, ProblemRow, ReleaseRow, SplitRow
from api.core.errors import ConflictError
from api.core.ids import new_id
from api.feedback.policies import fewest_choices, policy_of
from api.worker.graders import lane_of
from api.worker.ngram_filter import ngram_filter
from grading.kinds.rubric import RubricReference
from grading.reference import Reference, walk
from grading.registry import needs_of, parse_reference
from packs.benchmark import SplitConfig, Visibility
from packs.pack import Pack
from packs.problem import Problem, ReferenceLine
from packs.variation.variants import VariantSet, build
from protection.feedback.policy import PolicyError


class FeedbackPolicyError(ConflictError):
    code = "feedback_policy"
    title = "A split's feedback policy is refused"


class DraftRubricError(ConflictError):
    code = "draft_rubric"
    title = "A rubric is a draft that nobody has checked"


@dataclass(frozen=True)
class ReleaseRows:
    """A release with all its rows; `secrets` are the reference lines by problem, with the sides of their variants."""

    release: ReleaseRow
    ngram_filters: list[NgramFilterRow]
    splits: list[SplitRow]
    problems: list[ProblemRow]
    assets: list[AssetRow]
    secrets: dict[UUID, dict[str, Any]]

    @property
    def episodes(self) -> dict[UUID, list[dict[str, Any]]]:
        """What a host needs to play each episode, in each of its variants."""
        return {
            problem: [side["episode"] for side in secret.get("variants", [secret])]
            for problem, secret in self.secrets.items()
            if secret["episode"]
        }


def release_rows(
    pack: Pack, benchmark_id: UUID, key: bytes, admission: dict[str, Any] | None, wanting: Collection[str] = ()
) -> ReleaseRows:
    """All rows of a pack's release, in the order in which they are inserted.

    Raises DraftRubricError, FeedbackPolicyError.

    Args:
        key: the instance's fingerprint key, which variants and the n-gram filter depend on.
        admission: the public summary of the admission check, if one was made.
        wanting: names of problems that may have a draft of a rubric or none, for it will be written.
    """
    release = _release(pack, benchmark_id, admission)
    rows = ReleaseRows(release, _ngram_filters(pack, release, key), [], [], list(_assets(pack, release.id)), {})
    for name, config in pack.benchmark.splits.items():
        varied = [
            (problem, build(problem, pack.reference_by_id[problem.id], key))
            for problem in pack.problems
            if problem.split == name
        ]
        # All variants of a problem take the same.
        parsed = {problem.id: parse_reference(made.variants[0].reference) for problem, made in varied}
        _refuse_drafts({name: reference for name, reference in parsed.items() if name not in wanting})
        _refuse_policy(name, config, [problem for problem, _ in varied])
        split = _split(release.id, name, config, parsed)
        split.choices = fewest_choices([len(problem.choices) for problem, _ in varied])
        rows.splits.append(split)
        for position, (problem, made) in enumerate(varied, start=1):
            row = _problem(problem, made, split, position, dev=config.visibility is Visibility.DEV)
            row.lane = lane_of(parsed[problem.id], episode=problem.episode).value
            rows.problems.append(row)
            rows.secrets[row.id] = _secret(problem, pack.reference_by_id[problem.id], made)
    return rows


def _release(pack: Pack, benchmark_id: UUID, admission: dict[str, Any] | None) -> ReleaseRow:
    head = pack.benchmark
    agreement = head.agreement.model_dump(mode="json") if head.agreement else None
    return ReleaseRow(
        benchmark_id=benchmark_id,
        version=head.version,
        title=head.title,
        licence=head.licence,
        summary=head.summary,
        card=head.card,
        canary=head.canary,
        source=head.source,
        scoring=head.scoring.model_dump(mode="json"),
        agreement=agreement,
        digest=pack.digest,
        admission=admission,
        agreement_digest=hashlib.sha256(head.agreement.text.encode()).hexdigest() if head.agreement else None,
    )


def _split(release_id: UUID, name: str, config: SplitConfig, references: Mapping[str, Reference]) -> SplitRow:
    return SplitRow(
        release_id=release_id,
        name=name,
        visibility=config.visibility.value,
        feedback=config.feedback.preset,
        config=config.model_dump(mode="json"),
        problem_count=len(references),
        people=any("people" in needs_of(reference) for reference in references.values()),
    )


def _assets(pack: Pack, release_id: UUID) -> Iterator[AssetRow]:
    for path, file in pack.assets.items():
        media_type = mimetypes.guess_type(path)[0] or "application/octet-stream"
        yield AssetRow(release_id=release_id, path=path, content=file.read_bytes(), media_type=media_type)


def _ngram_filters(pack: Pack, release: ReleaseRow, key: bytes) -> list[NgramFilterRow]:
    hidden = {name for name, config in pack.benchmark.splits.items() if config.visibility is not Visibility.DEV}
    pairs = [(problem, pack.reference_by_id[problem.id]) for problem in pack.problems if problem.split in hidden]
    if not pairs:
        return []
    made = ngram_filter(pairs, key, f"{pack.benchmark.slug} {pack.benchmark.version}")
    return [NgramFilterRow(release_id=release.id, document=made.model_dump(mode="json"))]


def _refuse_drafts(references: Mapping[str, Reference]) -> None:
    drafts = [
        name
        for name, reference in references.items()
        if any(isinstance(inner, RubricReference) and inner.unapproved for inner in walk(reference))
    ]
    if drafts:
        raise DraftRubricError(f"{', '.join(drafts[:20])}: have them drafted, read and approve them")


def _refuse_policy(name: str, config: SplitConfig, problems: Sequence[Problem]) -> None:
    try:
        policy_of(config, len(problems), fewest_choices([len(problem.choices) for problem in problems]))
    except PolicyError as error:
        raise FeedbackPolicyError(f"split '{name}': {error}") from error


def _problem(problem: Problem, made: VariantSet, split: SplitRow, position: int, *, dev: bool) -> ProblemRow:
    # Dev splits show their gold, so all see the same variant; on hidden ones the pack's own form is never shown.
    first = made.variants[0]
    shown = [
        {"statement": v.statement, "choices": [choice.model_dump() for choice in v.choices]} for v in made.variants
    ]
    return ProblemRow(
        id=new_id(),
        release_id=split.release_id,
        split_id=split.id,
        position=position,
        name=problem.id,
        type=problem.type,
        subject=problem.subject,
        statement=first.statement,
        choices=[choice.model_dump() for choice in first.choices],
        answer_format=problem.answer_format,
        images=[image.model_dump() for image in problem.images],
        sibling_group=problem.group,
        source=problem.source,
        episode=problem.episode,
        variation={"variants": shown} if made.bits and not dev else None,
        gold=first.gold if dev else None,
        solution=first.solution if dev else None,
    )


def _secret(problem: Problem, line: ReferenceLine, made: VariantSet) -> dict[str, Any]:
    """What the vault keeps: the line with the first variant's secret side, and the secret sides of all variants.

    Of a problem that varies also what the pack had (`pack`), which is among none of the variants: exports write it.
    """
    secret = line.model_dump(mode="json", by_alias=True)
    if line.variation is None:
        return secret
    sides = [
        {"reference": v.reference, "gold": v.gold, "solution": v.solution, "episode": v.episode} for v in made.variants
    ]
    own = {"statement": problem.statement, "choices": [choice.model_dump() for choice in problem.choices]}
    return secret | sides[0] | {"variants": sides, "answer_bits": made.answer_bits, "pack": own | {"line": secret}}
