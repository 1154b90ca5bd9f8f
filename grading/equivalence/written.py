"""What the writing alone decides, before anything is read as mathematics: times, dates, labels, truth, formulae."""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

from grading.equivalence.finding import Finding, Rules, different, equal, unknown
from grading.language import boolean, cycles, formulae, logic, reactions, words
from grading.language.choices import chosen
from grading.matching.calendar import day, same_day

_LABEL = re.compile(r"(?:\\text\s*\{)?\s*(?:\(([A-E])\)|([A-E]))\}?(?:\s+[A-Z]?[a-z]+)?")
_NO_SHELLS = re.compile(
    r"\b(?:not|no|never|cannot|wrong|incorrect|false|instead|rather|unlike|expected?|predict\w*|would|might|should|but"
    r"|however|if|excited|ions?|cation|anion|isoelectronic|from|before|naively?)\b|n['’]t\b|\?",
    re.IGNORECASE,
)
"""What makes a configuration in a sentence another's, or none."""
_LABELS = re.compile(r"[A-H]{2,6}")
_HEXADECIMAL = re.compile(
    r"(?P<prefix>0[xX])?\(?(?=\d*[A-Fa-f])(?P<digits>[0-9A-F]{2,16}|[0-9a-f]{2,16})\)?(?P<base>_\{?16\}?|₁₆)?"
)
_YES = {"yes": "true", "no": "false"}
"""What a claim is called that is asked about with yes or no."""
_PRIMES = str.maketrans({**dict.fromkeys("′’‘ʹ", "'"), **dict.fromkeys("–−", "-"), **dict.fromkeys("$*`")})
_STRAND = re.compile(
    r"\s*(?:(?P<from>[35])'\s*-?\s*)?(?P<bases>[ACGTU](?:[ACGTU]|[\s-](?=[ACGTU])){1,80})"
    r"\s*(?(from)-?\s*(?P<to>[35])'|\(\s*(?P<first>[35])'\s*(?:to|->|→)\s*(?P<last>[35])'\s*\))[\s.]*"
)
_SAID_OF_IT = re.compile(
    r"(?:so\s+|thus\s+)?(?:the|its)\s+(?:(?!not\b|never\b)[a-z]+\s+){1,6}(?:is|reads):?\s+", re.IGNORECASE
)
"""`The negation is`"""
_SAME = re.compile(r"\\equiv(?![A-Za-z])|≡")
_SHORT = 200
_Writing = TypeVar("_Writing")


def by_writing(gold: str, given: str, rules: Rules) -> Finding | None:
    """A finding where both are writings of the same sort that has one meaning each; None where they are not."""
    if len(gold) > _SHORT:
        return None
    if len(given) > _SHORT:
        return None if rules.shape else _label(gold, given)
    for rule in _rules_of(gold):
        found = rule(gold, given, rules.question) if rule in (_logic, _boolean) else rule(gold, given)
        if found is not None:
            return found
    return None if rules.shape else _label(gold, given)


def is_known_writing(gold: str) -> bool:
    """Whether one of the rules reads a gold: an answer that none of them reads is then no answer of its sort."""
    return len(gold) <= _SHORT and bool(_rules_of(gold))


@lru_cache(maxsize=512)
def _rules_of(gold: str) -> tuple[Callable[[str, str], Finding | None], ...]:
    """The rules that make something of a gold; of most golds none does, and no answer need be tried."""
    truth = _of_gold(words.truth, gold)
    return tuple(
        rule
        for rule, known in (
            (_clock, _of_gold(words.clock, gold) is not None),
            (_date, re.search(r"[A-Za-z]{3}|\d{4}-\d", gold) is not None and _of_gold(day, gold) is not None),
            (_truth, truth is not None and words.plain(gold) == truth and not formulae.is_dressed(gold)),
            (_several_labels, _labels_of(gold) is not None),
            (_shells, _of_gold(_configuration, gold) is not None),
            (_reaction, _of_gold(reactions.reaction, gold) is not None),
            (_hexadecimal, _HEXADECIMAL.fullmatch(gold.strip(" $")) is not None),
            (_species, _of_gold(_substance, gold) is not None),
            (_oxidation, _of_gold(reactions.oxidation, gold) is not None),
            (_strand, _of_gold(_strand_of, gold) is not None),
            (_logic, logic.is_logic(gold) and reactions.reaction(gold) is None),
            (_radiation, _of_gold(reactions.radiation, gold) is not None),
            (_boolean, boolean.may_be(gold)),
            (_permutation, _of_gold(cycles.permutation, gold) is not None),
            (_permutations, _of_gold(cycles.permutations, gold) is not None),
        )
        if known
    )


def _same(same: bool, what: str) -> Finding:
    return equal(f"the same {what}") if same else different(f"another {what}")


@lru_cache(maxsize=1024)
def _of_gold(read: Callable[[str], _Writing | None], gold: str) -> _Writing | None:
    """What a reader makes of a gold; of most it makes nothing, and the answer need not be read."""
    return read(gold)


def _both(read: Callable[[str], _Writing | None], gold: str, given: str) -> tuple[_Writing, _Writing] | None:
    """What a reader makes of the two; None where it makes nothing of one of them."""
    expected = _of_gold(read, gold)
    found = read(given) if expected is not None else None
    return None if expected is None or found is None else (expected, found)


def _clock(gold: str, given: str) -> Finding | None:
    both = _both(words.clock, gold, given)
    return None if both is None else _same(both[0] == both[1], "time of day")


def _date(gold: str, given: str) -> Finding | None:
    both = _both(day, gold, given)
    if both is None:
        return None
    expected, found = both
    same = same_day(found, expected)
    return unknown("the year is missing") if same is None else _same(same, "date")


def _truth(gold: str, given: str) -> Finding | None:
    expected = _of_gold(words.truth, gold)
    if expected is None:
        return None
    letters = {"true": {"t": "true", "f": "false"}, "false": {"t": "true", "f": "false"}}.get(expected, {})
    if words.hedged(given):
        return different("does not commit to one answer")
    found = words.truth(given) or letters.get(words.plain(given))
    return None if found is None else _same(_YES.get(expected, expected) == _YES.get(found, found), "truth value")


def _labels_of(gold: str) -> str | None:
    """The labels that a gold names, in their order."""
    bare = re.sub(r"\\text|[{}$()\s]", "", gold)
    return bare if _LABELS.fullmatch(bare) and list(bare) == sorted(set(bare)) else None


def _several_labels(gold: str, given: str) -> Finding | None:
    """`ACD` and `A, C, D` where both name choices."""
    bare = _labels_of(gold)
    if bare is None:
        return None
    named = re.sub(r"\\text\b|\\mathrm\b|\\textbf\b|\band\b|[{}$(),;.*\s]|\\[, ]", "", given)
    separated = re.fullmatch(r"\W*[A-H]\W*(?:(?:,|;|and|\s)\W*[A-H]\W*)+", re.sub(r"\\text|\\mathrm", "", given))
    if separated is None or not _LABELS.fullmatch(named):
        return None
    return _same(set(named) == set(bare), "set of labels")


def _configuration(gold: str) -> str | None:
    """The shells of a gold, or the noble gas whose shells it is as a whole."""
    return formulae.shells(gold) or (formulae.core_in(gold) if len(gold.strip(" $")) <= len("[Ne]") else None)


def _shells(gold: str, given: str) -> Finding | None:
    expected = _of_gold(_configuration, gold)
    found = formulae.shells(given) if expected is not None else None
    if expected is not None and found is None:
        core = formulae.core_in(given)
        named = {core} if core is not None else formulae.shells_in(given)
        if len(named) != 1 or _NO_SHELLS.search(given) is not None or words.hedged(given):
            return different("no one configuration of electrons is stated")
        found = named.pop()
    if expected is None or found is None:
        return None
    first, second = reactions.electrons(expected), reactions.electrons(found)
    return _same(first == second if first is not None else expected == found, "configuration")


def _reaction(gold: str, given: str) -> Finding | None:
    """Equations of reactions: the same species in the same numbers, in any order; states of matter may be left out."""
    both = _both(reactions.reaction, gold, given)
    return None if both is None else _same(both[0] == both[1], "reaction")


def _oxidation(gold: str, given: str) -> Finding | None:
    """`+VI` for `+6`: a Roman number, or a sign behind, beside a gold with a sign."""
    expected = _of_gold(reactions.oxidation, gold)
    if expected is None or not expected[1]:
        return None
    stated = reactions.oxidation_state(given)
    found = stated or reactions.oxidation(given)
    if found is None:
        return None
    roman = re.search(r"[IV]|\d\s*\}?[+-]", f"{gold} {given}") is not None
    return _same(expected[0] == found[0], "oxidation number") if roman or stated is not None else None


def _permutation(gold: str, given: str) -> Finding | None:
    """Products of disjoint cycles in any order, where gaps in one of the two show that they are no numbers."""
    both = _both(cycles.permutation, gold, given)
    if both is None or not (both[0][1] or both[1][1]):
        return None
    return _same(both[0][0] == both[1][0], "permutation")


def _permutations(gold: str, given: str) -> Finding | None:
    """Sets of permutations, of which gaps show that they are no numbers."""
    both = _both(cycles.permutations, gold, given)
    if both is None or not (both[0][1] or both[1][1]):
        return None
    return _same(both[0][0] == both[1][0], "set of permutations")


def _logic(gold: str, given: str, question: str = "") -> Finding | None:
    """Formulas of logic by what they say; a gold without a quantifier or a negation may be no such formula."""
    both = _both(logic.formula, gold, given)
    if both is None and logic.is_certain(gold) and (said := _SAID_OF_IT.match(given)) is not None:
        both = _both(logic.formula, gold, given[said.end() :])
    if both is None and _SAME.search(given) is not None:
        both = _equivalents(gold, given)
    if both is None:
        return None
    if both[0] == both[1] or logic.says_the_same(*both, question):
        return equal("the same formula")
    return different("another formula") if logic.is_certain(gold) else None


def _boolean(gold: str, given: str, question: str = "") -> Finding | None:
    """Expressions of Boolean algebra in whatever signs, where the question or the answer speaks of circuits."""
    expected = boolean.in_logic(gold) if boolean.is_spoken_of(question, gold, given) else None
    said = boolean.stated(given) if expected is not None else None
    both = _both(logic.formula, expected, said) if expected is not None and said is not None else None
    same = both is not None and (both[0] == both[1] or logic.says_the_same(*both, question))
    return equal("the same Boolean expression") if same else None


def _radiation(gold: str, given: str) -> Finding | None:
    both = _both(reactions.radiation, gold, given)
    named = re.search(r"[A-Za-z]{4}", f"{gold} {given}".replace("\\", "")) is not None
    return _same(both[0] == both[1], "radiation") if both is not None and (named or both[0] == both[1]) else None


def _equivalents(gold: str, given: str) -> tuple[logic.Formula, logic.Formula] | None:
    """The gold and the last of formulas that a response puts for one another, where they say the same."""
    expected, found = logic.formula(gold), [logic.formula(each) for each in _SAME.split(given.strip("$ ."))]
    known = [each for each in found if each is not None]
    if expected is None or len(known) < len(found):
        return None
    same = all(each == known[-1] or logic.says_the_same(each, known[-1], "") for each in known)
    return (expected, known[-1]) if same else None


def _strand_of(text: str) -> str | None:
    """A strand of DNA or RNA from its 5' end on (`3'-TACG-5'` is `GCAT`); None of other texts."""
    found = _STRAND.fullmatch(text.translate(_PRIMES))
    if found is None:
        return None
    first, last = found["from"] or found["first"], found["to"] or found["last"]
    bases = re.sub(r"[\s-]", "", found["bases"])
    return None if first == last else bases if first == "5" else bases[::-1]


def _strand(gold: str, given: str) -> Finding | None:
    both = _both(_strand_of, gold, given)
    return None if both is None else _same(both[0] == both[1], "strand")


def _hexadecimal(gold: str, given: str) -> Finding | None:
    """`2F` beside `0x2F` or `2F_{16}`: digits with a letter are a number where one of the two says so."""
    sides = [_HEXADECIMAL.fullmatch(text.strip(" $`*.")) for text in (gold, given)]
    marked = [side is not None and bool(side["prefix"] or side["base"]) for side in sides]
    if None in sides or not any(marked):
        return None
    values = [int(side["digits"], 16) for side in sides if side is not None]
    return _same(values[0] == values[1], "hexadecimal number")


def _substance(text: str) -> str | None:
    return formulae.species(text) or formulae.nuclide(text)


def _species(gold: str, given: str) -> Finding | None:
    both = _both(_substance, gold, given)
    if both is None:
        return None
    expected, found = both
    if formulae.nuclide(gold) is not None and not found.startswith("^"):
        return None
    if expected[-1] != ")" and found[-1] == ")":
        found = found.rpartition("(")[0]  # The state of matter.
    if found == expected or formulae.plain_ion(given) == expected or formulae.plain_cation(gold) == found:
        return equal("the same formula")
    certain = formulae.is_marked(gold) or formulae.is_marked(given)
    return different("another formula") if certain else None


def _label(gold: str, given: str) -> Finding | None:
    letter = _LABEL.fullmatch(gold.strip())
    if letter is None:
        return None
    label, why, _ = chosen(given, ("A", "B", "C", "D", "E"))
    if label is not None:
        same = label == (letter[1] or letter[2])
        return (equal if same else different)(f"chose {label}")
    return different(why) if "commit" in why or "several" in why else None
