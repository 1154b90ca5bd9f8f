"""The texts that a response names as its answer, read without a look at what was asked for.

    clause = subject , (verb , any words)?            `Saturn, with 146 moons, has the most`
           | any words , link , complement             `the unit of flux is the weber (Wb)`
           | any words , verb , preposition , noun     `it was written by Mary Shelley`

A name is a whole group of words at one of these places: never the word behind `of`, never a part of a longer
group. Nouns and most verbs are open; closed are links, prepositions, determiners, and words that deny, doubt,
report, compare or exchange what is said.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from grading.language.responses import vocabulary as say
from grading.language.responses.clauses import is_foreign
from grading.language.responses.contrasts import without_contrast
from grading.language.responses.corrections import taken_back
from grading.language.responses.nameforms import (
    ALSO,
    AND_NOT,
    APPOSED,
    AS_STATEMENT,
    ATOMS,
    CALLS_IT,
    CITATION,
    DESCRIBED,
    FIRST_ATOM,
    INITIAL,
    INSERTED,
    MAKES_IT,
    NAME_IN_BRACKETS,
    NONE_OTHER,
    OF_PICTURE,
    VERSUS,
    WHERE_IT_IS,
    WITHOUT_VERB,
    apposed_name,
    is_noun,
    lone_names,
)
from grading.language.responses.namewords import (
    ADVERBS,
    ALSO_NOUNS,
    AS,
    AUXILIARIES,
    BACK_TO,
    BESIDE_VERBS,
    CODE_SORTS,
    COMPARED,
    DETERMINERS,
    GIVES,
    HARD,
    INTO,
    IRREGULAR,
    LINKS,
    MADE_OF,
    NARRATES,
    NO_AGENT,
    OF,
    ORIGIN,
    PARTICIPLES,
    PREPOSITIONS,
    PRONOUNS,
    QUANTIFIERS,
    RANKS,
    RELATIVES,
    RELATIVES_OF,
    SORTS_BEHIND,
    STARTS,
    TITLES,
    TO,
    UNDER,
    words,
)
from grading.language.responses.namingclause import naming_clause
from grading.language.responses.segments import MARK, Response, Sentence, segmented
from grading.language.responses.telling import GOES_BACK, is_name, predicted, restated, second_telling, telling

_ATOM: Final = re.compile(
    r"`(?P<code>[^`\n]{1,80})`|[“„](?P<quoted>[^“”„\n]{1,80})[”“]|«\s*(?P<french>[^«»\n]{1,80}?)\s*»"
    r"|(?<![\w\"])\"(?P<plain>[^\"\n]{1,80})\"(?!\w)|(?<![\w*])\*(?P<italic>[^*\s][^*\n]{0,78}?)\*(?![\w*])"
)
"""A part of a sentence that is one name: program code, a quotation, a title in italics."""
UNSAID: Final = re.compile(
    r"\b(?:not|never|cannot|neither|nor|hardly|nobody|nothing|nowhere|few|fail(?:s|ed)?|lacks?|none|no|if"
    r"|unless|would|could|might|maybe|perhaps|possibly|probably|presumably|seems?|seemed|appears?"
    r"|looks|guess\w*|thinks?|thought|believ\w+|said|says?|claims?|claimed|supposed\w*|allegedly|reportedly"
    r"|apparently|assum\w+|suppose|either|or|wrong\w*|incorrect\w*|false\w*"
    r"|mistak\w+|mistook|confus\w+|misconception|myth|students?|unsure|wait|sorry|actually|correction|rather"
    r"|instead|except|(?:almost|nearly)(?!\s+(?:all|every|always|exclusively)\b)|opposite|(?:reverse|inverse|converse)\s+of|(?:cousins?|relatives?|counterparts?|siblings?|variants?)\s+(?:of|to)|(?:close|akin|similar|comparable|analogous)\s+to|(?:[Ww]orking|[Tt]entative|[Pp]rovisional|[Pp]reliminary|[Ii]nitial|[Ff]irst)\s+(?:diagnosis|hypothesis|guess|answer|assumption)|(?<!one\s)another|sometimes"
    r"|formerly|previously|used\s+to\s+be|(?:comes?|came|springs?)\s+to\s+mind|answer\s+(?:last|in\s+the\s+(?:old|last|previous))"
    r"|originally|initially|(?:second|third)\s+most\s+(?:famous|common|popular|likely)|dissent\w*|opponents?"
    r"|critics?|my\s+(?:teacher|textbook|friend|book|brother|sister|tutor|colleague)|anything|otherwise|else"
    r"|as\s+\w+\s+as|(?<!-)depend(?:s|ed|ing)?\b|whether|should|unlikely|but|however|yet|doubt\w*|tempting"
    r"|distractor|trap|reject\w*|exclud\w*(?!\s+under\b)|ruled|eliminat\w*|unlike|than|versus|vs|people|many|some"
    r"|candidates?|popular|nicht|kein\w*|nie|pas|jamais|aucun\w*|ni|nunca|não|non|mai|oder|ou|si|wenn|könnte"
    r"|peut-être|vielleicht|quizás|tal\s+vez|forse)\b|n['’]t\b|\?|(?<![A-Z.])\bmay\b"
)
_ANOTHER_SUBJECT: Final = re.compile(
    r"\b(?:second|third|next|previous|other|runner|least|last|different|common(?:ly)?|often|usually|one\s+of"
    r"|part|example|form|kind|type|related|similar|close|also|by\s+the\s+same|(?:one|an?)\s+(?:possible\s+|good\s+)?(?:option|candidate|contender|possibility|suggestion)|only\s+one|only\s+(?:the\s+)?(?:first|half|part(?:ly)?|some)|too|still)\b"
)
"""Words of a predicate with which its subject is not what was asked for."""
_OPENERS: Final = re.compile(
    r"^\W*(?:(?:so|thus|hence|therefore|consequently|accordingly|then|finally|overall|altogether|indeed|yes|and"
    r"|well|sure|also|somit|folglich|donc|ainsi|alors|quindi|dunque|portanto"
    r"|in\s+(?:short|summary|conclusion|other\s+words|brief|fact)|to\s+(?:sum\s+up|conclude|summari[sz]e"
    r"|answer\s+(?:the|your)\s+question)|(?:we|i)\s+(?:can\s+)?(?:conclude|see|find|deduce|infer)\s+that"
    r"|it\s+follows\s+that|this\s+(?:means|shows|implies|tells\s+us)\s+that|that\s+is|all\s+in\s+all"
    r"|(?:the\s+)?(?:short\s+|final\s+|correct\s+)?answer)\b[\s,:]*)+",
    re.IGNORECASE,
)
_SETTING: Final = re.compile(
    r"^\W*(?:in|at|on|among|of|from|for|by|under|within|during|according\s+to|based\s+on|given|with|using"
    r"|historically|chemically|biologically|physically|mathematically|legally|bei|in|im|nach|selon|dans"
    r"|en|según|nel|nella|no|na)\b[^,;:]{2,90},\s+(?=\S)",
    re.IGNORECASE,
)
"""A place, a field or a source before the subject: `In Spanish history,`."""
_TOKEN: Final = re.compile(
    rf"{MARK}|{ATOMS}|[^\W_](?:[\w'’./+&^–-]*[\w+])?(?:['’](?=\s|$))?|[,;:()\[\]]|[–—]|\.(?=\s|$)"
)
_AND_STATES: Final = re.compile(
    rf"\band\s+(?:\S+\s+){{1,8}}?(?:{'|'.join(sorted(LINKS | {'has', 'have', 'had'}))})\b", re.IGNORECASE
)
"""A second clause that states something of its own."""
_ALIAS: Final = re.compile(
    r"(?<=\S),\s+(?:or\s+(?:(?:simply|just|also|more\s+\w+"
    r"|in\s+short)\s+)?|(?:officially|formally|properly|in\s+full|also\s+(?:called|known\s+as)|better\s+known\s+as)\s+)(?:the\s+)?(?P<alias>[\w'’.–-]+(?:\s+[\w'’.–-]+){0,4})\s*[.!]?$"
)
_CALLED: Final = re.compile(r"\b(?:called|known\s+as|named|termed|referred\s+to\s+as|abbreviated)\b", re.IGNORECASE)
_BEFORE_A_DASH: Final = re.compile(r"^(?P<name>[^—–,;:?]{1,60}?)\s[—–]\s")
_AN_EXAMPLE: Final = re.compile(r"^an?\s+(?:case|instance|example)\s+of\s+", re.IGNORECASE)
_HERE: Final = re.compile(r"^\W*(?:here|in\s+(?:this|our)\s+case)\s+(?=(?:the|an?)\s)", re.IGNORECASE)
_DENIES_FIRST: Final = re.compile(r"\W*(?:not|no|wrong|false|incorrect|neither|never|or)\b", re.IGNORECASE)
_BEHIND_VERBS: Final = {
    "to": TO,
    "into": INTO,
    "under": UNDER,
    "as": AS,
    "for": words("stands"),
    **dict.fromkeys(("from", "aus"), ORIGIN | {"name"}),
}
"""Prepositions, and the verbs behind which a name follows them."""
_LONGEST_NAME, _LONGEST, _MOST_SENTENCES, _SHORT = 8, 400, 4, 600
_REMARK: Final = re.compile(r"\s*\(([^()]{1,80})\)")


@lru_cache(maxsize=16)
def names_in(text: str) -> frozenset[str]:
    """Every group of words that the response names at a place where an answer is said; empty where it doubts."""
    if len(text) > 8_000:
        return frozenset()
    atoms: list[str] = []

    def atom(found: re.Match[str]) -> str:
        if len(atoms) > 200:
            return found[0]
        atoms.append(next(part for part in found.groups() if part is not None).strip())
        return chr(FIRST_ATOM + len(atoms) - 1)

    response = segmented(_ATOM.sub(atom, AND_NOT.sub("", CITATION.sub("", INITIAL.sub("", VERSUS.sub("v", text))))))
    chosen = telling(response.sentences)
    second = second_telling(response.sentences, chosen)
    if second and not any(re.search(r"[^\W\d_]", name) for name in _names(response.sentences[0])):
        chosen = second
    return frozenset(_told(chosen, response, atoms))


def _told(sentences: tuple[Sentence, ...], response: Response, atoms: list[str]) -> set[str]:
    """The names that sentences say; none where what follows takes them back."""
    found: set[str] = set()
    if not sentences or taken_back(
        " ".join(each.text for each in response.sentences[response.sentences.index(sentences[0]) :])
    ):
        return found
    for sentence in sentences:
        for name in _names(sentence):
            found.update(_spelt(name, response, atoms))
    return found


def unsaid(text: str) -> bool:
    """Whether a clause denies, doubts, supposes, reports or exchanges what it says; a word in capitals is a name."""
    text = text.lstrip(" *_")
    return UNSAID.search(text[:1].lower() + text[1:]) is not None


def _spelt(name: str, response: Response, atoms: list[str]) -> Iterator[str]:
    """A name with its formulas and quoted parts put back, with and without quotation marks about it."""
    spelt = response.undelimited(name)
    spelt = re.sub(ATOMS, lambda mark: atoms[ord(mark[0]) - FIRST_ATOM], spelt)
    yield spelt
    placeholder = re.fullmatch(r"(?P<name>\S.{2,60}?)(?:\s+(?:<[^<>]{1,30}>|\[[^\[\]]{1,30}\]))+", spelt)
    if placeholder is not None:
        yield placeholder["name"]
    if len(spelt) > 2 and spelt[0] == spelt[-1] and spelt[0] in "'\"":
        yield spelt[1:-1]


def _names(sentence: Sentence) -> Iterator[str]:
    """The names at the places of one sentence."""
    text = restated(predicted(sentence.text))
    if len(text) > _LONGEST or WHERE_IT_IS.match(text):
        return
    text = NONE_OTHER.sub(" ", CALLS_IT.sub(r"\g<is> called ", DESCRIBED.sub(r"\g<noun> ", text)))
    phrases = list(say.STRONG.finditer(text))
    if phrases and say.LEAD.match(text[: phrases[-1].start()]):
        text = f"it is {text[phrases[-1].end() :]}"
    lone = tuple(lone_names(text, unsaid))
    if lone:
        yield from lone
        return
    yield from _before_a_colon(text)
    head, mark, last = text.rpartition(": ")
    if mark and is_name(last) and _states_another(head) and not unsaid(text):
        yield from _at_places(_AN_EXAMPLE.sub("", last))
    text = _HERE.sub("", AS_STATEMENT.sub(" the sentence", text))
    text = OF_PICTURE.sub(r"\g<is>\g<colon>", _OPENERS.sub("", without_contrast(text), count=1))
    dashed = _BEFORE_A_DASH.match(text)
    if dashed is not None and not unsaid(text):
        yield dashed["name"]
    abroad = NAME_IN_BRACKETS.search(text) if is_foreign(text) else None
    if abroad is not None and not unsaid(text[: abroad.start()]) and not unsaid(abroad["name"]):
        yield abroad["name"]
    apposed = apposed_name(text)
    if apposed is not None and not unsaid(text):
        yield apposed
    text = INSERTED.sub(r"\g<subject> ", MAKES_IT.sub("it is ", text))
    alias = _ALIAS.search(text) if _CALLED.search(text) else None
    if alias is not None:
        yield alias["alias"].rstrip(".")
        text = text[: alias.start()]
    clause = naming_clause(text)
    bare = _REMARK.sub("", clause)
    if clause and not _unsettled(clause, bare):
        setting = _SETTING.match(bare)
        yield from _at_places(bare)
        if setting is not None:
            yield from _at_places(bare[setting.end() :])


def _before_a_colon(text: str) -> Iterator[str]:
    """The name that stands alone before a colon and what explains it."""
    head, mark, rest = text.partition(": ")
    if (
        mark
        and is_name(head)
        and not unsaid(head)
        and not any(form.search(rest) for form in (GOES_BACK, say.UNSETTLED))
    ):
        yield from () if taken_back(rest) or _DENIES_FIRST.match(rest) else _at_places(head)


def _unsettled(clause: str, bare: str) -> bool:
    """Whether a clause, or a remark in brackets in it, denies, doubts or reports what it says, or says two things."""
    called = _CALLED.search(clause) is not None
    remarks = [re.sub(r"^or\s+", "", found[1]) if called else found[1] for found in _REMARK.finditer(clause)]
    if unsaid(bare) or any(unsaid(ALSO.sub("", each)) for each in remarks) or WITHOUT_VERB.match(bare):
        return True
    return any((say.REPORTED.search(bare), say.NOT_STATED.match(bare), _states_another(bare)))


def _states_another(clause: str) -> bool:
    """Whether `and` joins a second statement to the first, and not two nouns of its subject."""
    found = _AND_STATES.search(clause)
    before = clause[: found.start()].casefold().split() if found is not None else []
    return any(word in AUXILIARIES | IRREGULAR or word.endswith("ed") for word in before)


def _at_places(text: str) -> Iterator[str]:
    tokens = list(_TOKEN.finditer(text))
    if not tokens or len(tokens) > 80:
        return
    plain = [each[0].casefold() for each in tokens]
    if ALSO_NOUNS & set(plain) and not is_foreign(text):
        plain = [f"{word}-" if word in ALSO_NOUNS else word for word in plain]
    yield from _subjects(text, tokens, plain)
    text, tokens, plain = _first_predicate(text, tokens, plain)
    for place in range(1, len(tokens)):
        if _leads(plain, place):
            yield from _groups(text, tokens, plain, place)


def _first_predicate(
    text: str, tokens: list[re.Match[str]], plain: list[str]
) -> tuple[str, list[re.Match[str]], list[str]]:
    """A clause without its second predicate: `is made in the liver | and stored in the gallbladder`."""
    for place in range(2, len(tokens) - 2):
        if plain[place] == "then":
            return "", [], []
        if plain[place] not in ("and", "und", "et", "y", "e"):
            continue
        if plain[place + 1] in ("se", "fue", "fut", "wurde", "erschien"):
            return text[: tokens[place].start()].rstrip(), tokens[:place], plain[:place]
        verb = plain[place + 1].endswith(("ed", "es", "s", "te", "en")) or plain[place + 1] in IRREGULAR | AUXILIARIES
        if verb and (plain[place + 2] in PREPOSITIONS | DETERMINERS or plain[place + 2][0].isdigit()):
            return text[: tokens[place].start()].rstrip(), tokens[:place], plain[:place]
    return text, tokens, plain


def _leads(plain: list[str], place: int) -> bool:
    """Whether a name may begin at a place, by the words before it."""
    before = plain[place - 1]
    if before in LINKS or before in GIVES or before in (":", "i.e", "namely"):
        return True
    if place > 1 and (before in ADVERBS or (before in NARRATES and re.match(ATOMS, plain[place]) is not None)):
        return before in NARRATES or plain[place - 2] in LINKS
    if place < 2 or re.match(rf"{MARK}|\d(?!\d{{3}}$)", plain[place]):
        return False
    verb = plain[place - 2]
    if before in ("by", "par", "por", "von", "da") and not plain[place][0].isdigit():
        return not NO_AGENT & set(plain[max(0, place - 4) : place - 1]) and _has_verb(plain[: place - 1])
    if before == "to" and verb == "back":
        return place > 2 and plain[place - 3] in BACK_TO
    if before in _BEHIND_VERBS:
        return verb in _BEHIND_VERBS[before]
    if (before == "at" and verb in STARTS) or (before == "after" and verb == "named"):
        return True
    if before in BESIDE_VERBS and verb not in NO_AGENT | COMPARED | HARD and not is_noun(plain, place - 2):
        return _has_verb(plain[: place - 1])
    if before == "of" and verb == "name":
        return place > 3 and plain[place - 3] == "the" and plain[place - 4] in ("by", "under")
    return before in MADE_OF and verb == "of"


def _has_verb(plain: list[str]) -> bool:
    """Whether a word behind no article may be the verb of a clause, or the participle of one."""
    verbs = [word for before, word in zip(["", *plain], plain, strict=False) if before not in DETERMINERS]
    ends = ("ed", "es", "s", "t", "en", "é", "ó", "te")
    return any(each in AUXILIARIES | IRREGULAR or each.endswith(ends) or each in ("pair", "se") for each in verbs)


def _groups(text: str, tokens: list[re.Match[str]], plain: list[str], place: int) -> Iterator[str]:
    """The groups of words that begin at a place: whole, up to a preposition, and a proper name behind its sort."""
    while place < len(tokens) and plain[place] in ADVERBS:
        place += 1
    if place < len(tokens) and plain[place] in DETERMINERS:
        place += 1
    stop = _extent(plain, place)
    if stop <= place or plain[place] in PRONOUNS or plain[place] in PREPOSITIONS:
        return
    listed = stop < len(plain) and plain[stop] in ("and", "und", "et", "y", "e")
    if listed or (stop < len(plain) and plain[stop] == "," and not _goes_on(plain, stop + 1)):
        whole = text[tokens[place].start() :].strip(" .")
        if len(whole.split()) <= 2 * _LONGEST_NAME:
            yield whole
        stop = next((each for each in range(place + 1, stop) if plain[each] in PREPOSITIONS), place)
    for end in range(place + 1, stop + 1):
        if end == stop or plain[end] in PREPOSITIONS:
            yield text[tokens[place].start() : tokens[end - 1].end()]
            if end == stop and end - place > 1 and plain[end - 1] in SORTS_BEHIND:
                yield text[tokens[place].start() : tokens[end - 2].end()]
            yield from _proper(text, tokens, plain, place, end)


def _extent(plain: list[str], place: int) -> int:
    """Where the words of a group end; its beginning where a verb that links stands among them."""
    stop = place
    while stop < len(plain) and plain[stop] not in HARD | RELATIVES and stop - place < _LONGEST_NAME:
        if plain[stop] in LINKS:
            return place
        stop += 1
    return stop


def _proper(text: str, tokens: list[re.Match[str]], plain: list[str], place: int, end: int) -> Iterator[str]:
    """The names at the end of a group behind words of their sort: `Scottish bacteriologist | Sir Alexander Fleming`."""
    for start in range(place + 1, end):
        before = plain[start - 1]
        sorted_of = before == "of" and plain[start - 2] in MADE_OF
        if plain[start] == "of" and end - start > 2 and plain[start + 1] == "the" and plain[end - 2] in RANKS:
            if re.match(ATOMS, plain[end - 1]) and before not in RELATIVES_OF:
                yield text[tokens[end - 1].start() : tokens[end - 1].end()]
            return
        if plain[start] in PREPOSITIONS and not (plain[start] == "of" and before in MADE_OF):
            return
        capital = text[tokens[start].start()].isupper() and not before.endswith(("'s", "’s"))
        inside = text[tokens[start - 1].start()].isupper() and start - 1 > place and before not in TITLES
        if (sorted_of or capital or re.match(ATOMS, plain[start])) and not inside:
            yield text[tokens[start].start() : tokens[end - 1].end()]


def _goes_on(plain: list[str], place: int) -> bool:
    """Whether behind a comma a clause or a remark follows, and not another member of a list."""
    if place >= len(plain):
        return True
    word = plain[place]
    opens = (
        word in RELATIVES - {"and"}
        or (word in PARTICIPLES and place + 1 < len(plain) and plain[place + 1] not in HARD)
        or word in PREPOSITIONS
        or word
        in DETERMINERS
        | ADVERBS
        | words("such i.e e.g namely viz also nowadays formerly respectively sometimes abbreviated specifically equal")
    )
    return opens or (word.endswith(("ed", "ing")) and place + 1 < len(plain) and plain[place + 1] not in HARD)


def _subjects(text: str, tokens: list[re.Match[str]], plain: list[str]) -> Iterator[str]:
    """The group of words that a clause begins with: alone, before a verb, or before a remark between commas."""
    start = 1 if plain[0] in DETERMINERS and len(tokens) > 1 else 0
    if plain[start] in PRONOUNS or plain[start] in QUANTIFIERS:
        return
    for end in range(start + 1, min(len(tokens), start + _LONGEST_NAME) + 1):
        name = text[tokens[start].start() : tokens[end - 1].end()]
        if end == len(tokens) or (plain[end] == "." and end == len(tokens) - 1):
            yield name
            return
        word, another = plain[end], _ANOTHER_SUBJECT.search(APPOSED.sub("", " ".join(plain[end:]))) is not None
        stated = word in AUXILIARIES or _is_verb(tokens, plain, start, end)
        remarked = word in (",", "–", "—") and _goes_on(plain, end + 1)
        headed = word == ":" and len(tokens) - end > _MOST_SENTENCES
        if ((stated or remarked) and not another) or headed:
            yield from _without_titles(text, tokens, plain, start, end)
        if stated or word in HARD | RELATIVES:
            return
        if word in PREPOSITIONS - OF and start == 0 and not any(each in AUXILIARIES for each in plain):
            yield name


def _without_titles(text: str, tokens: list[re.Match[str]], plain: list[str], start: int, end: int) -> Iterator[str]:
    """A subject, the same without titles before the name, and a part of a program before its sort."""
    yield text[tokens[start].start() : tokens[end - 1].end()]
    if end - start > 1 and plain[end - 1] in SORTS_BEHIND:
        yield text[tokens[start].start() : tokens[end - 2].end()]
    if end == start + 2 and re.match(ATOMS, plain[start]) and plain[start + 1] in CODE_SORTS:
        yield plain[start]
    while start < end - 1 and plain[start] in TITLES:
        start += 1
        yield text[tokens[start].start() : tokens[end - 1].end()]


def _is_verb(tokens: list[re.Match[str]], plain: list[str], start: int, end: int) -> bool:
    """Whether a word behind a subject looks like its verb."""
    word = tokens[end][0]
    if not word[0].islower() or end + 1 >= len(tokens):
        return word in IRREGULAR
    if word in IRREGULAR:
        return True
    next_word = tokens[end + 1][0]
    opens = (
        re.match(ATOMS, next_word) is not None
        or plain[end + 1] in DETERMINERS | PREPOSITIONS | PRONOUNS
        or next_word[0].isupper()
        or next_word.endswith("ly")
        or next_word in ("first", "last")
    )
    return opens and (word.endswith(("ed", "es")) or (word.endswith("s") and not word.endswith("ss"))) and end > start
