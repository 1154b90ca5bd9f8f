"""Golds that are short statements or terms: what says the same in other words, where that can be told for certain."""

from grading.equivalence.decisions import decided
from grading.equivalence.elliptic import same_statement
from grading.equivalence.finding import Finding
from grading.equivalence.happenings import same_happening
from grading.equivalence.quantified import same_quantified
from grading.equivalence.shifts import same_course, same_shift
from grading.equivalence.traits import same_trait
from grading.equivalence.wordforms import same_with_remark
from grading.language.wordless import is_wordless


def worded_otherwise(gold: str, text: str, question: str) -> Finding | None:
    """The finding of the first reader that understands both the gold and the answer; None where none does."""
    if is_wordless(gold) and is_wordless(text):
        return None
    return (
        decided(gold, text, question)
        or same_happening(gold, text, question)
        or same_quantified(gold, text)
        or same_shift(gold, text, question)
        or same_course(gold, text, question)
        or same_statement(gold, text, question)
        or same_trait(gold, text, question)
        or same_with_remark(gold, text)
    )
