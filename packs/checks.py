"""Checks that need more than one record, or a grader. Each returns the faults it found."""

import re
import string
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import ValidationError

from grading.answer import Answer
from grading.reference import Reference
from grading.registry import UnknownKindError, grade, kinds, parse_reference
from grading.verdict import Outcome
from packs.benchmark import Benchmark, Visibility
from packs.faults import Fault, from_validation, nearest, within
from packs.files import Located
from packs.pack import BENCHMARK_FILE, PROBLEMS_FILE, REFERENCES_FILE
from packs.problem import Problem, ReferenceLine
from packs.variation.expressions import ExpressionError
from packs.variation.variants import VariationError, build

_PLACEHOLDER = re.compile(r"\{\{([A-Za-z][A-Za-z0-9_]*)\}\}")
_TOLD = r"(?:answer\s*(?:is|:|=)|\\boxed\s*\{|solution\s*:)\s*\$?\s*"
LEAK_LENGTH = 8
SOLUTION_LENGTH = 40


def duplicates(file: str, items: Sequence[Located[Problem]] | Sequence[Located[ReferenceLine]]) -> list[Fault]:
    """The second and further uses of an id."""
    first: dict[str, int] = {}
    faults = []
    for item in items:
        line = first.setdefault(item.record.id, item.line)
        if line != item.line:
            problem = f"'{item.record.id}' stands on line {line} already"
            faults.append(Fault(file, item.line, "id", problem, "give each problem an id of its own"))
    return faults


def counterparts(problems: Sequence[Located[Problem]], references: Sequence[Located[ReferenceLine]]) -> list[Fault]:
    """Problems without a reference and references without a problem."""
    public = {item.record.id for item in problems}
    secret = {item.record.id for item in references}
    lost = [
        Fault(PROBLEMS_FILE, item.line, "id", f"'{item.record.id}' has no reference", f"add it to {REFERENCES_FILE}")
        for item in problems
        if item.record.id not in secret
    ]
    lost += [
        Fault(
            REFERENCES_FILE, item.line, "id", f"there is no problem '{item.record.id}'", nearest(item.record.id, public)
        )
        for item in references
        if item.record.id not in public
    ]
    if not problems:
        lost.append(Fault(PROBLEMS_FILE, 0, "", "there are no problems", "write one JSON object a line"))
    return lost


def splits(benchmark: Benchmark, problems: Sequence[Located[Problem]], *, complete: bool) -> list[Fault]:
    """Problems of unknown splits, splits without problems, questions in a split that is only played live."""
    faults = []
    for item in problems:
        name = item.record.split
        config = benchmark.splits.get(name)
        if config is None:
            remedy = nearest(name, benchmark.splits)
            faults.append(Fault(PROBLEMS_FILE, item.line, "split", f"there is no split '{name}'", remedy))
        elif config.visibility is Visibility.PRIVATE and not item.record.episode:
            problem = f"split '{name}' is private (only played live), but this problem is a question"
            faults.append(
                Fault(PROBLEMS_FILE, item.line, "split", problem, "make the split 'test' or move the problem")
            )
    if complete:
        used = {item.record.split for item in problems}
        faults += [
            Fault(BENCHMARK_FILE, 0, f"splits.{name}", "the split has no problems", "remove it or add problems to it")
            for name in benchmark.splits
            if name not in used
        ]
    return faults


def choices(item: Located[Problem]) -> list[Fault]:
    """Labels are A, B, C, … in order, and no two choices read the same."""
    found = item.record.choices
    labels = "".join(choice.label for choice in found)
    right = string.ascii_uppercase[: len(found)]
    faults = []
    if labels != right:
        problem = f"the labels are {', '.join(labels)}"
        faults.append(
            Fault(PROBLEMS_FILE, item.line, "choices", problem, f"label them {', '.join(right)} in this order")
        )
    if len(found) == 1:
        faults.append(
            Fault(PROBLEMS_FILE, item.line, "choices", "there is one choice only", "give two or more, or none")
        )
    texts = Counter(" ".join(choice.text.split()) for choice in found)
    if texts and max(texts.values()) > 1:
        faults.append(
            Fault(PROBLEMS_FILE, item.line, "choices", "two choices have the same text", "change one of them")
        )
    return faults


def images(
    problems: Sequence[Located[Problem]], assets: Mapping[str, Path], card: str, *, complete: bool
) -> list[Fault]:
    """Images without a file, and files that nothing shows (they might hold what nobody should see)."""
    faults = []
    shown: set[str] = {name for name in assets if name in card}
    for item in problems:
        for index, image in enumerate(item.record.images):
            shown.add(image.path)
            if image.path not in assets:
                remedy = nearest(image.path, assets) if assets else "add the file"
                problem = f"there is no usable file assets/{image.path}"
                faults.append(Fault(PROBLEMS_FILE, item.line, f"images[{index}].path", problem, remedy))
    if complete:
        lost = sorted(set(assets) - shown)
        faults += [Fault(f"assets/{name}", 0, "", "no problem shows it", "remove the file or name it") for name in lost]
    return faults


def episode(item: Located[Problem], other: Located[ReferenceLine]) -> list[Fault]:
    """An episode has an environment, a question has none."""
    stated, held = item.record.episode, other.record.episode is not None
    if stated and not held:
        return [Fault(REFERENCES_FILE, other.line, "episode", "missing, though the problem is an episode", "add it")]
    if held and not stated:
        remedy = 'write "episode": true in the problem, or remove the environment'
        return [Fault(PROBLEMS_FILE, item.line, "episode", "false, though the reference has an environment", remedy)]
    return []


def leaks(item: Located[Problem], other: Located[ReferenceLine]) -> list[Fault]:
    """Gold or solution that stands on the public side."""
    problem, secret = item.record, other.record
    texts = {"statement": problem.statement, "answer_format": problem.answer_format, "source": problem.source}
    texts |= {f"images[{index}].alt": image.alt for index, image in enumerate(problem.images)}
    texts |= {f"choices[{index}].text": choice.text for index, choice in enumerate(problem.choices)}
    solution, gold = _squeeze(secret.solution), _squeeze(secret.gold or "")
    faults = []
    for field, text in texts.items():
        squeezed = _squeeze(text)
        if len(solution) >= SOLUTION_LENGTH and solution in squeezed:
            faults.append(_leak(item.line, field, "the solution"))
        elif _tells(squeezed, gold, field):
            faults.append(_leak(item.line, field, "the gold answer"))
    return faults


def _leak(line: int, field: str, what: str) -> Fault:
    return Fault(PROBLEMS_FILE, line, field, f"{what} stands on the public side", f"keep it in {REFERENCES_FILE} only")


def _tells(text: str, gold: str, field: str) -> bool:
    if not gold:
        return False
    if len(gold) >= LEAK_LENGTH and field not in {"statement"} and not field.startswith("choices"):
        return gold in text
    return re.search(_TOLD + re.escape(gold) + r"(?![\w^]|\.\d)", text) is not None


def _squeeze(text: str) -> str:
    return " ".join(text.split()).casefold()


def variation(item: Located[Problem], other: Located[ReferenceLine]) -> list[Fault]:
    """What varies occurs, and what occurs as `{{name}}` varies."""
    vary = other.record.variation
    if vary is None:
        return []
    faults = []
    if vary.choices and not item.record.choices:
        problem = "choices may vary, but the problem has none"
        faults.append(Fault(REFERENCES_FILE, other.line, "variation.choices", problem, "remove it"))
    named = set(vary.constants) | set(vary.slots)
    if not named:
        return faults or _variants(item, other)
    used = set(_PLACEHOLDER.findall(item.record.statement))
    used |= {name for choice in item.record.choices for name in _PLACEHOLDER.findall(choice.text)}
    for name in sorted(used - named):
        remedy = nearest(name, named)
        faults.append(Fault(PROBLEMS_FILE, item.line, "statement", f"'{{{{{name}}}}}' has no constant or slot", remedy))
    for name in sorted(named - used):
        remedy = f"write {{{{{name}}}}} in the statement or remove it"
        faults.append(Fault(REFERENCES_FILE, other.line, "variation", f"'{name}' is never used", remedy))
    if vary.constants and not vary.gold:
        problem = "constants vary, but no gold follows from them"
        faults.append(Fault(REFERENCES_FILE, other.line, "variation.gold", problem, "give it as an expression of them"))
    return faults or _variants(item, other)


def _variants(item: Located[Problem], other: Located[ReferenceLine]) -> list[Fault]:
    """Every value of the constants checked, and the gold of each variant under its own reference."""
    try:
        made = build(item.record, other.record, b"check")
    except (VariationError, ExpressionError) as error:
        problem = "the problem cannot vary like this"
        return [Fault(REFERENCES_FILE, other.line, "variation", problem, "see docs/variants.md", str(error))]
    faults: list[Fault] = []
    for variant in made.variants:
        reference = parse_reference(variant.reference)
        if not faults:
            faults += _unreadable(other, reference)
        if variant.gold is not None and not faults:
            faults += _refused(other, "gold", variant.gold, reference)
    return faults


def gold_answers(references: Sequence[Located[ReferenceLine]], *, grade_gold: bool) -> list[Fault]:
    """References no grader understands, and gold that its own reference does not accept."""
    faults: list[Fault] = []
    for item in references:
        if item.record.variation and item.record.variation.constants:
            continue  # a template has no gold of its own; `variation` checks each variant
        reference = _parsed(item, faults)
        if reference is None or not grade_gold:
            continue
        if unreadable := _unreadable(item, reference):
            faults += unreadable  # its stated answers could not be graded either
            continue
        stated = {"gold": item.record.gold} | {f"answers[{i}]": text for i, text in enumerate(item.record.answers)}
        for field, text in stated.items():
            if text is not None:
                faults += _refused(item, field, text, reference)
    return faults


def _parsed(item: Located[ReferenceLine], faults: list[Fault]) -> Reference | None:
    data = item.record.reference
    try:
        return parse_reference(data)
    except UnknownKindError:
        kind = data.get("kind")
        remedy = nearest(str(kind), kinds())
        faults.append(Fault(REFERENCES_FILE, item.line, "reference.kind", "no grader has this kind", remedy))
    except ValidationError as error:
        model = kinds()[str(data["kind"])].model
        faults += within("reference", from_validation(error, REFERENCES_FILE, item.line, model))
    return None


def _unreadable(item: Located[ReferenceLine], reference: Reference, field: str = "reference") -> list[Fault]:
    """What a reference or one inside it says is wrong with itself, such as a gold that cannot be read."""
    parts = reference.parts().items()
    inner = [fault for place, part in parts for fault in _unreadable(item, part, f"{field}.{place}")]
    problems = reference.problems()
    if not problems:
        return inner
    remedy = "write the value as docs/grading-language.md says, or take another kind"
    stated = item.record.gold
    # A value compared as text is no fault where the author's own gold shows that it works.
    works = stated is not None and grade(Answer(text=stated), reference).score == 1
    found = [text for text in problems if not (works and "cannot be read" in text)]
    return inner + [
        Fault(REFERENCES_FILE, item.line, field, "its grader cannot use it", remedy, text) for text in found
    ]


def _refused(item: Located[ReferenceLine], field: str, text: str, reference: Reference) -> list[Fault]:
    verdict = grade(Answer(text=text), reference)
    if verdict.outcome in {Outcome.CORRECT, Outcome.UNSCORED}:
        return []
    problem = f"its own reference grades it {verdict.outcome.value}"
    return [Fault(REFERENCES_FILE, item.line, field, problem, "fix the reference or the stated answer", verdict.reason)]
