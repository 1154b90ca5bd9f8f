"""What speaks for and against a choice where a response mentions it."""

import re
from collections.abc import Sequence
from typing import Final

from grading.language.labelranking import cues
from grading.language.labelranking.grounds import add_ahead, add_grounds
from grading.language.labelranking.mentions import Mention
from grading.language.labelranking.overall import overall
from grading.language.labelranking.reading import Features, Read
from grading.language.ranking.pairs import add_pairs
from grading.language.ranking.questions import stems
from grading.language.responses.asides import adds
from grading.language.responses.choosing import Choice, Role
from grading.language.responses.turning import comes_back, hypothetical, opens_aside

_FEW: Final = 0.5
"""The share of a choice's own words below which a sentence hardly names it."""
_FAR: Final = 8
_CLOSE: Final = 5
"""Sentences from the end, and words beside a mention, that are told apart."""
TOGETHER: Final = frozenset(
    """letter; words; value; number; part; part share; part of letter; last; second last; first; only sentence;
    from end; last paragraph; heading; in list; bold; ticked; crossed; alone in sentence; firm others; opens sentence;
    ends sentence; last of sentence; first of sentence; denied before; denied behind; concludes before; answers before;
    answers behind; doubted; turns; aside; verbless; l chosen; w chosen; l down; w down; l concluded; w concluded;
    a down; a others down; a one left; a only at end; a last firm; a overlap ahead; a first firm; a named most; ruled;
    ruled another; committed value; q negative; q clause ahead; q sentence ahead; q sentence best; q own; q own ahead;
    q own best; q own any alone; q label any alone; q behind""".replace("\n    ", " ").split("; ")
)
"""Those that count also in pairs: what leads to a choice means another thing at the end than before it."""


def features_of(
    response: Read, live: Sequence[Mention], labels: Sequence[str], ruled: str | None, by_value: str | None
) -> list[Features]:
    """The features of each mention.

    `ruled` is the label that the rules of sentences choose, `by_value` that of the value that is committed to.
    """
    found = [_own(response, each, live) for each in live]
    for name in ("q sentence", "q clause"):
        add_ahead(name, found, live)
    add_grounds(response, found, live)
    about = {label: overall(response, label, live, labels) for label in labels}
    for features, each in zip(found, live, strict=True):
        features.update(about[each.label])
        features["ruled"] = float(each.label == ruled)
        features["ruled another"] = float(ruled is not None and each.label != ruled)
        features["committed value"] = float(each.label == by_value)
        features["another's value"] = float(by_value is not None and each.label != by_value)
    add_pairs(found, TOGETHER)
    return found


def _own(response: Read, each: Mention, live: Sequence[Mention]) -> Features:
    """Features of a mention and its sentence."""
    text = response.text(each.place)
    start, end = each.extent
    lead, rest = text[:start], text[end:]
    clause, behind = cues.CLAUSE.split(lead)[-1], cues.CLAUSE.split(rest.lstrip(" )].*:,—–-"))[0]
    known = _kinds(each) | _place(response, each) | _beside(response, each, live, text[start:end].strip(" ()."))
    known |= {
        "opens sentence": re.search(r"\w", lead) is None,
        "ends sentence": re.search(r"\w", rest) is None,
        "denied before": cues.DENIES.search(clause) is not None,
        "denied far before": cues.DENIES.search(lead) is not None,
        "denied behind": cues.DENIES.search(behind) is not None,
        "denied far behind": cues.DENIES.search(rest) is not None,
        "concludes before": cues.CONCLUDES.search(lead) is not None,
        "concludes behind": cues.CONCLUDES.search(rest) is not None,
        "answers before": cues.ANSWERS.search(clause) is not None,
        "answers behind": cues.ANSWERS.search(behind) is not None,
        "doubted": cues.DOUBTS.search(lead) is not None,
        "doubted behind": cues.DOUBTS.search(behind) is not None,
    }
    if response.asked:
        near = response.asked & stems(f"{clause} {behind}")
        known["q sentence"] = len(response.asked & stems(text)) / len(response.asked)
        known["q clause"] = len(near) / len(response.asked)
        known["q words"] = min(len(near), 4) / 4
    features = {name: float(value) for name, value in known.items() if value}
    for how, choice in (("l", response.by_letter[each.place]), ("w", response.by_words[each.place])):
        features.update(_judged(how, choice, each.label))
    features.update(dict.fromkeys(_words(text, clause, rest), 1.0))
    return features


def _kinds(each: Mention) -> dict[str, float | bool]:
    """How the choice is mentioned."""
    kind = each.kind
    return {
        kind: True,
        "letter and words": bool(each.letters) and bool(each.words or each.values),
        "letter and part": bool(each.letters) and each.part > 0,
        "part share": each.part if kind == "part" else 0.0,
        "part whole": kind == "part" and each.part == 1,
        "part few": kind == "part" and each.part < _FEW,
        "part of letter": each.part if kind == "letter" else 0.0,
    }


def _place(response: Read, each: Mention) -> dict[str, float | bool]:
    """Where the sentence stands, and what it is in the response."""
    spoken, count, place = response.spoken[each.place], len(response.spoken), each.place
    text, paragraph = spoken.sentence.text, spoken.sentence.paragraph
    left = count - 1 - place
    return {
        "last": left == 0,
        "second last": left == 1,
        "third last": left == 2,
        "first": place == 0,
        "only sentence": count == 1,
        "place": place / (count - 1) if count > 1 else 1.0,
        "from end": min(left, _FAR) / _FAR,
        "last paragraph": paragraph == response.spoken[-1].sentence.paragraph,
        "begins paragraph": place == 0 or response.spoken[place - 1].sentence.paragraph != paragraph,
        "heading": spoken.sentence.heading,
        "in list": spoken.sentence.listed,
        "ticked": spoken.ticked,
        "crossed": spoken.crossed,
        "turns": cues.TURNS.match(text) is not None,
        "asks": "?" in text,
        "aside": response.roles[place] == "aside",
        "section aside": response.roles[place] == "section",
        "beside": place in response.beside,
        "opens aside": opens_aside(text),
        "adds": adds(text),
        "hypothetical": hypothetical(text) and not comes_back(text),
        "verbless": cues.FINITE.search(text) is None,
        "q negative": response.negative,
        "next turns": left > 0 and cues.TURNS.match(response.text(place + 1)) is not None,
    }


def _beside(response: Read, each: Mention, live: Sequence[Mention], written: str) -> dict[str, float | bool]:
    """The other choices of the sentence, and its bold type."""
    here = [one for one in live if one.place == each.place and one.label != each.label]
    firm = sum(one.kind != "part" for one in here)
    bold = response.spoken[each.place].bold
    first = min(each.spans)[0]
    return {
        "bold": written in bold if bold else False,
        "bold elsewhere": written not in bold if bold else False,
        "alone in sentence": not here,
        "firm others": min(firm, 3) / 3,
        "loose others": min(len(here) - firm, 3) / 3,
        "last of sentence": all(max(one.spans)[0] <= max(each.spans)[0] for one in here),
        "first of sentence": all(min(one.spans)[0] >= first for one in here),
    }


def _judged(how: str, choice: Choice, label: str) -> Features:
    """What the rules make of the sentence, by letters (`l`) or words (`w`)."""
    mine, another = choice.label == label, choice.label not in (None, label)
    known = {
        "chosen": mine,
        choice.role.name.lower(): mine,
        "called right": mine and choice.calls_right,
        "another chosen": another,
        "another firm": another and choice.role > Role.STATED,
        "down": label in choice.down,
        "others down": bool(choice.down - {label}),
        "clouded": choice.clouded,
        "several": choice.several,
        "passed": label in choice.passed,
    }
    return {f"{how} {name}": 1.0 for name, value in known.items() if value}


def _words(text: str, clause: str, rest: str) -> list[str]:
    """Words of the sentence (`s:`), its first two (`f:`), those before the mention and behind it."""
    words, before, behind = (cues.WORD.findall(each.lower()) for each in (text, clause, rest))
    found = [*(f"s:{word}" for word in set(words)), *(f"f:{word}" for word in words[:2])]
    found += [*(f"c:{word}" for word in set(before[-_CLOSE:])), *(f"l:{word}" for word in before[-1:])]
    found += [f"lb:{before[-2]}_{before[-1]}"] if len(before) > 1 else []
    found += [*(f"d:{word}" for word in set(behind[:_CLOSE])), *(f"r:{word}" for word in behind[:1])]
    return found + ([f"rb:{behind[0]}_{behind[1]}"] if len(behind) > 1 else [])
