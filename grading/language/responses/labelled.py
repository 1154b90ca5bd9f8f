"""The labels that a sentence names, and the clauses in which it does.

A label is a letter of the choices in brackets, behind `option` or another noun of that sort, or alone; no article,
pronoun, unit, symbol, or letter of a name (`vitamin C`, `2 A`, `A = 3`). `The second option` names the label at that
place.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

OPTION: Final = (
    r"(?:(?:answer\s+)?(?:option|choice|alternative)|answer|statement|letter|réponse|reponse|antwort|opción|opcion|respuesta|opção|resposta|opzione|risposta|antwoord|ответ|вариант|sentence|graph|figure|diagram|picture|curve"
    r"|structure|compound|reaction|circuit|plan|sequence|expression|equation|pair|reading|interpretation|product|claim)"
)
PLACES: Final = ("first", "second", "third", "fourth", "fifth", "sixth")
"""Words for the places of the choices."""
_LETTERED: Final = (
    r"(?:vitamins?|hepatitis|plan|types?|groups?|points?|matrix|matrices|sets?|events?|class|schedule|appendix|part|section|exhibit|person|company|country|gene|allele|factor|box|bag|urn|train|car|block|particle|angle|side|vertex|city"
    r"|town|machine|program|blood|case|step|line|row|column|node|vitamin|strain|influenza|streptococc\w+|coenzyme|protein|immunoglobulin|cell|team|player|vector|variable|constant|function|operator|region|area|circle|plane|band|grade|level|phase|state|species|sample|test|treatment|variant|plan|article|rule|title|chapter)"
)
"""Nouns that are called by a letter."""
_LETTERED_BEFORE: Final = re.compile(rf"\b{_LETTERED}\s+$", re.IGNORECASE)
_NAME_BEFORE: Final = re.compile(r"(?<=[^.:;])\s[A-Z][a-z]+\s+$|\b[Vv]s?\.?\s+$")
"""A name in the middle of a sentence, of which a letter behind it is a part."""
NEAR: Final = 60
"""Characters before a letter in which its noun is looked for: a pattern tries each of them."""
_VERB_BEHIND_A: Final = (
    r"(?:of\s+course|obviously|clearly|definitely|is|was|has|had|does|did|do|fails?|would|could|can|cannot|must|might|may|should|will|and|or|nor|but|because|since|as|alone|here|too|only|also|best|correctly|clearly|survives?|remains?|holds?|works?|fits?|stands?|says|states"
    r"|shows|describes|captures|matches|gives|follows|requires|implies|contradicts|confuses|ignores|overlooks|misses|lacks|mentions|through|to|itself|seems|looks|sounds|if|unless|beats|makes|isn['’]t|doesn['’]t|can['’]t|won['’]t|we|that|which|it)"
)
"""Words behind an A at the beginning of a sentence with which it is a label."""
_CUT: Final = re.compile(
    r"(?P<mark>\s*[;:→⇒]\s*|(?<=[a-z])\s=\s(?=(?-i:[A-Z])\W*$)|\s*(?:=>|->)\s*|\s+[-–—]+\s+|\s*—\s*|\s*,\s*|\s*\.\.\.?\s*|\s*…\s*|\s+(?=\b(?:because|since|so(?=\s+(?:it|that|the|this|we|I|option|\(?[A-Z])\b)|although|though|while|whereas|but|yet|unless|leaves|leaving|rather\s+than|instead\s+of|which|only\s+if|if)\b)"
    r"|\s+(?=and\s+(?:so|thus|hence|therefore|it|this|that|we|I|my|our|\(?[A-HJ-Z]\)?)\b(?!\s*(?:,|and)\s)))",
    re.IGNORECASE,
)
_JOINED: Final = re.compile(
    r"^(?:and|but|or|yet|so|thus|hence|therefore|then|because|since|as|given|although|though|even\s+though|while|whereas|which|who|where|if|unless|when|not|rather\s+than|instead\s+of|unlike|leav(?:es|ing)|making|it|this|that|these|those|I|we|you|he|she|they|there|the|an?|my|our|its|his|her"
    r"|their|only|no|none|neither|nor|both|all|each|every|nothing|what|for\s+(?:that|this)|for\b|i\.\s?e\.|that\s+is|namely)\b",
    re.IGNORECASE,
)
"""How a clause begins that is no part of the one before the comma."""
_EXCEPTS: Final = re.compile(r"\b(?:any\w*|all|every\w*|each|no|none|nothing|nobody)\b[^,;]*\s(?:but)$", re.IGNORECASE)
_PREDICATE_TOO: Final = re.compile(
    r"^and\s+(?:(?:so|thus|hence|therefore)\s+)?(?:is|are|has|does|must)\b", re.IGNORECASE
)
"""A second predicate of the same subject: `and so is`."""
_FINITE_FIRST: Final = re.compile(
    r"\W*(?:is|are|was|were|has|had|does|did|would|could|might|may|can|will|must|should|fits|fails|falls|comes|says|states|gives|looks|seems|applies|works|holds|[a-z]{3,}ed|wrote|held|took|made|gave|went|came|began|led|saw)\b",
    re.IGNORECASE,
)
"""A predicate without a subject: that of the label before what stands between commas (`B, for reference, is …`)."""
FINITE_INSIDE: Final = re.compile(r"\b(?:is|are|was|were|has|had|does|did|would|could|will|must)\b", re.IGNORECASE)
_SINGULAR: Final = re.compile(r"and\s+\(?[A-Z]\)?\s+(?:is|was|has|does|would|[a-z]{3,}s)\b")
_COMPLEMENT: Final = re.compile(r"(?:\b(?:is|be|answer)|['’]s)\W+(?:[A-Z]|(?:option|answer|choice)\s+\(?[A-Z])\W*$")
"""A complement, behind which another subject begins: `so it is D and A comes second`."""
_CONCLUDES: Final = re.compile(
    r"\W*(?:so|thus|hence|therefore|consequently|in\s+(?:short|summary|conclusion))\b(?!\s+(?:not|no)\b)", re.IGNORECASE
)
REASON: Final = re.compile(r"^\W*(?:because|since|as|given|due|after)\b", re.IGNORECASE)
CONDITION: Final = re.compile(
    r"^\W*(?:and\s+|but\s+|even\s+|only\s+)?(?:if|unless|suppose|assum(?:e|ing)|imagine|provided|had|were|should|reverse|swap|shuffle|reorder|rename)\b",
    re.IGNORECASE,
)
CONCEDES: Final = re.compile(
    r"^\W*(?:granted|admittedly|al?though|though|even\s+though|while|whereas|despite)\b", re.IGNORECASE
)
_ARROWS: Final = ("→", "⇒", "=>", "->", "=")


class Mention(NamedTuple):
    """A label, and the place of its mention in a sentence or clause."""

    label: str
    start: int
    end: int


@dataclass(slots=True)
class Clause:
    """A clause, with the mark that stands before it and the labels that it names."""

    text: str
    lead: str
    mentions: list[Mention] = field(default_factory=list)

    @property
    def pointed_at(self) -> bool:
        """Whether an arrow leads to the clause."""
        return self.lead.strip() in _ARROWS


_IS_ONE: Final = re.compile(
    r"\bonly\b.*\b(?:is|are|was)\s+(?:(?:therefore|thus|hence|then|clearly)\s+)?$", re.IGNORECASE
)
"""Before a place that an apposition says more of: `the only change that does so is the last one, cooling it`."""


@lru_cache(maxsize=64)
def _mention(choices: tuple[str, ...]) -> re.Pattern[str]:
    labels = "".join(map(re.escape, choices))
    one = rf"[{labels}](?![\w'’^=(\\<>+*/|_]|-\w|\s*=)"
    free = r"(?<![\w'’\\^_.=+*/<>|°%&#-])(?<!\d\s)(?<!\+\s)(?:(?<!=\s)|(?<=[a-z]\s=\s)(?=[A-Z]\W*$))"
    # At the beginning of a sentence an A is the article, unless a verb or a mark follows it.
    first = rf"(?=A){one}(?=\W*$|\s*[,;:.!)?—–→]|\s+{_VERB_BEHIND_A}\b|\s+[A-Z(])"
    places = "|".join(PLACES[: len(choices)])
    things = r"(?:of\s+the\s+(?:\w+\s+)?)?(?:statements?|options?|choices?|answers?|alternatives?)"
    verbs = r"(?:is|must|holds|fits|works|survives|remains|qualifies|passes)"
    ones = rf"one(?=\s+{verbs}\b|\W*$|\s*[:,(]\s*\(?[A-Z]\b|(?P<apposed>\s*,\s+[a-z]))"
    return re.compile(
        rf"(?<!\w)(?i:{OPTION})s?\s+[(\[“\"]?(?P<behind>{one})[)\]”\"]?"
        rf"|(?<![\w)])[(\[]\s*(?:(?i:this\s+is|that\s+is|so|hence|thus|i\.e\.)\s+)?(?:(?i:{OPTION})\s+)?(?P<inside>{one})[)\]]"
        rf"|(?P<alone>(?:(?![IAia]\b){free}{one}|(?<=[a-z,;]\s)(?=A){one}|{free}{first}))[)\]]?"
        rf"|(?i:\bthe\s+(?P<place>{places}|last|final)\s+(?:{things}|{ones}|\w+\s+(?:in|on)\s+(?:the|this|our)\s+list|\w+\s+listed))(?:\s*[,:(]\s*[(\[]?(?P<also>{one})[)\]]?,?)?"
    )


def belongs_to_a_noun(before: str) -> bool:
    """Whether a letter behind these words is a part of a name (`vitamin C`, `Henry V`)."""
    near = before[-NEAR:]
    return (_LETTERED_BEFORE.search(near) or _NAME_BEFORE.search(near)) is not None


def mentions_in(sentence: str, choices: tuple[str, ...]) -> Iterator[Mention]:
    """The labels that a sentence names, with their places; a letter that belongs to a noun is none."""
    for found in _mention(choices).finditer(sentence):
        label = found["behind"] or found["inside"] or found["alone"]
        before = sentence[: found.start()]
        if found["place"]:
            word = found["place"].lower()
            place = len(choices) - 1 if word in ("last", "final") else PLACES.index(word)
            if found["also"] not in (None, choices[place]) or (found["apposed"] and not _IS_ONE.search(before)):
                continue
            label = choices[place]
        elif found["alone"] and belongs_to_a_noun(before):
            continue
        yield Mention(label, found.start(), found.end())


def clauses_in(sentence: str, mentions: list[Mention]) -> list[Clause]:
    """The clauses of a sentence; what is no clause of its own is one with what stands before it."""
    spans: list[tuple[int, int, str]] = []
    start, mark = 0, ""
    for cut_start, cut_end, cut_mark in [*_cuts(sentence, mentions), (len(sentence), len(sentence), "")]:
        begun = _begun(sentence, (start, cut_start, mark.strip()), spans, mentions)
        spans[begun:] = [
            (spans[begun][0], cut_start, spans[begun][2]) if begun < len(spans) else (start, cut_start, mark)
        ]
        start, mark = cut_end, cut_mark
    return [
        Clause(
            sentence[start:end],
            mark,
            [Mention(label, at - start, to - start) for label, at, to in mentions if start <= at < end],
        )
        for start, end, mark in spans
    ]


def _cuts(sentence: str, mentions: list[Mention]) -> Iterator[tuple[int, int, str]]:
    """Where a sentence may be cut: not within the mention of a label, nor between two that are joined."""
    for found in _CUT.finditer(sentence):
        if any(each.start < found.end() and found.start() < each.end for each in mentions):
            continue
        if found["mark"].isspace():
            joins = any(each.end == found.start() for each in mentions) and sentence.startswith("and", found.end())
            joins = joins and not (
                _SINGULAR.match(sentence, found.end()) and _COMPLEMENT.search(sentence[: found.start()])
            )
            joins = joins or (
                sentence.startswith("leaves", found.end()) and _is_subject(sentence, mentions, found.start())
            )
            if joins or _EXCEPTS.search(sentence[max(0, found.start() - 40) : found.end() + 3]):
                continue
        yield found.start(), found.end(), found["mark"]


def _is_subject(sentence: str, mentions: list[Mention], end: int) -> bool:
    """Whether a sentence begins with the label that ends at a place: `B leaves out the date`."""
    return bool(mentions) and mentions[0].end == end and re.search(r"\w", sentence[: mentions[0].start]) is None


def _begun(
    sentence: str, part: tuple[int, int, str], spans: list[tuple[int, int, str]], mentions: list[Mention]
) -> int:
    """The place of the clause that a part of a sentence belongs to; behind the last for a clause of its own."""
    start, end, mark = part
    if mark == "," and _FINITE_FIRST.match(sentence[start:end]):
        said = [sentence[at:to] for at, to, _ in spans]
        lone = next((place for place, text in enumerate(said) if _is_lone(text, spans[place][0], mentions)), None)
        if lone is not None and not any(FINITE_INSIDE.search(text) for text in said[lone + 1 :]):
            return lone
    return len(spans) - 1 if spans and _goes_on(sentence, part, spans[-1], mentions) else len(spans)


def _goes_on(sentence: str, part: tuple[int, int, str], before: tuple[int, int, str], mentions: list[Mention]) -> bool:
    """Whether a part of a sentence belongs to the clause before it: a label alone, or what begins as no clause does."""
    start, end, mark = part
    text, earlier = sentence[start:end], sentence[before[0] : before[1]]
    if _PREDICATE_TOO.match(text):
        return True
    if mark in _ARROWS or not mark:
        return False
    begins = _JOINED.match(text) is not None
    named = any(each.start == start for each in mentions)
    last = re.split(r",\s*", earlier)[-1]
    was_lone = bool(last) and _is_lone(last, before[1] - len(last), mentions)
    if mark == ";" and _is_lone(text, start, mentions):
        return False
    if mark == ":" and _CONCLUDES.match(earlier) and _is_lone(text, start, mentions):
        return False
    if mark == ":" and _is_lone(earlier, before[0], mentions):
        return True
    if _is_lone(text, start, mentions):
        return not any(
            before[0] <= each.start and re.search(r"\w", sentence[each.end : before[1]]) for each in mentions
        )
    listed = mark == "," and named and any(each.end == before[1] for each in mentions)
    if listed and not re.match(r"\W*(?:between|among|of|from|out\s+of)\b", earlier, re.IGNORECASE):
        return True
    if was_lone and mark in (",", "-", "–", "—"):
        return named if mark == "," and named else not begins and not named
    subordinate = any(words.match(earlier) for words in (REASON, CONDITION, CONCEDES))
    return mark == "," and not begins and not named and not subordinate


def _is_lone(text: str, start: int, mentions: list[Mention]) -> bool:
    """Whether a part of a sentence is a label and nothing else."""
    for _, at, to in mentions:
        if start <= at and to <= start + len(text):
            around = text[: at - start] + text[to - start :]
            return (
                re.fullmatch(
                    r"\W*(?:(?:i\.\s?e\.|that\s+is|namely|the|and|also|somit|daher|d\.\s?h\.|donc|ainsi|quindi|dunque|portanto|entonces)\W*){0,2}",
                    around,
                    re.IGNORECASE,
                )
                is not None
            )
    return False


def groups(clause: Clause) -> list[list[Mention]]:
    """The labels of a clause, those that are joined by `and`, `or` or a comma together."""
    found: list[list[Mention]] = []
    for mention in clause.mentions:
        between = clause.text[found[-1][-1][2] : mention[1]] if found else ""
        if found and re.fullmatch(
            r"(?:\s*\([^()]*\))?[\s,/&+)(]*(?:(?:and/or|and|or|nor|as\s+well\s+as|along(?:side|\s+with)|together\s+with|plus|through|also|maybe|perhaps|in|by|to|with|under)\b[\s,]*)*",
            between,
        ):
            found[-1].append(mention)
        else:
            found.append([mention])
    return found
