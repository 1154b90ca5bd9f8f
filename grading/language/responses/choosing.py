"""Which label a response chooses: the one of the last sentence, in the argument's own voice, that names it.

Words are open. A sentence is cut into clauses; a label in a clause is chosen there, turned down, or neither, by words
of closed classes that stand in that clause:

    turned down   a denial or an elimination before the label (`it is not B`, `that rules out B`, `rather than B`)
                  or a fault behind it (`B fails`, `B is out`)
    neither       a supposition, doubt, report, comparison or question in its clause, or something that unsettles it
                  behind; a label that is only looked at (`for B, the sum is 12`)
    chosen        everything else, by its role: concluded (the answer is B, I choose B, so it is B), praised (B is
                  right, B alone, it is B), stated (the complement of any verb, the end of a statement) or described
                  (the subject of any verb)

A sentence chooses the label of its strongest clause, of several that of the clause that concludes; a response that of
the last sentence, but what is stated or praised gives way to a conclusion before it. What is only described is not
chosen. Where no sentence chooses, the one label left is, where all others were turned down.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import pairwise
from typing import Final, NamedTuple

from grading.language.responses import labelwords as say
from grading.language.responses.labelled import (
    CONCEDES,
    CONDITION,
    FINITE_INSIDE,
    REASON,
    Clause,
    Mention,
    clauses_in,
    groups,
    mentions_in,
)
from grading.language.responses.turning import opens_aside, supposes_another

_SEVERAL: Final = "commits to several labels"
_LATEST: Final = 40
"""Sentences from the end in which a label may be chosen."""
_LONGEST: Final = 900
_FEWEST: Final = 3
_SOME: Final = 2
"""Choices of which one may be what is left."""


class Role(IntEnum):
    """How firmly a label is named."""

    DESCRIBED = 1
    STATED = 2
    PRAISED = 3
    CONCLUDED = 4


@dataclass(frozen=True, slots=True)
class Choice:
    """What a sentence says: the `label` it chooses and how, those it turns down, or that it names `several`.

    `clouded` where it doubts, supposes or reports one; `calls_right` where it calls the label right or the answer;
    `passed` are labels that only a clause names from which the sentence turns (`it looks like B, but …`).
    """

    label: str | None = None
    role: Role = Role.DESCRIBED
    calls_right: bool = False
    several: bool = False
    clouded: bool = False
    down: frozenset[str] = frozenset()
    named: frozenset[str] = frozenset()
    passed: frozenset[str] = frozenset()


class Found(NamedTuple):
    """The label that a response chooses, or None and the `reason`; the `place` of its sentence, and its role there."""

    place: int
    label: str | None
    reason: str
    role: Role = Role.STATED


class _Chosen(NamedTuple):
    place: int
    label: str
    role: Role
    concludes: bool


def choice_in(sentence: str, choices: tuple[str, ...], *, in_words: bool = False) -> Choice:
    """What a sentence says of the labels, which stand for the words of the choices where it is said `in_words`."""
    if in_words and "would" in sentence and not say.UNREAL.search(sentence):
        sentence = say.PREDICTS.sub(r"\g<subject>will ", sentence)
    mentions = list(mentions_in(sentence, choices)) if len(sentence) <= _LONGEST else []
    if not mentions:
        return Choice()
    if (beside := _without_remarks(sentence, choices, in_words=in_words)) != sentence:
        return choice_in(beside, choices, in_words=in_words)
    named = frozenset(each.label for each in mentions)
    if supposes_another(sentence) or (len(named) > 1 and say.LISTS.match(sentence)):
        real = (say.BACK if supposes_another(sentence) else say.DRAWN).search(sentence)
        return choice_in(sentence[real.start() :], choices, in_words=in_words) if real else Choice()
    if _is_unclear(sentence, several=len(named) > 1, in_words=in_words):
        return Choice(clouded=True, named=named)
    clauses = clauses_in(sentence, mentions)
    if any(clause.pointed_at and clause.mentions and before.mentions for before, clause in pairwise(clauses)):
        return Choice(clouded=True, named=named)
    found, down, several, clouded = _read(clauses, in_words=in_words)
    if not clouded and (pointed := _pointed_at(clauses, down)) is not None:
        return Choice(*pointed, calls_right=pointed[1] > Role.STATED, down=down, named=named)
    chosen = _strongest(found)
    if chosen is None:
        several = several or len({each.label for each in found if each.role > Role.DESCRIBED}) > 1
        return Choice(several=several, clouded=clouded, down=down, named=named)
    later = clauses[chosen.place + 1 :]
    conceded = next(
        (
            at
            for at, each in enumerate(later)
            if say.GRANTS.match(each.text)
            or (each.mentions and all(one.label != chosen.label for one in each.mentions))
        ),
        len(later),
    )
    of_another = {
        at
        for at, each in enumerate(later)
        if at > conceded and later[at - 1].mentions and not each.lead.strip() and CONDITION.match(each.text)
    }
    if any(
        _takes_back(clause)
        for at, clause in enumerate(later)
        if at not in of_another and (at < conceded or not say.TURNS.match(clause.text))
    ):
        return Choice(clouded=True, down=down, named=named)
    if (chosen.role is Role.DESCRIBED and clouded) or (chosen.label in down and chosen.role < Role.PRAISED):
        return Choice(clouded=True, down=down, named=named)
    if several and chosen.role < Role.PRAISED:
        return Choice(several=True, down=down, named=named)
    turned = max(
        (at for at, each in enumerate(clauses) if at and each.mentions and say.TURNS.match(each.text)), default=0
    )
    passed = named - {mention.label for each in clauses[turned:] for mention in each.mentions}
    calls_right = say.CALLS_RIGHT.search(sentence) is not None
    role = Role.CONCLUDED if chosen.role > Role.DESCRIBED and say.HERE.match(sentence) else chosen.role
    return Choice(chosen.label, role, calls_right, down=down, named=named, passed=passed)


def _without_remarks(sentence: str, choices: tuple[str, ...], *, in_words: bool) -> str:
    """A sentence without remarks in brackets of which each speaks of labels and chooses none: `C (my class said A)`."""

    def left(found: re.Match[str]) -> str:
        if len(found[1].split()) < _FEWEST:
            return found[0]
        said = choice_in(found[1], choices, in_words=in_words)
        rest = f"{sentence[: found.start()]} {sentence[found.end() :]}"
        another = said.named.isdisjoint(each.label for each in mentions_in(rest, choices))
        chooses = said.label is not None or said.several or say.CORRECTS.match(found[1]) or "?" in found[1]
        return found[0] if chooses or not said.named or not another else ""

    return say.REMARK.sub(left, sentence) if "(" in sentence else sentence


def _pointed_at(clauses: list[Clause], down: frozenset[str]) -> tuple[str, Role] | None:
    """The one label before a last clause that says of it that it is the answer, and how firmly."""
    role = _points_back(clauses[-1])
    before = {mention.label for each in clauses[:-1] for mention in each.mentions} - down
    return (before.pop(), role) if role is not None and len(before) == 1 else None


def _points_back(clause: Clause) -> Role | None:
    """How firmly a clause that names no label says of what stands before it that it is the answer; None of others."""
    found = None if clause.mentions else say.POINTS_BACK.match(clause.text)
    if found is None or any(words.search(found["rest"]) for words in (say.CLOUDS, say.UNSETTLES, say.PEOPLE)):
        return None
    if found["mine"]:
        return Role.CONCLUDED
    return Role.PRAISED if found["sought"] or not found["rest"].strip(" .!") else Role.STATED


def _is_unclear(sentence: str, *, several: bool, in_words: bool) -> bool:
    """Whether a sentence asks, quotes or mocks, or tells of two cases, of two times or of two people."""
    if sentence.rstrip(' )*"”').endswith("?") or say.QUOTED.search(sentence) or say.IRONY.search(sentence):
        return True
    if not several:
        return False
    forms = (say.CASES, say.SEQUENCE, say.SHARED) if in_words else (say.CASES,)
    return any(form.search(sentence) for form in forms)


def _read(clauses: list[Clause], *, in_words: bool) -> tuple[list[_Chosen], frozenset[str], bool, bool]:
    """What the clauses choose and turn down, whether one chooses several labels, and whether one is clouded."""
    found: list[_Chosen] = []
    down: set[str] = set()
    several = clouded = supposed = False
    for place, clause in enumerate(clauses):
        if CONDITION.match(clause.text) or say.SOURCE.match(clause.text):
            supposed = True
        elif not clause.mentions and clause.lead.strip() == ";":
            supposed = False
        if place and clause.mentions and say.TURNS.match(clause.text):
            found, clouded, supposed = [], False, False
        for group in groups(clause):
            labels = {each.label for each in group}
            verdict, role = _judged_in(clauses, place, group, in_words=in_words)
            if verdict == "down":
                down |= labels
            elif supposed or verdict == "clouded" or CONCEDES.match(clause.text):
                clouded = True
            elif verdict == "chosen" and len(labels) > 1:
                several = several or role > Role.DESCRIBED
            elif verdict == "chosen":
                opened = clauses[place - 1].text if place and clause.lead.strip() == "," else ""
                so_then = say.SO_THEN.match(opened) is not None and not say.CLOUDS.search(say.SO.sub("", opened))
                concludes = so_then or say.CONSEQUENCE.search(clause.lead + clause.text[: group[0].start]) is not None
                role = Role.CONCLUDED if so_then and role > Role.DESCRIBED else role
                found.append(_Chosen(place, group[0].label, role, concludes))
    return found, frozenset(down), several, clouded


def _judged_in(clauses: list[Clause], place: int, group: list[Mention], *, in_words: bool) -> tuple[str, Role]:
    """The verdict on the labels of a clause, and how firmly, with what the clauses before it arrive at.

    A further clause may put a label to that (`all agree on 1/2, and this is choice B`).
    """
    verdict, role = _judged(clauses[place], group, in_words=in_words)
    if verdict != "chosen" or not place or not say.IDENTIFIES.search(clauses[place].text[: group[0].start]):
        return verdict, role
    earlier = [say.SO_FIRST.sub("", each.text) for each in clauses[:place]]
    told = [each for each in earlier if not CONCEDES.match(each)]
    if any(say.MISLED.search(each) or say.PEOPLE.search(say.SHARE.sub("", each)) for each in told):
        return "clouded", role
    sound = told and not any(words.search(each) for each in told for words in (say.CLOUDS, say.UNSETTLES, CONDITION))
    return verdict, Role.CONCLUDED if sound and role > Role.DESCRIBED and not in_words else role


def _strongest(found: list[_Chosen]) -> _Chosen | None:
    """Of the labels that clauses choose, the one of the strongest clause or of that which concludes."""
    concluding = [each for each in found if each.concludes]
    strongest = [each for each in found if each.role is max(one.role for one in found)]
    for some in (found, strongest, concluding, concluding[-1:]):
        if len({each.label for each in some}) == 1:
            return max(some[::-1], key=lambda each: each.role)
    return None


def _judged(clause: Clause, group: list[Mention], *, in_words: bool) -> tuple[str, Role]:
    """Whether the labels of a group are `chosen`, turned `down`, `clouded` or only `named` in their clause, and how."""
    text, start, end = clause.text, group[0].start, group[-1].end
    asked = say.ASKED_FOR.sub("", f"{text[:start]}is ") if say.ASKED_FOR.search(f"{text[:start]}is ") else ""
    before = asked.removesuffix("is ") if asked else text[:start]
    before = say.ASSURES.sub(_assured, say.RESTATES.sub(" is ", f"{before} "))
    before = say.CONJOINED.sub("", say.MODEST.sub(_resolved, say.SAYING.sub(r"\1", before)))
    colon = say.BEHIND_COLON.search(before) if in_words else None
    head = before[: colon.start()] if colon is not None else ""
    before = before if not say.ASKED.match(before) else "the answer is "
    if FINITE_INSIDE.search(head) and not say.NOT_COLON.search(head):
        before = "it is "
    after = "" if say.OWN_WORDS.match(text[end:]) else say.ASSURES.sub(" ", text[end:])
    after = say.OTHERS_REMARK.sub(r"\g<own> ", say.ID_SAY.sub(" ", after))
    own = {each.label for each in group}
    after = say.ANOTHER_NOT.sub(
        lambda found: found[0] if found["label"] in own else " ", say.WHAT_I_DO.sub(" is the best ", after)
    )
    faulty = say.FAULT.match(after) is not None
    if say.ALL_BUT.search(before) and say.FALLS.match(after):
        return "chosen", Role.PRAISED
    if say.ALL_EXCEPT.match(before) and say.SINGLED.match(after) and not say.CLOUDS.search(say.EXCEPT.sub("", before)):
        return "chosen", Role.STATED
    rejects = [found[0].lower() for found in say.REJECTS.finditer(before)]
    if say.HEDGED.search(text[start:end]) and not rejects and not faulty:
        return "clouded", Role.STATED
    own_voice = say.RELATIVE.sub(r"\1", say.MENTIONED.sub(" this ", before))
    clouds = any(words.search(own_voice) is not None for words in (say.CLOUDS, say.OWNER, say.SHARES))
    clouds = clouds or (in_words and say.REFUSES.search(before) is not None)
    others = say.PEOPLE.search(before) is not None
    clouds = clouds or (others and (not in_words or say.TAKING.search(before) is not None))
    bracketed = text.startswith(("(", "["), start)
    if say.TO_CHOOSE.match(before) and re.search(r"\w", after):
        return "clouded", Role.STATED
    if rejects:
        clean = not clouds and not faulty and (len(rejects) == 1 or rejects[0] in ("neither", "not"))
        return ("down" if clean else "clouded"), Role.STATED
    if faulty:
        subject = say.OPENING.match(say.OPTION_LAST.sub("", before)) is not None
        return ("down" if bracketed or (subject and not clouds) else "clouded"), Role.STATED
    if clouds or _chosen_by_another(before):
        return "clouded", Role.STATED
    told = re.search(r"\w", after) is not None and not REASON.match(after.lstrip(" ,"))
    if (
        say.OPENING.match(before)
        or say.ONLY.fullmatch(before.strip())
        or (bracketed and told and not say.AWAITS.search(before))
    ):
        return _as_subject(clause, before, after, bracketed=bracketed, in_words=in_words)
    return _as_complement(clause, group, before, after)


def _assured(found: re.Match[str]) -> str:
    """What an assurance leaves: `cannot be anything other than` says what it is."""
    return " is " if re.search(r"\bbe\b", found[0]) else " "


def _resolved(found: re.Match[str]) -> str:
    """What a phrase of modesty says: that one chooses, or what the answer is."""
    return (
        " I choose "
        if found["says"] or found["begins"]
        else " answer is "
        if found["is"]
        else " guess "
        if found["guess"]
        else " I "
    )


def _chosen_by_another(before: str) -> bool:
    """Whether a verb of choosing has another subject than the one who speaks."""
    verb = say.CHOOSING.search(before)
    return verb is not None and say.CHOOSER.search(before[: verb.start()]) is None


def _as_subject(clause: Clause, before: str, after: str, *, bracketed: bool, in_words: bool) -> tuple[str, Role]:
    """A label that stands alone, begins a line of a list, or of which something is said."""
    concludes = say.CONSEQUENCE.search(clause.lead + before) is not None
    firm = Role.CONCLUDED if concludes else Role.PRAISED
    expected = say.EXPECTED.match(after)
    if expected is not None and not say.UNSETTLES.search(after[expected.end() :]):
        return "chosen", firm if concludes else Role.STATED
    unsettled = say.UNSETTLES.search(after) is not None
    if (
        re.search(r"\w", after) is None
        or say.ASSURED.fullmatch(after)
        or (concludes and bracketed and say.OPENING.match(before))
    ):
        return ("clouded" if unsettled else "chosen"), firm
    head = clause.text[: len(clause.text) - len(after)]
    by_place = head.rstrip()[-1:].islower()
    if (re.match(r"\s*[.:–—-]+\s*\w", after) and not by_place) or say.LISTED.search(head):
        if in_words and not unsettled and say.EXPLAINED.match(after):
            return "chosen", Role.STATED
        said = say.CALLED_RIGHT.match(after) is not None and not unsettled
        return ("chosen", Role.PRAISED) if said else ("named", Role.DESCRIBED)
    if unsettled:
        return "clouded", Role.DESCRIBED
    if say.SAYS.match(after):
        return "chosen", Role.DESCRIBED
    parted = concludes or after.lstrip(")]").startswith(",")
    if parted and not bracketed and say.BY_WHICH.match(after) and not FINITE_INSIDE.search(after):
        return "chosen", firm
    if parted and not bracketed and say.APPOSED.match(after) and not FINITE_INSIDE.search(after):
        return "chosen", Role.STATED
    if by_place and re.match(r"\s*[:–—-]+\s*\w", after):
        return "chosen", firm
    praise = say.PRAISE.search(after[:80])
    praised = praise is not None and len(clause.mentions) == 1 and not say.RANKED.search(after[: praise.end()])
    if say.ONLY.search(before):
        return ("clouded" if say.LOOKED_AT.search(after) else "chosen"), Role.CONCLUDED
    if not praised:
        equal = (say.EQUATES if in_words else say.SUPERLATIVE).match(after)
        return "chosen", Role.STATED if equal and not say.RANKED.search(after) else Role.DESCRIBED
    return "chosen", firm if say.CALLS_RIGHT.search(after) else Role.PRAISED


def _as_complement(clause: Clause, group: list[Mention], before: str, after: str) -> tuple[str, Role]:
    """A label to which a verb or a mark leads."""
    if say.AS_IT_SAYS.match(after) and re.search(r"\b(?:as|what)\W*$", before):
        return "chosen", Role.STATED
    if say.SO_THE.match(before) and re.search(r"\w", after) is None:
        return "chosen", Role.CONCLUDED
    if say.COORDINATED.match(before) and not FINITE_INSIDE.search(before) and say.PREDICATE.match(after):
        return "named", Role.DESCRIBED
    led = re.search(r"\b(?:is|are|leaves|leaving)\W*(?:\w+\W+)?$", before) is not None
    if say.UNSETTLES.search(after) or (not led and any(each.end < group[0].start for each in clause.mentions)):
        return "clouded", Role.STATED
    if say.MAKES.search(before) and not (say.PRAISE.search(after[:80]) or re.match(r"\W*the\b", after)):
        return "named", Role.DESCRIBED
    bracketed = clause.text.startswith(("(", "["), group[0].start)
    by_letter = not clause.text.startswith("option", group[0].start)
    taken = say.TAKES.search(before) or say.LEFT_OVER.match(before) or (by_letter and say.PLACED.search(before))
    if (say.TOPIC.search(before) and not taken) or not (say.FINITE.search(before) or bracketed):
        return "named", Role.STATED
    if say.ANSWERS.search(before) or say.CHOOSING.search(before) or say.CONSEQUENCE.search(clause.lead + before):
        return "chosen", Role.CONCLUDED
    if bracketed and re.match(r"\s*:\s*\w", after):
        return "named", Role.DESCRIBED
    return "chosen", Role.PRAISED if say.IT.match(before) or re.search(
        r"\b(?:exactly|precisely)\W*$", before
    ) else Role.STATED


def _takes_back(clause: Clause) -> bool:
    """Whether a clause behind the one that chooses unsettles what it chose."""
    if clause.mentions:
        return say.CORRECTS.match(clause.text) is not None
    if say.ASSURES.match(clause.text.lstrip()):
        return False
    if say.STILL_TO_CHOOSE.search(clause.text):
        return True
    if say.TURNS.match(clause.text) or CONDITION.match(clause.text) or clause.text.startswith("when"):
        return True
    return REASON.match(clause.text) is None and say.JUDGES.match(clause.text) is not None


def _weighed(sentences: Sequence[str], choices: tuple[str, ...], *, in_words: bool) -> list[tuple[int, Choice]]:
    """What the last sentences say, each with its place; one that points back says what the one before it named."""
    said = [
        (place, choice_in(each, choices, in_words=in_words)) for place, each in list(enumerate(sentences))[-_LATEST:]
    ]
    for at, (place, each) in list(enumerate(said))[1:]:
        before = said[at - 1][1]
        role = None if each.named or before.clouded else _points_back(Clause(sentences[place], ""))
        if role is not None and len(before.named - before.down) == 1:
            (only,) = before.named - before.down
            said[at] = (place, Choice(only, role, role > Role.STATED, named=frozenset(only)))
    return said


def _listed(said: list[tuple[int, Choice]], sentences: Sequence[str]) -> list[tuple[int, Choice]]:
    """The same without what the lines of a list say, which put something beside each label, and choose none."""
    lines = {place: found for place, _ in said if (found := say.LINE_OF_A_LIST.match(sentences[place]))}
    if len({found["label"] for found in lines.values()}) < _SOME:
        lines = {place: found for place, _ in said if (found := say.OPENED.match(sentences[place]))}
    if len({found["label"] for found in lines.values()}) >= _SOME:
        said = [
            (at, replace(each, role=Role.DESCRIBED) if at in lines and not each.calls_right else each)
            for at, each in said
        ]
    classed = {at: found["label"] for at, _ in said if (found := say.CLASSED.match(sentences[at]))}
    if len(set(classed.values())) > 1:
        sought = {at for at in classed if say.SOUGHT.search(sentences[at])}
        role = Role.CONCLUDED if len(sought) == 1 else Role.DESCRIBED
        said = [
            (at, replace(each, role=role if at in sought else Role.DESCRIBED) if at in classed else each)
            for at, each in said
        ]
    pointed = [(at, each) for at, each in said if each.role is Role.CONCLUDED and say.ARROW.search(sentences[at])]
    if len({each.label for _, each in pointed}) > 1:
        classified = {at for at, _ in pointed}
        said = [(at, replace(each, role=Role.DESCRIBED) if at in classified else each) for at, each in said]
    lone = {each.label for place, each in said if each.label is not None and say.LONE.fullmatch(sentences[place])}
    if said and len(lone) == 1 and say.LONE.fullmatch(sentences[-1]):
        said[-1] = (said[-1][0], replace(said[-1][1], role=Role.CONCLUDED))
    return said


def chosen_label(sentences: Sequence[str], choices: tuple[str, ...], *, in_words: bool = False) -> Found | None:
    """The label of the sentence that chooses, its place and role, or why there is none; None where none names one."""
    said = _listed(_weighed(sentences, choices, in_words=in_words), sentences)
    beside = {place for place, _ in said if opens_aside(sentences[place])}
    for spoken in ([(at, one) for at, one in said if at not in beside or one.role > Role.STATED], said):
        for turn in range(len(spoken) - 1, -1, -1):
            place, each = spoken[turn]
            if each.several:
                return Found(place, None, f"{_SEVERAL}: {', '.join(sorted(each.named))}")
            if each.label is None or each.role is Role.DESCRIBED or _gives_way(each, spoken[:turn]):
                continue
            behind = [sentences[at] for at in range(place + 1, len(sentences)) if at not in beside]
            if any(
                each.label in one.down and one.named == {each.label}
                for at, one in spoken[turn + 1 :]
                if at not in beside
            ):
                return Found(place, None, "the label is turned down after it was given")
            contradicted = _contradicted(each, spoken[:turn], spoken[turn + 1 :], behind)
            return Found(place, None, _SEVERAL) if contradicted else Found(place, each.label, "one label", each.role)
    remaining = set(choices) - set().union(*(each.down for _, each in said))
    last = next((each for place, each in reversed(said) if each.named and place not in beside), Choice())
    if len(remaining) == 1 and len(choices) >= _FEWEST and last.down:
        return Found(len(sentences) - 1, remaining.pop(), "the one label left", Role.PRAISED)
    return None


def _gives_way(each: Choice, earlier: list[tuple[int, Choice]]) -> bool:
    """Whether a sentence before one that concludes nothing has concluded, or called a label right."""
    before = [one for _, one in earlier if one.label is not None]
    if each.role is Role.PRAISED and each.calls_right:
        return False
    firm = any(one.role is Role.CONCLUDED or (one.role is Role.PRAISED and one.calls_right) for one in before)
    return each.role < Role.CONCLUDED and firm


def _contradicted(
    each: Choice, earlier: list[tuple[int, Choice]], later: list[tuple[int, Choice]], behind: list[str]
) -> bool:
    """Whether another sentence chooses another label as firmly, or turns away from one that was only said."""
    others = [one for _, one in earlier if one.role > Role.STATED and one.label not in (None, each.label)]
    if each.role > Role.STATED:
        return each.role is Role.PRAISED and any(one.calls_right or not each.calls_right for one in others)
    described = set().union(*(one.named - one.down for _, one in later if not one.clouded)) - {each.label}
    return len(described) == 1 or any(say.TURNS.match(one) or say.TURNED.search(one) for one in behind)
