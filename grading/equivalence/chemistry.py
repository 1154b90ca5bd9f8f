"""Golds that are reactions, configurations, cycles or logic beside responses that state them among words.

What is certainly chemistry is made a formula between dollars; then the rules for every response choose the one
that is committed to.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from grading.equivalence.finding import Finding, Rules, unreadable
from grading.equivalence.pointed import pointed_at
from grading.equivalence.written import by_writing
from grading.language import cycles, formulae, logic, reactions
from grading.language.responses.commitments import committed
from grading.language.responses.segments import formulas, without_formulas

_DELIMITED: Final = re.compile(
    r"\$\$.{1,2000}?\$\$|\$[^$\n]{1,2000}\$|\\\(.{1,2000}?\\\)|\\\[.{1,2000}?\\\]|\\ce\{[^\n$]{1,400}\}", re.DOTALL
)
_CE: Final = re.compile(r"(?<!\$)\\ce\{(?:[^{}\n$]|\{[^{}\n$]*\}){1,400}\}(?!\$)")
_WORD: Final = re.compile(r"(?<![\w$\\*^{])[\w\[(^{][^\s*|]{1,60}")
_COMPOUND: Final = re.compile(r"(?=.*\d)(?=(?:.*[A-Z]){2})[^|]+\|[^|]*")
"""Of two atoms or more, and with an index."""
_NO_NAME: Final = (
    r"(?!(?i:of|from|by|with|in|to|at|for|on|and|n?or|not|never|n?either|than|no|made|like|as|if|only|maybe|perhaps"
    r"|probably|both|any)\b)"
)
_NUCLIDE: Final = re.compile(r"(?<![\w$-])[A-Za-z]{1,13}-\d{1,3}(?![\w-])")
_NAMED_FIRST: Final = re.compile(
    rf"(?P<lead>^\W*|\n\W*|:\s|\b(?:is|are|was|be)\s)(?:(?:the|an?)\s)?(?:\*\*)?(?P<name>{_NO_NAME}[A-Za-z]+(?:\([IV]+\)|-\d+)?"
    rf"(?:\s{_NO_NAME}[a-z]+(?:\([IV]+\)|-\d+)?){{0,3}})(?:\*\*)?\s\$?\(\$?(?P<formula>[^$()\s](?:[^$\s]{{0,58}}[^$(\s])?)\$?\)\$?(?:\*\*)?(?=[\s.]*(?:$|\n|\.\s))"
)
"""`The precipitate is calcium carbonate (CaCO₃).`: a substance by its name and its formula."""
_UNFINISHED: Final = re.compile(
    r"\b(?:not|never|no|un-?balanced|skeleton|wrong\w*|incorrect\w*|false|if|would|could|should|might|must|instead|rather|but|however|reverse[ds]?|twice|half|doubled?|multipl\w+|first|next|wait)\b|n['’]t\b|\?",
    re.IGNORECASE,
)
"""Words with which a reaction that is written is not the one that is stated."""
_LONGEST: Final = 5_000
_SHORT: Final = 60
_WHOLE: Final = 200


def stated_formula(gold: str, response: str, question: str = "") -> Finding | None:
    """The finding about what a response commits to; None where the gold is no chemistry, or the response is bare."""
    sort = _sort_of(gold.strip())
    if sort is None or not re.search(r"\s", response.strip()):
        return None
    if sort == "shells" and len(response) <= _WHOLE:
        return None  # Short responses are read whole, with words that make a configuration another's.
    if sort == "signs" and by_writing(gold, response, Rules(question=question)) is not None:
        return None
    text = response[-_LONGEST:]
    text = _NAMED_FIRST.sub(_without_name, text) if sort == "species" else text
    text = text if sort == "signs" else _marked(sort, text)
    pointed = pointed_at(gold, text)
    if pointed is not None and pointed.equal:
        return pointed
    found = committed(text)
    lone = _only_reaction(text) if sort == "reaction" else None
    if lone is not None and (found.text is None or reactions.reaction(found.text) is None):
        return by_writing(gold, lone, Rules(question=question))
    if found.text is None and "^" in gold:
        found = committed(_NUCLIDE.sub(lambda name: f"${name[0]}$" if formulae.nuclide(name[0]) else name[0], text))
    if found.text is None:
        return unreadable(found.problem or "no formula is stated")
    said = found.text.strip(" $.")
    written = by_writing(gold, said, Rules(question=question))
    if written is not None or sort == "signs":
        return written
    return unreadable("no formula of the kind that was asked for")


def _only_reaction(text: str) -> str | None:
    """The one reaction that a response writes, where its words neither deny it nor call it unfinished."""
    if len(text) > _WHOLE * 2 or _UNFINISHED.search(without_formulas(text)):
        return None
    found = {
        read: each for each in formulas(text) if (read := reactions.reaction(each)) and reactions.is_chemical(each)
    }
    return next(iter(found.values())) if len(found) == 1 else None


def _without_name(found: re.Match[str]) -> str:
    typed = _is_typed(found["formula"]) or formulae.species(found["formula"]) is not None
    return f"{found['lead']}${found['formula']}$" if typed else found[0]


@lru_cache(maxsize=512)
def _sort_of(gold: str) -> str | None:
    """`reaction`, `shells`, `species`, or `signs` of permutations and logic; None of what may be something else."""
    if formulae.shells(gold) is not None:
        return "shells"
    if (cycles.permutation(gold) or ({}, False))[1] or logic.is_logic(gold):
        return "signs"
    if reactions.reaction(gold) is not None and reactions.is_chemical(gold):
        return "reaction"
    return "species" if formulae.is_marked(gold) or _COMPOUND.fullmatch(formulae.species(gold) or "") else None


def _marked(sort: str, text: str) -> str:
    """A response in which what is of that sort stands between dollars, as far as it does not yet."""
    done, place = [], 0
    text = _CE.sub(r"$\g<0>$", text)
    for delimited in _DELIMITED.finditer(text):
        done.append(_marked_words(sort, text[place : delimited.start()]))
        done.append(delimited[0])
        place = delimited.end()
    return "".join(done) + _marked_words(sort, text[place:])


def _marked_words(sort: str, text: str) -> str:
    done, place = [], 0
    for start, end in _spans(sort, text):
        if start >= place:
            done.append(f"{text[place:start]}${text[start:end].strip()}$")
            place = end
    return "".join(done) + text[place:]


def _spans(sort: str, text: str) -> Iterator[tuple[int, int]]:
    if sort == "reaction":
        yield from reactions.spans(text)
    elif sort == "shells":
        yield from formulae.spans_of_shells(text)
    else:
        for word in _WORD.finditer(text):
            bare = (
                word[0].rstrip(".,;:!?*\"'”)") if word[0].count("(") < word[0].count(")") else word[0].rstrip(".,;:!?*")
            )
            if len(bare) < _SHORT and _is_typed(bare):
                yield word.start(), word.start() + len(bare)


def _is_typed(text: str) -> bool:
    """Whether a word is certainly a formula: with a charge, an index or a mark, and no name of two capitals."""
    return (
        formulae.is_marked(text)
        or formulae.plain_ion(text) is not None
        or _COMPOUND.fullmatch(formulae.species(text) or "") is not None
    )
