"""Which of several labels a response commits to: its last committing phrase, then a lone label, never a vote."""

import re
import unicodedata
from collections.abc import Mapping
from typing import NamedTuple, Protocol

from grading.language import words
from grading.language.responses import vocabulary as say
from grading.language.responses.asides import argument, ended
from grading.language.responses.askedagain import asked_words, excepts, in_its_terms
from grading.language.responses.choosing import Choice, Found, Role, choice_in, chosen_label
from grading.language.responses.chosenwords import chosen_by_words, disagrees, label_named
from grading.language.responses.closing import left_described
from grading.language.responses.contradicted import named_twice
from grading.language.responses.corrections import corrected_label, taken_back
from grading.language.responses.headed import HEADING
from grading.language.responses.labels import OTHER_CASE, chosen_abroad, sentences, settled
from grading.language.responses.leads import uncommitted
from grading.language.responses.segments import segmented
from grading.language.responses.spoken import says
from grading.language.responses.ticked import OPENS, ticked_label, with_verdicts
from grading.language.responses.turning import judges, opens_aside, supposes_another

_WRAPPERS = re.compile(
    r"\\(?:text|textbf|mathrm|mathbf|boxed|mbox|operatorname|textit|bm)\s*(?=\{)"
    r"|[{}$*`\"“”✅✓✔]|\\[()\[\]]|\\[,;! ]|\\q?quad(?![A-Za-z])"
    r"|</?(?:b|strong|em|i)>"
)
_ARROWS = re.compile(
    r"(?<!\\not)(?<!\\not\s)\\(?:Rightarrow|Longrightarrow|implies|therefore|to|rightarrow|times|cdot)(?![A-Za-z])|⟹|∴"
)
_CROSSED = re.compile(
    r"\\(?:neg|lnot|not|overline|bar|cancel|xcancel|bcancel|sout|st)\s*\{?\s*(?:\\(?:text"
    r"|mathrm)\s*\{)?\s*([A-Za-z])\}{0,2}"
    r"|[¬!]\s*([A-Za-z])\b|~~\s*\(?([A-Za-z])\)?\s*~~|<(?:s|del|strike)>\s*\(?([A-Za-z])\)?\s*</(?:s|del|strike)>"
    r"|\b(?:not|non)-([A-Za-z])\b"
)
_STROKES = re.compile("([A-Za-z])[\u0305\u0332-\u0338\u20d2\u20d3\u20d2\u20e0\u20e5\u20eb]")
_LED = re.compile(
    r"[^\w^\\]*(?:(?:[Oo]ption|[Cc]hoice|[Aa]nswer|[Aa]lternativa|[Oo]pción|[Oo]pção|[Ll]etra|[Aa]ntwort|[Rr]éponse|[Oo]pzione)\s+)?[(\[]?(?P<label>[A-Za-z])(?![A-Za-z0-9'’_^])(?P<rest>.*)",
    re.DOTALL,
)
_UNDER_HEADING = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t]+(?P<hash>[^\n]{3,80})|\*\*(?P<bold>[^*\n]{3,80})\*\*:?)[ \t]*\n"
    r"\s*(?P<line>\S[^\n]{0,200})$",
    re.MULTILINE,
)
"""A heading, and the line under it."""
_MISTAKE = re.compile(
    r"\b(?:mistakes?|errors?|traps?|pitfalls?|slips?|confus\w*|misconceptions?|distractors?|wrong|incorrect|why\s+not|others?|eliminat\w*|reject\w*|ruled)\b",
    re.IGNORECASE,
)
"""Headings of what is not chosen."""
_OF_OTHERS = re.compile(
    r"\W*(?:as\s+(?:for|to)\s+)?(?:the|all|both)?\s*(?:others?|rest|remaining|rejected)\b", re.IGNORECASE
)
_SEARCHED = 8_000
_SHORT = 400
"""Characters of a text whose labels are told where it commits to none."""
UNNAMED = "no label of the choices was named"
_HEADED = "the label under a heading that names the answer"
_TAKEN = "the label is taken back after it was given"
_DENYING = r"(?:no|not|false|incorrect|wrong|untrue)"
_DENIED_LABEL = re.compile(rf"\W*[A-Z]\b[)\].:,\s\"“–—-]+{_DENYING}\b", re.IGNORECASE)
_ANOTHER = r"\W*(?:it\W+i?s\s+)?(?-i:[A-Z])\b(?!\s+[a-z])"


class Values(Protocol):
    """The choices that are numbers, quantities or formulas: their `texts` by label."""

    @property
    def texts(self) -> Mapping[str, str]: ...

    def committed(self) -> str | None:
        """The one choice that the committed value is equal to."""
        ...

    def spelt(self, text: str) -> str:
        """A text with its quantities that are choices in their spelling: `twelve metres` as `12 m`."""
        ...


class Chosen(NamedTuple):
    """The label a text commits to, or None, and a sentence that says why.

    `settled` where a sentence concludes it, it is ticked, or nothing but the label is said.
    """

    label: str | None
    reason: str
    settled: bool = False


def chosen(
    text: str,
    choices: tuple[str, ...],
    texts: tuple[str, ...] = (),
    values: Values | None = None,
    question: str = "",
) -> Chosen:
    """What a text commits to. `texts` are the choices in words.

    A label that the text rejects ("not A", "A is wrong") does not count; two labels left are no commitment. Choices in
    `values` are compared with the committed value, and only where none is equal looked for in the sentences.
    `question` is what was asked, without the choices, where that is known.
    """
    texts = tuple(each if each.isascii() else unicodedata.normalize("NFKC", each) for each in texts)
    text = _uncrossed(_with_genus(text[-_SEARCHED:], texts))
    ticked = ticked_label(with_verdicts(text, dict(zip(choices, texts, strict=False)), question), choices)
    if ticked is not None:
        return Chosen(*ticked, settled=True)
    text = in_its_terms(text, question, texts)
    lines = [line for each in text.split("\n") if (line := _unwrapped(each))]
    ends = frozenset(_unwrapped(each).casefold() for each in re.findall(r"(?m)^([^\n]+)\n[ \t]*(?=\n)", text)) - {""}
    plain = " ".join(lines)
    lone = re.fullmatch(r"[(\[]?\s*([A-Za-z])\s*[)\].:,;!]*", plain)
    if lone:
        letter = lone.group(1) if lone.group(1) in choices else lone.group(1).upper()
        return (
            Chosen(letter, "one label", settled=True)
            if letter in choices
            else Chosen(None, f"'{letter}' is none of the choices", settled=True)
        )
    lines = _joined(_capitals(lines, choices))
    if len(plain) <= _SHORT and named_twice(sentences(plain)):
        return Chosen(None, "commits to several labels")
    spelt = dict(zip(choices, texts, strict=False))
    lines = [_without_denying_text(line, spelt) for line in lines]
    if len(lines) == 1 and _DENIED_LABEL.match(lines[0]) is not None and taken_back(lines[0]):
        last = choice_in(sentences(lines[0])[-1], tuple(choices))
        if last.role is not Role.CONCLUDED:
            return Chosen(None, _TAKEN)
    said = {label: each for label, each in spelt.items() if values is None or label not in values.texts}
    phrase = _by_phrase([_without_own_words(line, spelt) for line in lines], tuple(choices))
    firm = phrase if phrase is not None and (phrase.label is None or phrase.role > Role.STATED) else None
    whole = "\n".join(f"{line}\n" if line.casefold().endswith(tuple(ends)) else line for line in lines)
    odd = _odd_one(whole, spelt) if excepts(question) and (firm is None or firm.label is None) else None
    label, reason = (
        odd
        or _told(firm)
        or _by_text("\n".join(lines), said)
        or (_of_value(values, whole, spelt, question) if values else None)
        or (_by_name(whole, said, question) if phrase is not None else None)
        or _told(phrase)
        or _under_heading(text, choices)
        or _by_line(lines, choices)
        or _by_name(whole, said, question)
        or (_by_name(values.spelt(whole), spelt, question, stated=True) if values else None)
        or _uncommitted(plain, choices)
    )
    if label is not None and disagrees(plain, label, spelt):
        return Chosen(None, f"commits to {label} with the words of another choice", settled=True)
    return Chosen(label, reason, settled=reason == _HEADED or (firm is not None and _is_concluded(firm)))


def _is_concluded(found: Found) -> bool:
    return found.label is not None and found.role is Role.CONCLUDED


def _unwrapped(line: str) -> str:
    """A line without marks of type and of formulas."""
    return " ".join(_WRAPPERS.sub(" ", _ARROWS.sub(_arrow, line)).split())


def _arrow(found: re.Match[str]) -> str:
    """An arrow or a dot of LaTeX as the sign that the sentences know."""
    if found[0] in ("\\times", "\\cdot"):
        return " × "
    return " → " if found[0] in ("\\to", "\\rightarrow") else " ⇒ "


def _with_genus(text: str, texts: tuple[str, ...]) -> str:
    """A text with the genus of a choice written out: `E. coli`, which is no label, as `Escherichia coli`."""
    for genus, species in (found for each in texts for found in re.findall(r"\b([A-Z][a-z]{3,}) ([a-z]{3,})\b", each)):
        if f". {species}" in text:
            text = re.sub(rf"(?<![\w.]){genus[0]}\. {species}\b", f"{genus} {species}", text)
    return text


def _without_denying_text(line: str, spelt: dict[str, str]) -> str:
    """`C. No, because …` as `C. because …`, where choice C itself begins so: its own words do not take it back."""
    for label, text in spelt.items():
        if begun := re.match(rf"\W*({_DENYING})\b", text, re.IGNORECASE):
            own = rf"(?<![\w'’])({re.escape(label)}[)\].:,\s\"“–—-]+){begun[1]}\b(?!{_ANOTHER})[.,:;]*(?!\w)"
            line = re.sub(own, r"\1", line, flags=re.IGNORECASE)
    return line


def _without_own_words(line: str, spelt: dict[str, str]) -> str:
    """`It is (C) the last one` as `It is (C)`, where these are the words of choice C, unless the line begins so."""
    for label, text in spelt.items():
        if len(text) > 1 and label in line:
            words = r"\s+".join(re.escape(word.strip(".")) for word in text.split())
            line = re.sub(rf"(?<![\w'’])({label})\s*\((?i:{words})\)", r"\1", line)
            led = rf"(?<=\w)(\W+(?:\({label}\)|{label}))(?![\w'’])(\s*[).:,–—-]*)\s*"
            line = re.sub(rf"{led}(?i:{words})(?!\w)(\s+[a-zà-ÿ])?", _without_words, line)
    return line


def _without_words(found: re.Match[str]) -> str:
    """A label without the words of its choice; a mark between them stays where the words begin a sentence."""
    if not found[3]:
        return found[1]
    return f"{found[1]}{found[2] if re.search('[:–—-]', found[2]) else ''}{found[3]}"


def _capitals(lines: list[str], choices: tuple[str, ...]) -> list[str]:
    """Lines with `(b)` as `(B)`, where the labels are capitals and none stands in the text."""
    large = "".join(label for label in choices if label.isupper())
    if not lines or not large or any(label.islower() for label in choices):
        return lines
    if any(re.search(rf"(?<![A-Za-z'’])[{large}](?:[).\],:]|$)", line) for line in lines):
        return lines
    small = re.compile(
        rf"(?<![\w)])\(\s*([{large.lower()}])\s*\)|(?<=[a-z:>→⇒]\s)([{large.lower()}])\)(?=\W*$)"
        rf"|(?<=\b[Ii]t['’]s\s)((?!a)[{large.lower()}])(?=[,.;:](?:\s|$))|(?<=[.!?]\s)([{large.lower()}])(?=\W*$)"
    )
    first = re.match(
        rf"[^\w(]*(?:([{large.lower()}])(?:\)|:\s)|((?![ai])[{large.lower()}])(?:\.\s|\s[–—-]\s))", lines[0]
    )
    begun = {match[1] for line in lines if (match := re.match(rf"\W*([{large.lower()}])\)", line))}
    if len(begun) > 1:
        # The choices are listed in small letters: a lone one is a label, but for the article and the pronoun.
        small = re.compile(
            rf"(?<![\w)'’=+*/^-])\(?([{large.lower()}])(?:\)|(?<![ai])(?![\w)'’(=+*/^-]))(?!\s*[=+*/^<>])"
        )
    found = [small.sub(lambda match: f"({match[match.lastindex or 1].upper()})", line) for line in lines]
    if first is not None and len(begun) <= 1:
        place = first.start(1) if first[1] else first.start(2)
        found[0] = f"{found[0][:place]}{lines[0][place].upper()}{found[0][place + 1 :]}"
    return found


def _uncrossed(text: str) -> str:
    """A text in which labels that are crossed out or negated by a sign are negated in words."""
    text = _STROKES.sub(r" not \1 ", unicodedata.normalize("NFKD", text)) if not text.isascii() else text
    text = unicodedata.normalize("NFKC", text) if not text.isascii() else text
    return _CROSSED.sub(lambda match: f" not {next(part for part in match.groups() if part)} ", text)


def _joined(lines: list[str]) -> list[str]:
    """Lines, one that announces the answer joined with the next."""
    found: list[str] = []
    for line in lines:
        if found and (HEADING.match(found[-1]) or OPENS.match(found[-1])):
            found[-1] = f"{found[-1].rstrip(' :：#')}: {line}"
        else:
            found.append(line)
    return found


def _told(found: Found | None) -> tuple[str | None, str] | None:
    return (found.label, found.reason) if found is not None else None


def _by_phrase(lines: list[str], choices: tuple[str, ...]) -> Found | None:
    """What the last sentence that chooses says."""
    spoken = sentences("\n".join(lines))
    found = chosen_label(spoken, choices)
    abroad = next(
        (
            Found(at, *said, Role.CONCLUDED)
            for at in range(len(spoken) - 1, -1, -1)
            if (said := chosen_abroad(spoken[at], choices))
        ),
        None,
    )
    found = abroad if abroad is not None and (found is None or abroad.place >= found.place) else found
    if found is not None and found.label is not None and _withdrawn(spoken[found.place + 1 :], found.label, choices):
        return found._replace(label=None, reason=_TAKEN)
    return found


_NOT_ANOTHER = re.compile(
    r"\W*(?:(?:不是|并非|而不是|而非)\s*|(?:not|nicht|non|no)\s+)[(（]?(?-i:[A-Z])[)）]?\W*$", re.IGNORECASE
)
"""A whole sentence that only turns another label down: `B。不是 A`."""


_NOT_IT = re.compile(r"\b(?:does|do|is|was|need)(?:n['’]t|\s+not)\s(?:make\s+it\s|mean\s+(?:that\s+)?)?[(\[]?[A-Z]\b")
"""Another label is turned down: `that does not make it D`."""
_INVENTED = re.compile(r"\bI\s+(?:just\s+|simply\s+)?made\s+(?:that|this|it)\s+up\b", re.IGNORECASE)


def _withdrawn(later: list[str], label: str = "", choices: tuple[str, ...] = ()) -> bool:
    """Whether later sentences take a label back: the next one by any words, the others by words of correction."""
    for place, sentence in enumerate(later):
        about_another = any(each.match(sentence) is not None for each in (_LED, _OF_OTHERS, _NOT_ANOTHER))
        said = choice_in(sentence, choices) if choices else Choice()
        of_another = bool(said.named) and said.label is None and label not in said.named
        if supposes_another(sentence) or (of_another and _NOT_IT.search(sentence)):
            continue
        remark = opens_aside(sentence) and not judges(sentence)
        if place == 0 and not (about_another or of_another) and not remark and taken_back(sentence):
            return True
        if (not about_another and corrected_label(sentence)) or _INVENTED.search(sentence):
            return True
    return False


def _by_name(text: str, spelt: dict[str, str], question: str, *, stated: bool = False) -> tuple[str, str] | None:
    """The choice whose words a response names; where it has to be `stated`, naming it is not enough."""
    names = {label: each for label, each in spelt.items() if each.strip()}
    if not names:
        return None
    whole = segmented(text).sentences
    spoken = ended(argument(whole)[0])
    if left_described(spoken):
        return None
    said = [each.text for each in spoken]
    told = [each for each in said if not say.ASIDE.search(each) or _COMES_BACK.search(each)] or said
    named = chosen_by_words(told, names, stated=stated, alone=len(whole) == 1, asked=asked_words(question, spelt))
    named = named or (None if stated else label_named(text, names))
    return (named, "the words of one choice") if named is not None else None


_ODD = re.compile(
    r"(?:^|[.;:,]\s+|\b(?:but|and|while|whereas)\s+)(?:the\s+|an?\s+|option\s+)?(?P<named>[^.;:,]{1,60}?)\s+"
    r"(?:(?:does|do|is|are|has|have|can|was|did)(?:n['’]t|\s+not)|cannot)(?:\s+one)?(?=\s*[.;:,]|\s*$)",
    re.IGNORECASE | re.MULTILINE,
)
"""What is said of all but one, denied of that one in so many words: `A, B and D give milk. C doesn't.`"""


def _odd_one(text: str, spelt: dict[str, str]) -> tuple[str, str] | None:
    """The one choice that is not what the others are, where that is what a question asks for."""
    named = {words.plain(each): label for label, each in spelt.items() if words.plain(each)}
    said = (
        re.sub(r"^(?:but|and|while|whereas|the|an?)\s+", "", found["named"].strip("() "))
        for found in _ODD.finditer(text)
    )
    odd = {each if each in spelt else named.get(words.plain(each)) for each in said} - {None}
    label = odd.pop() if len(odd) == 1 else None
    return (label, "the odd one out") if label is not None and not say.UNSETTLED.search(text) else None


def _of_value(values: Values, text: str, spelt: dict[str, str], question: str) -> tuple[str | None, str] | None:
    """The choice of the committed value; of two the one that the last sentence concludes."""
    label = values.committed()
    if label is None:
        return None
    if _given(label, values, sentences(text)[-1], question):
        return None
    concludes = _CONCLUDES.search(sentences(text)[-1]) is not None
    told = _by_name(values.spelt(text), spelt, question, stated=True) if concludes else None
    return told or (label, "the value of one choice")


_COMES_BACK = re.compile(
    r"[;,]\s+(?:but\s+|and\s+)?(?:(?:without|as\s+it\s+is|here)\b,?\s+)?(?:it['’]s|it\s+is|so|hence|thus)\s",
    re.IGNORECASE,
)
"""Where a sentence about another case comes back: `with one it would be a simile; without, it's a metaphor`."""


def _given(label: str, values: Values, last: str, question: str) -> bool:
    """Whether a number is one that the question gives, and the last sentence says another choice too."""
    number = {each: re.fullmatch(r"\D*(\d[\d.,]*)\D*", text) for each, text in values.texts.items()}
    said = {each for each, found in number.items() if found and _says(last, found[1])}
    own = number[label]
    return own is not None and _says(question, own[1]) and label in said and len(said) > 1


def _says(text: str, number: str) -> bool:
    return re.search(rf"(?<![\d.,]){re.escape(number)}(?![\d]|[.,]\d)", text) is not None


_CONCLUDES = re.compile(r"\b(?:so|hence|thus|therefore)\b", re.IGNORECASE)


_SENTENCE = re.compile(r"(?:it|they|this|there|we|he|she)\b", re.IGNORECASE)
"""A choice that is a sentence with a subject, whose verb alone is another word: `It increases`, `an increase in`."""


def _by_text(text: str, spelt: dict[str, str]) -> tuple[str | None, str] | None:
    """The choice whose words alone stand behind a committing phrase, are the whole text, or what its subject does."""
    phrase = list(say.STRONG.finditer(text))
    if phrase:
        lead = text[: phrase[-1].start()]
        if uncommitted(re.split(r"[.!?]\s|\n", lead)[-1], text[phrase[-1].end() :][:80], ""):
            return None
    behind = text[phrase[-1].end() :].split("\n", 1)[0] if phrase else text
    meant = words.plain(behind)
    spoken = [(label, words.plain(each)) for label, each in spelt.items() if words.plain(each)]
    named = [label for label, each in spoken if each == meant]
    begun = words.plain(re.split(r"\n|\s[–—-]\s|[,:(|]", text.strip().rpartition("\n")[2])[0])
    if not named and not phrase and all(each != begun for _, each in spoken):
        named = [label for label, each in spoken if says(text, spelt[label] if _SENTENCE.match(spelt[label]) else each)]
    return (named[0], "the text of one choice") if len(named) == 1 else None


def _under_heading(text: str, choices: tuple[str, ...]) -> tuple[str, str] | None:
    """The label that stands alone, or with its words, under the last heading, whatever is remarked behind it."""
    found = next(reversed(list(_UNDER_HEADING.finditer(text))), None)
    if found is None or _MISTAKE.search(found["hash"] or found["bold"]):
        return None
    line = _unwrapped(found["line"])
    match = _LED.match(line)
    if match is None or match["label"] not in choices or not settled(match["rest"], match["label"]):
        return None
    later = sentences(_WRAPPERS.sub(" ", text[found.end() :]))
    others = any((other := _LED.match(each)) is not None and other["label"] in choices for each in later)
    if others or _withdrawn(later):
        return None
    return match["label"], _HEADED if HEADING.match(found["hash"] or found["bold"]) else "the label under a heading"


def _by_line(lines: list[str], choices: tuple[str, ...]) -> tuple[str | None, str] | None:
    """A label that begins the last line or the first; not one of a list of the choices."""
    if not lines:
        return None
    begun = [match for line in lines if (match := _LED.match(line)) is not None and match["label"] in choices]
    listed = len({each["label"] for each in begun if re.match(r"[)\].:]+\s*\w", each["rest"])}) > 1
    found: list[tuple[bool, str]] = []
    for line in dict.fromkeys((lines[-1], lines[0])):
        match = _LED.match(line)
        if match is None or match["label"] not in choices or OTHER_CASE.match(line):
            continue
        bare = re.search(r"[\w?]", match["rest"]) is None
        if not bare and (listed or not settled(match["rest"], match["label"])):
            continue
        found.append((bare, match["label"]))
    lone = {label for bare, label in found if bare} or {label for _, label in found}
    if len(lone) > 1:
        return None, "commits to several labels"
    if not lone:
        return None
    at_end = _LED.match(lines[-1]) is not None and lines[-1] != lines[0]
    if at_end and re.match(r"#", lines[-2]) and _MISTAKE.search(lines[-2]):
        return None
    return (None, _TAKEN) if not at_end and _withdrawn(sentences("\n".join(lines[1:]))) else (lone.pop(), "one label")


def _uncommitted(plain: str, choices: tuple[str, ...]) -> tuple[None, str]:
    """Why a text without a commitment has none."""
    if len(plain) > _SHORT:
        return None, UNNAMED
    runs = [run for run in re.findall(r"(?<![A-Za-z])[A-Z]{2,}(?![A-Za-z])", plain) if set(run) <= set(choices)]
    named = {
        label for label in re.findall(r"(?<![A-Za-z0-9'’\\_^])[A-Za-z](?![A-Za-z0-9'’_^])", plain) if label in choices
    }
    if runs:
        return None, "several labels in one word"
    if len(named) > 1:
        return None, f"commits to several labels: {', '.join(sorted(named))}"
    if not named or re.match(r"\W*[AI]\s+[a-z]{2,}", plain):
        return None, UNNAMED
    return None, "does not commit to its label"
