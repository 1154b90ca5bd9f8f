"""Labels of multiple choice beside the words of their choices: which one is named, where the two disagree."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from grading.language.responses import changing
from grading.language.responses.askedagain import placed
from grading.language.responses.choosing import Choice, Found, Role, choice_in, chosen_label
from grading.language.responses.clauses import is_foreign
from grading.language.responses.corrections import taken_back
from grading.language.responses.labelwords import DISPUTED, LINE_OF_A_LIST, OPENED
from grading.language.responses.naming import names_in
from grading.language.responses.partly import named_in_part
from grading.language.responses.samenames import same_name
from grading.language.responses.turning import opens_aside


def chosen_by_words(
    spoken: Sequence[str],
    spelt: Mapping[str, str],
    *,
    stated: bool = False,
    alone: bool = True,
    asked: frozenset[str] = frozenset(),
) -> str | None:
    """The choice whose words the response says, as it would choose a label that stood in their place.

    Where it has to be `stated`, something that is only described is not chosen; nor is it where the one sentence that
    is left of a response is not `alone`. `asked` are the words of the question.
    """
    if not spoken:
        return None
    said = [placed(named(each, spelt), asked) for each in spoken]
    if stated:
        # A number may be said of much: only one that ends its clause, or is counted in it, is what is asked for.
        said = [
            each if _COUNTS.fullmatch(each) and not _is_bounded(each) else before
            for each, before in zip(map(_worked_out, said), spoken, strict=True)
        ]
    if list(spoken) == said:
        return None
    found = choice_in(said[-1], tuple(spelt), in_words=True)
    partly = _THING in said[-1] and (
        found.role is Role.DESCRIBED or re.search(rf"\b(?:and|or|nor)\s+{_THING}|{_THING}\s+(?:and|or)\b", said[-1])
    )
    if partly and found.named:
        return None
    if (
        not _lists(said)
        and not partly
        and found.label is not None
        and found.named - found.down - found.passed == {found.label}
    ):
        plain = (alone and len(spoken) == 1 and (";" not in said[-1] or found.down)) or _OF_THEM.match(
            spoken[-1]
        ) is not None
        if found.role > Role.DESCRIBED or (plain and not stated):
            return found.label
    end = -_CLOSING if stated else 0
    chosen = chosen_label(said[end:], tuple(spelt), in_words=True)
    behind = spoken[end:][chosen.place + 1 :] if chosen is not None else []
    disputed = any(DISPUTED.search(each) for each in behind) or (
        bool(behind) and "option" not in said[end:][len(said[end:]) - len(behind)] and taken_back(behind[0])
    )
    if chosen is None or disputed or (chosen.role is Role.STATED and _names_another(chosen, behind, spelt)):
        return None
    return chosen.label if not partly or chosen.role is Role.CONCLUDED else None


def _lists(said: Iterable[str]) -> bool:
    """Whether sentences put something behind one choice after another."""
    return len({found["label"] for each in said if (found := LINE_OF_A_LIST.match(each) or OPENED.match(each))}) > 1


def _names_another(chosen: Found, later: Sequence[str], spelt: Mapping[str, str]) -> bool:
    """Whether the argument behind a sentence that only states a choice goes on to the label of another, or ends with
    another."""
    choices = tuple(spelt)
    told = [each for each in later if not opens_aside(each)]
    said = (choice_in(each, choices) for each in told)
    if any(each.named - each.down - {chosen.label} for each in said):
        return True
    last = choice_in(named(told[-1], spelt), choices, in_words=True) if told else Choice()
    return last.clouded and len(last.named - {chosen.label}) == 1 and _OTHERWISE.search(told[-1]) is None


_OTHERWISE: Final = re.compile(
    r"\b(?:would|could|might|if|unless|had|were)\b|['’]d\b|,\s+(?:but|though|only)\b", re.IGNORECASE
)
"""Words of a case that is not the one in question."""


def _worked_out(said: str) -> str:
    """A sentence that arrives at a number, without the names of those that it is worked out from."""
    arrives = next(reversed([*_ARRIVES.finditer(said)]), None)
    if arrives is None or "option" in said[arrives.end() :]:
        return said
    head = re.sub(r"\boption [A-Z]\b", "that many", said[: arrives.start()])
    drawn = arrives["drawn"] is not None and not _BEYOND.search(said[arrives.end() :])
    return head + (arrives[0] if drawn else said[arrives.start() :])


def _is_bounded(said: str) -> bool:
    """Whether what stands about a number that is a choice bounds it or makes another thing of it."""
    lead, _, behind = said.partition("option ")
    return changing.BEFORE.search(f"{lead} ") is not None or re.search(r"\bso\s+far\b|\byet\W*$", behind) is not None


def named(sentence: str, spelt: Mapping[str, str]) -> str:
    """A sentence with `option A` for the words of choice A, whole ones first."""
    sentence = _BELONGS_TO.sub(r"\1 by \2", sentence)
    for label, words in spelt.items():
        if _CLAUSE.match(words):
            sentence = re.sub(rf"(?<=[,;:]\s){_spaced(words.rstrip('.'))}(?=\W*$)", f"it is option {label}", sentence)
    said = _in_labels(sentence, spelt)
    if _THING not in said and len(sentence) <= _LONGEST:
        said = named_in_part(said, spelt, "option {}")
    said = re.sub(r"(?<![\w])([A-Z])([).:]+)\s+option \1\b", r"\1\2 so", said)
    stated = "".join(label for label, words in spelt.items() if _STATES.search(words))
    if stated and "option" in said:
        said = re.sub(rf"{_ASSERTED}(?=option [{stated}]\b)", r"\g<0>it is ", said)
    said = re.sub(r"option ([A-Z]) \((?:option |choice )?\1\)", r"option \1", said)
    return re.sub(r"\b(?:was|were)(?=\W+(?:the\s+)?option [A-Z]\b)", "is", said)


def _in_labels(sentence: str, spelt: Mapping[str, str]) -> str:
    """A sentence with `option A` for the words of choice A, where they are a whole group of words."""
    bare = {
        label: re.sub(r"^(?:the|an?)\s+", "", " ".join(words.split()).rstrip("."), flags=re.IGNORECASE)
        for label, words in spelt.items()
    }
    known = sorted(
        (
            label
            for label, words in bare.items()
            if re.search(
                r"[^\W\d_]{3}|\b[A-Z][a-z]\b|^sp[23]?(?:d2?)?$|^[$€£]?[\d.,/]+(?:\s?(?:%|[^\W\d_]\S{0,5}))?$", words
            )
        ),
        key=lambda label: -len(bare[label]),
    )
    if not known or len(sentence) > _LONGEST:
        return sentence
    some = "|".join(f"(?P<{label}>{_spaced(bare[label])})" for label in known)

    def put(found: re.Match[str]) -> str:
        before, behind = sentence[: found.start()], sentence[found.end() :]
        if found[0].lstrip("$€£")[:1].isdigit():
            return found[0] if _IN_A_FORMULA.match(behind) else f"option {found.lastgroup}"
        begun = found[0][:1].islower() and re.match(r"(?:the|an?)\s", found[0]) is not None
        led = re.search(r"[a-z]{2}\s$", before) and not _PREPOSED.search(before) if begun else None
        several = re.search(r"[^\W\d_]{2}[\s-]+[^\W\d_]{2}", bare[str(found.lastgroup)]) and not _OTHER_KIND.search(
            before
        )
        long = several or len(spelt[str(found.lastgroup)].split()) >= _LONG
        whole = (several or _BEHIND_A_NAME.match(behind)) and (
            led or _BEFORE_A_NAME.search(before) or _PREPOSED.search(before) or _CHOSEN_BEFORE.search(before) or long
        )
        return f"option {found.lastgroup}" if whole else _THING

    return re.sub(
        rf"(?<![\w−+/^*×·=<>≤≥√.-])(?:(?:the|an?)\s+)?(?:{some})(?![\w-]|['’]s)", put, sentence, flags=re.IGNORECASE
    )


def label_named(text: str, spelt: Mapping[str, str]) -> str | None:
    """The one choice whose words the response names at a place where an answer is said."""
    parts = re.split(r"(?<=[.!?])\s|\n", text.strip())
    if _lists(named(each, spelt) for each in parts):
        return None
    last = parts[-1]
    if re.search(r"\balso\b(?!\s+(?:known|called|named))", last):
        return None
    names = {same_name(name, folded=True) for name in names_in(text)}
    judged = choice_in("" if is_foreign(last) else named(last, spelt), tuple(spelt), in_words=True)
    found = [
        label
        for label, words in spelt.items()
        if (label == judged.label or label not in judged.named)
        if re.search(r"[^\W\d_]", words) and same_name(unicodedata.normalize("NFKC", words), folded=True) in names
    ]
    if len(found) != 1 or _others(text, found[0], spelt):
        return None
    ends = [label for label, words in spelt.items() if re.search(rf"(?<![\w-]){_spaced(words)}(?![\w-])", last)]
    return found[0] if found[0] in ends or not ends else None


_STATES: Final = re.compile(r"\b(?:is|are|was|were|has|have|had|does|did|can|will|must|may)\b", re.IGNORECASE)
"""A choice that is a statement: its words say it, where they begin a clause."""
_CLAUSE: Final = re.compile(r"(?:it|they|he|she|we)\s", re.IGNORECASE)
"""A choice that is a clause of its own."""
_ASSERTED: Final = r"(?:^\W*|[,;:]\s|\b(?:so|thus|hence|therefore|because|since|and)\s)"
_BELONGS_TO: Final = re.compile(r"\b(is|was)\s+([A-ZÀ-Þ]\w+)['’]s(?=[\s.!]*$)")
"""`The phrase is Locke's.`"""
_OF_THEM: Final = re.compile(
    r"^\W*(?:(?:so|thus|hence|therefore|overall|in\s+(?:short|summary|conclusion))\b\W*)*(?:(?:of|among|amongst|out\s+of)\s+(?:the|these|those|all)\b[^,]{0,60},\s|(?:so|thus|hence|therefore)\b)",
    re.IGNORECASE,
)
"""What begins a sentence that comes back to the choices."""
_BEFORE_A_NAME: Final = re.compile(
    r"(?:^|[,:;—–→⇒>(\"“„‘'*]|\b(?:is|are|was|be|should|must|will|can|(?:points?|amounts?|down|leads?|adds\s+up|corresponds?|refers?|belongs?|due|led|order|there|is|are|goes)\s+to|the\s+(?:title|name|term|word)|by\s+(?:definition|elimination)|as|called|named|termed|not|except|than|or|and|only|just|simply|so|thus|hence|therefore|that|if|because|since|but|like|unlike|neither|nor|either|between|than|by|exactly|precisely|clearly|obviously|indeed|out|it['’]s|(?:sits?|lies?|located|situated|seat|held|placed?|born|found|stands?|lives?)\s+in"
    r"|(?![a-z]*(?:ous|less|us|is|ss|[^aeiou]ics)\b)[a-z]{3,}s))\s*$",
    re.IGNORECASE,
)
"""What stands before a whole group of words that is said: a verb, a conjunction or a mark, but no adjective or noun."""
_PREPOSED: Final = re.compile(
    r"\b(?:of|in|on|at|from|for|with|without|into|onto|over|under|between|among|through|during|against|about|after|before|within|near|via|per|beyond|above|below)\s+$",
    re.IGNORECASE,
)
_BEHIND_A_NAME: Final = re.compile(
    r"\W*$|\s*[.,;:!?()—–\"”*]|\s+(?:is|are|was|were|has|have|had|can|cannot|could|would|will|must|may|might|does|did|do|because|since|as|which|that|who|when|while|but|and|or|so|not|here|all|both|each|alone|only|best|rather|instead|too|again|then|therefore|thus|in|on|at|for|with|to|than|if|by|from|under|during"
    r"|(?![a-z]*(?:ous|less|us|is|ss)\b)[a-z]{3,}(?:s|ed))\b",
    re.IGNORECASE,
)
_ARRIVES: Final = re.compile(
    r"\b(?:(?P<drawn>so|hence|thus|therefore)|is|are|makes?|gives?|leaves?|equals?)\s+"
    r"(?:only\s+|just\s+|exactly\s+)?option [A-Z]\b"
)
_BEYOND: Final = re.compile(
    r"\b(?:not|no|never|more|less|fewer|times|per|each|every|other|another|if|unless|or|and|but|plus|minus|too|wrong)\b|n['’]t\b|[\d?]",
    re.IGNORECASE,
)
"""Words behind a number with which it is another one."""
_COUNTS: Final = re.compile(
    r"(?!.*\b(?:add|subtract|take|multipl|divid|deduct|remov|another|other|extra|first|initial|already|every|each|per)).*?"
    r"option [A-Z](?:\s+(?:(?!than\b|to\b|from\b|more\b|less\b|fewer\b|after\b|before\b|[a-z]{2,}er\b)[a-z-]+\s*){0,3}"
    r"|\s+(?:times\s+(?:more|as\s+\w+)|as\s+(?:the|our|its)\b[^,;]*))?\W*",
    re.IGNORECASE,
)
"""A sentence that ends in a number that is a choice, or in what is counted by it."""
_IN_A_FORMULA: Final = re.compile(
    r"[.,]?\d|\s*[-−+/^*×·=<>≤≥%°√]|\s*(?:squared|cubed|factorial|per\s?cent|percent|dozens?|hundred|thousand|[mb]illions?|tens|k)\b"
)
_OTHER_KIND: Final = re.compile(
    r"\b(?:acute|chronic|primary|secondary|type|anti|pseudo|partial|false|negative|inverse|reverse|lower|upper|left|right|anterior|posterior|first|second|third|another|other|non|sub|super|high|low|indirect|direct)\W*$",
    re.IGNORECASE,
)
"""What makes another kind of what a choice names."""
_CLOSING: Final = 2
"""Sentences at the end in which a value may be said that stands for a choice."""
_LONG: Final = 4
"""Words of a choice that is never a part of something else."""
_CHOSEN_BEFORE: Final = re.compile(
    r"\b(?:to|will|would|should|can|must|does|did|we|I|they|you)\s+(?:(?:most|very)\s+likely\s+|[a-z]+ly\s+)?[a-z]+\s*$|(?<=\w\s)(?-i:[A-Z][a-z]+\s+)+$|(?:\b(?:choosing|choose|chose|pick(?:ing)?|select(?:ing)?|say|guess|answer|this|that|i\.\s?e\.|e\.\s?g\.|namely|plead|give|start|prefer|use)\W*)$",
    re.IGNORECASE,
)
_THING: Final = "such things"
"""What stands in a sentence for words of a choice that are a part of something else."""
_LONGEST: Final = 600


def _others(text: str, label: str, spelt: Mapping[str, str]) -> bool:
    """Whether a response names another label in so many words."""
    return any(
        re.search(rf"\((?:\w+\s+)?{other}\)|\b(?i:option|choice|answer)\s+{other}\b", text)
        for other in spelt
        if other != label
    )


def disagrees(text: str, label: str, spelt: Mapping[str, str]) -> bool:
    """Whether a label stands beside the words of another choice: `A) Niels Bohr` where A is Einstein."""
    own = spelt.get(label, "")
    bracketed = (
        re.search(rf"(?<!\w){_spaced(own)}\s*[(\[](?:[Oo]ption\s+|[Cc]hoice\s+)?(?P<other>[A-Z])[)\]]", text)
        if own
        else None
    )
    if bracketed is not None and bracketed["other"] in spelt and bracketed["other"] != label:
        return True
    for other, words in spelt.items():
        if other == label or len(words) < 2 or words.casefold() in own.casefold() or own.casefold() in words.casefold():
            continue
        said_of = r"(?!\s+(?:is|are|was|would|could|needs?|has|does|requires?|means)\b)"
        beside = rf"(?<![\w'’]){label}\s*(?P<mark>[)\].:,–—-]+)\s*(?:the\s+|an?\s+)?{_spaced(words)}(?!\w){said_of}"
        if any(found["mark"] != "." or not _GOES_ON.match(text, found.end()) for found in re.finditer(beside, text)):
            return True
    return False


_GOES_ON: Final = re.compile(r"\s+[a-z]|\s*,\s*\(?[A-Z]\b\)?,")
"""A sentence behind a label and a full stop, which has the words only as its subject: `A. Timid people are …`."""
_THOUSANDS: Final = re.compile(r"(?<=\d),?(?=(?:\d{3})+(?!\d))")


@lru_cache(maxsize=1024)
def _spaced(words: str) -> str:
    """Words with any space between them, and numbers with or without commas."""
    return "(?i:" + r"\s+".join(",?".join(map(re.escape, _THOUSANDS.split(word))) for word in words.split()) + ")"
