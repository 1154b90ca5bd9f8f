"""Which of several labels a response commits to: its last committing phrase, then a lone label, never a vote."""

import re
import unicodedata
from collections.abc import Callable

from grading.language import words
from grading.language.responses import vocabulary as say
from grading.language.responses.asides import argument, ended
from grading.language.responses.choosing import chosen_label, unsettles
from grading.language.responses.chosenwords import disagrees, label_behind, label_named
from grading.language.responses.clauses import without_openers
from grading.language.responses.commitments import committed
from grading.language.responses.corrections import corrected_label, taken_back
from grading.language.responses.headed import HEADING
from grading.language.responses.labels import (
    OTHER_CASE,
    PLACES,
    SPOKEN_AGAINST,
    LabelCommitment,
    Phrases,
    at_the_end,
    by_place,
    commitment_in,
    phrases,
    sentences,
    settled,
)
from grading.language.responses.leads import uncommitted
from grading.language.responses.segments import segmented
from grading.language.responses.spoken import UNSOUND, is_subject, says
from grading.language.responses.turning import judges, opens_aside, supposes_another

_WRAPPERS = re.compile(
    r"\\(?:text|textbf|mathrm|mathbf|boxed|mbox|operatorname|textit|bm)\s*(?=\{)|[{}$*`\"“”✅✓✔]|\\[()\[\]]|\\[,;! ]"
    r"|</?(?:b|strong|em|i)>"
)
_CROSSED = re.compile(
    r"\\(?:neg|lnot|not|overline|bar|cancel|xcancel|bcancel|sout|st)\s*\{?\s*(?:\\(?:text"
    r"|mathrm)\s*\{)?\s*([A-Za-z])\}{0,2}"
    r"|[¬!]\s*([A-Za-z])\b|~~\s*\(?([A-Za-z])\)?\s*~~|<(?:s|del|strike)>\s*\(?([A-Za-z])\)?\s*</(?:s|del|strike)>"
    r"|\b(?:not|non)-([A-Za-z])\b"
)
_STROKES = re.compile("([A-Za-z])[\u0305\u0332-\u0338\u20d2\u20d3\u20d2\u20e0\u20e5\u20eb]")
_TICK = re.compile("[✅✓✔☑]")
_CROSS = re.compile("[❌✗✘✖☒]")
_LISTED = re.compile(r"[-•*\s✅✓✔☑❌✗✘✖☒\ufe0f(\[|]*(?:[Oo]ption\s+)?(?P<label>[A-Za-z])\s*(?:[).:\]|–—*-]|$)")
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
_OPENS = re.compile(
    r"^[^\w(]*(?:the\s+)?(?:(?:final|correct|best|right|my)\s+)*(?:answer|option|choice)(?:\s+is)?\s*[:：]?\s*$",
    re.IGNORECASE,
)
_WORKED_ON = re.compile(
    r"\b(?:than|less|more|fewer|plus|minus|times|half|twice|double|at (?:most|least)|up to|everything|all) \S"
    r"|\b(?:but|except)\b"
)
"""Words with which the words of a choice say another thing."""
_MOST = re.compile(r"\bmost\s+(?:likely|suitable|appropriate|probable|plausible|accurate)\b", re.IGNORECASE)
_TRUE_ONE = re.compile(
    r"^(?:so,?\s+|thus,?\s+|hence,?\s+)?the\s+(?:only\s+|one\s+)*(?:true|right|correct|valid)\s+(?:one|statement|option|choice|answer)\s+(?:says|states|claims|reads|is)\s+(?:that\s+)?",
    re.IGNORECASE,
)
"""`The only true one says that` before the words of a choice."""
_SETTING = re.compile(
    r"^(?:in|under|with|at|for|on|during|given|based\s+on)\s+(?:the|these|this|our|such|an?)\s+(?!(?:[\w-]+\s+){0,2}(?:absence|lack|other|opposite|reverse|contrary|different|first|second|view|opinion|case)\b)[^,;:?]{3,80},\s+",
    re.IGNORECASE,
)
"""Where or when it is so, before the main clause: `in the presence of the compound,`."""
_PRAISED = re.compile(
    r"\b(?:of\s+choice|best|correct|right|appropriate|suitable|preferred|preferable|recommended|asked\s+for|we\s+(?:want|need|seek))\b",
    re.IGNORECASE,
)
"""What is said of the choice that is taken."""
_PLACED = re.compile(
    rf"(?:(?<=\bis )(?i:the\s+(?P<place>{'|'.join(PLACES)}|last)(?:\s+(?:one|option|choice|answer|statement))?)"
    rf"|(?i:\bthe\s+(?P<where>{'|'.join(PLACES)}|last)\s+(?:one|option|choice|answer|alternative)))"
    r"\s*[:,(–—-]\s*[(\[]?(?P<label>[A-Z])\b[)\]]*(?P<end>,?)"
)
"""A label behind its place among the choices."""
_GO_ON = re.compile(
    r"because|since|as|which|that|who|where|when|while|so|for|in|on|at|by|with|from|to|into|and|but|if|given|due|via"
    r"|rather|not|during|under|after|before|through|among|has|have|was|were|can|will|would|does|do|must|should"
)
"""Words that may go on behind a noun without belonging to it."""
_SEARCHED = 8_000
_SHORT = 400
"""Characters of a text whose labels are told where it commits to none."""
_LONE_WORD = 4
_TAKEN = "the label is taken back after it was given"
_DENYING = r"(?:no|not|false|incorrect|wrong|untrue)"
_ANOTHER = r"\W*(?:it\W+i?s\s+)?(?-i:[A-Z])\b(?!\s+[a-z])"
_DENIED_LABEL = re.compile(rf"\W*[A-Z]\b[)\].:,\s\"“–—-]+{_DENYING}\b", re.IGNORECASE)


def chosen(
    text: str,
    choices: tuple[str, ...],
    texts: tuple[str, ...] = (),
    by_value: Callable[[], str | None] = lambda: None,
    values: frozenset[str] = frozenset(),
) -> tuple[str | None, str]:
    """The label a text commits to, or None, and a sentence that says why. `texts` are the choices in words.

    A label that the text rejects ("not A", "A is wrong") does not count; two labels left are no commitment. The labels
    in `values` stand for numbers and formulas: `by_value` compares them, and none is looked for inside the text.
    """
    text = _uncrossed(_with_genus(text[-_SEARCHED:], texts))
    ticked = _ticked(text, choices)
    if ticked is not None:
        return ticked
    lines = [line for each in text.split("\n") if (line := " ".join(_WRAPPERS.sub(" ", each).split()))]
    plain = " ".join(lines)
    lone = re.fullmatch(r"[(\[]?\s*([A-Za-z])\s*[)\].:,;!]*", plain)
    if lone:
        letter = lone.group(1) if lone.group(1) in choices else lone.group(1).upper()
        return (letter, "one label") if letter in choices else (None, f"'{letter}' is none of the choices")
    known = phrases(tuple(choices))
    lines = [_without_place(line, choices) for line in _joined(_capitals(lines, choices))]
    spelt = dict(zip(choices, texts, strict=False))
    lines = [_without_denying_text(line, spelt) for line in lines]
    denied = _DENIED_LABEL.match(lines[0]) if len(lines) == 1 else None
    if denied is not None and (
        taken_back(lines[0])
        or (not denied[0].lower().endswith("not") and _names_label(lines[0][denied.end() :], choices))
    ):
        return None, _TAKEN
    said = {label: each for label, each in spelt.items() if label not in values}
    label, reason = (
        _by_phrase(lines, known, choices)
        or _with_own_words(lines, spelt)
        or _by_text("\n".join(lines), said)
        or _of_value(by_value())
        or _under_heading(text, choices)
        or _by_line(lines, choices)
        or _by_name("\n".join(lines), said)
        or _uncommitted(plain, choices)
    )
    if label is not None and disagrees(plain, label, spelt):
        return None, f"commits to {label} with the words of another choice"
    return label, reason


def _with_genus(text: str, texts: tuple[str, ...]) -> str:
    """A text with the genus of a choice written out: `E. coli`, which is no label, as `Escherichia coli`."""
    for genus, species in (found for each in texts for found in re.findall(r"\b([A-Z][a-z]{3,}) ([a-z]{3,})\b", each)):
        if f". {species}" in text:
            text = re.sub(rf"(?<![\w.]){genus[0]}\. {species}\b", f"{genus} {species}", text)
    return text


def _names_label(text: str, choices: tuple[str, ...]) -> bool:
    """Whether a text names a label in brackets."""
    return any(each in choices for each in re.findall(r"\(([A-Za-z])\)", text))


def _ticked(text: str, choices: tuple[str, ...]) -> tuple[str | None, str] | None:
    """The one label whose line is ticked, where it is the last line or others are crossed; None of other texts."""
    if _CROSS.search(text) is None and _TICK.search(text) is None:
        return None
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    found = [(match["label"], line) for line in lines if (match := _LISTED.match(line)) and match["label"] in choices]
    begun = [label for label, line in found if _TICK.match(line)]
    if len(begun) == 1 and found[-1] == (begun[0], lines[-1]) and not unsettles(lines[-1].partition(begun[0])[2]):
        return begun[0], "the ticked label"
    crossed = {label for label, line in found if _CROSS.search(line)}
    headed = len(lines) > 1 and (HEADING.match(lines[-2]) or _OPENS.match(lines[-2]))
    if not crossed or found[-1][1] != lines[-1] or (headed and not _CROSS.search(lines[-1])):
        return None
    ticked = {label for label, line in found if _TICK.search(line)} - crossed
    left = ticked or {label for label, _ in found} - crossed
    return (left.pop(), "the ticked label") if len(left) == 1 else (None, "the labels are crossed out")


def _without_place(line: str, choices: tuple[str, ...]) -> str:
    """`the first one: A` as `A`, where it is the label at that place."""

    def label(found: re.Match[str]) -> str:
        word = (found["place"] or found["where"]).lower()
        place = len(choices) - 1 if word == "last" else PLACES.index(word)
        said = f"{found['label']}{found['end']}" if found["place"] else f"option {found['label']}"
        return said if choices[place : place + 1] == (found["label"],) else found[0]

    return _PLACED.sub(label, line)


def _without_denying_text(line: str, spelt: dict[str, str]) -> str:
    """`C. No, because …` as `C. because …`, where choice C itself begins so: its own words do not take it back."""
    for label, text in spelt.items():
        if begun := re.match(rf"\W*({_DENYING})\b", text, re.IGNORECASE):
            own = rf"(?<![\w'’])({re.escape(label)}[)\].:,\s\"“–—-]+){begun[1]}\b(?!{_ANOTHER})[.,:;]*(?!\w)"
            line = re.sub(own, r"\1", line, flags=re.IGNORECASE)
    return line


def _capitals(lines: list[str], choices: tuple[str, ...]) -> list[str]:
    """Lines with `(b)` as `(B)`, where the labels are capitals and none stands in the text."""
    large = "".join(label for label in choices if label.isupper())
    if not large or any(label.islower() for label in choices):
        return lines
    if any(re.search(rf"(?<![A-Za-z'’])[{large}](?:[).\],:]|$)", line) for line in lines):
        return lines
    small = re.compile(rf"(?<![\w)])\(\s*([{large.lower()}])\s*\)")
    return [small.sub(lambda match: f"({match[1].upper()})", line) for line in lines]


def _uncrossed(text: str) -> str:
    """A text in which labels that are crossed out or negated by a sign are negated in words."""
    text = _STROKES.sub(r" not \1 ", unicodedata.normalize("NFKD", text)) if not text.isascii() else text
    text = unicodedata.normalize("NFKC", text) if not text.isascii() else text
    return _CROSSED.sub(lambda match: f" not {next(part for part in match.groups() if part)} ", text)


def _joined(lines: list[str]) -> list[str]:
    """Lines, one that announces the answer joined with the next."""
    found: list[str] = []
    for line in lines:
        if found and (HEADING.match(found[-1]) or _OPENS.match(found[-1])):
            found[-1] = f"{found[-1].rstrip(' :：#')}: {line}"
        else:
            found.append(line)
    return found


def _by_phrase(lines: list[str], known: Phrases, choices: tuple[str, ...]) -> tuple[str | None, str] | None:
    """What the last sentence that commits says. One that only calls a label right has to be the only one."""
    spoken = sentences("\n".join(lines))
    results: list[tuple[int, LabelCommitment]] = [
        (place, each) for place, sentence in enumerate(spoken) if (each := commitment_in(sentence, known))
    ]
    if spoken and (not results or results[-1][0] < len(spoken) - 1):
        label = by_place(spoken[-1], known, choices) or at_the_end(spoken[-1], known)
        results += [(len(spoken) - 1, LabelCommitment(label))] if label is not None else []
    read = results[-1][0] - (results[-1][1].label is None and "several" not in results[-1][1].reason) if results else -1
    placed = chosen_label(spoken, tuple(choices), read)
    results += [(placed[0], LabelCommitment(placed[1]))] if placed is not None else []
    if not results:
        return None
    place, last = results[-1]
    if last.label is None:
        return None, last.reason
    if last.weak and any(each.label not in (None, last.label) for _, each in results):
        return None, "commits to several labels"
    if _withdrawn(spoken[place + 1 :]):
        return None, _TAKEN
    return last.label, last.reason


def _withdrawn(later: list[str]) -> bool:
    """Whether later sentences take a label back: the next one by any words, the others by words of correction."""
    for place, sentence in enumerate(later):
        about_another = _LED.match(sentence) is not None
        if supposes_another(sentence):
            continue
        remark = opens_aside(sentence) and not judges(sentence)
        if place == 0 and not about_another and not remark and taken_back(sentence):
            return True
        if not about_another and corrected_label(sentence):
            return True
    return False


def _with_own_words(lines: list[str], spelt: dict[str, str]) -> tuple[str | None, str] | None:
    """The label that a last sentence says with its own words: `is D) 40`, `acute cholecystitis (option B)`."""
    told = sentences("\n".join(lines))
    said = " ".join(re.sub(r"\\(?=[a-z])", "", told[-1]).split()) if told else ""
    if any(found.search(said) for found in (say.DENIED, say.REPORTED, say.DOUBTED, say.ASIDE)):
        return None
    named = [label for label, each in spelt.items() if each and _stands_with(label, " ".join(each.split()), said)]
    others = [other for other in spelt if re.search(rf"(?<![\w]){other}\)|\b(?i:option|choice)\s+{other}\b", said)]
    return (named[0], "a label with its own words") if len(named) == 1 and set(others) <= set(named) else None


_QUANTITY = re.compile(r"[-−+~≈$€£]*\d[\d.,]*(?:\s*(?:[×x·]\s*10\S*|%|[^\s\d]\S{0,9}))?")
"""A number and its unit, which are read as a value is: `above 300 K` names no choice."""


def _by_name(text: str, spelt: dict[str, str]) -> tuple[str, str] | None:
    """The choice whose words a response names, or the label that its last statement ends in."""
    told = sentences(text)
    behind = label_behind(told[-1], spelt) if told else None
    if behind is not None:
        return behind, "the label behind a statement"
    names = {label: each for label, each in spelt.items() if not _QUANTITY.fullmatch(each.strip())}
    named = label_named(text, names) if names else None
    return (named, "the words of one choice") if named is not None else None


def _stands_with(label: str, text: str, said: str) -> bool:
    """Whether a label stands before the words of its choice, or in brackets behind them at the end."""
    own = rf"(?i:{re.escape(text)})"
    before = rf"(?:^\W*|(?i:\b(?:is|are|be|answer|choose|option)\b|:)\s*[(\[]?){label}[)\].:]+\s*{own}(?!\w)"
    behind = (
        rf"^(?P<lead>.{{3,120}}?\b(?:is|are))\s+(?:the\s+|an?\s+)?{own}\s*[,–—]?\s*"
        rf"\((?i:(?:option|choice|answer)\s+)?{label}\)\W*$"
    )
    found = re.search(behind, said)
    against = SPOKEN_AGAINST.search(_MOST.sub("", found["lead"])) if found is not None else None
    return re.search(before, said) is not None or (found is not None and against is None)


def _of_value(label: str | None) -> tuple[str, str] | None:
    return (label, "the value of one choice") if label is not None else None


def _by_text(text: str, spelt: dict[str, str]) -> tuple[str | None, str] | None:
    """The choice whose words alone stand behind a committing phrase, or are the whole text."""
    phrase = list(say.STRONG.finditer(text))
    if phrase:
        lead = text[: phrase[-1].start()]
        if uncommitted(re.split(r"[.!?]\s|\n", lead)[-1], text[phrase[-1].end() :][:80], ""):
            return None
    behind = text[phrase[-1].end() :].split("\n", 1)[0] if phrase else text
    meant = words.plain(behind)
    spoken = [(label, words.plain(each)) for label, each in spelt.items() if words.plain(each)]
    named = [label for label, each in spoken if each == meant]
    if (
        not named
        and phrase
        and not say.DENIED.search(meant)
        and not _WORKED_ON.search(meant)
        and not re.search(r"\bor\b|\?", behind)
    ):
        named = [label for label, each in spoken if _is_whole(each, behind)]
    if not named and not phrase:
        named = [label for label, each in spoken if says(text, each) or is_subject(text, each)]
    if not named and not phrase:
        named = [label for label, each in spoken if _ends_in(text, each)]
    if not named and not phrase:
        named = _concluded(text, spelt)
    if not named and not phrase:
        said = committed(text)
        value = (
            words.plain(said.text) if said.text and said.rule in ("statement", "display") and not said.condition else ""
        )
        named = [label for label, each in spoken if value and each == value]
    return (named[0], "the text of one choice") if len(named) == 1 else None


def _is_whole(words_of: str, behind: str) -> bool:
    """Whether the words of a choice are a whole group of nouns behind a phrase: `sodium nitrate` says no `sodium`."""
    for part in (behind, *re.split(r"[,;:()—–]|\.\s", behind)):
        meant = words.plain(part)
        for found in re.finditer(rf"(?<![\w-]){re.escape(words_of)}(?![\w-])", meant):
            rest = meant[found.end() :].split()
            if not rest or _GO_ON.fullmatch(rest[0]):
                return True
    return False


def _ends_in(text: str, wanted: str) -> bool:
    """Whether the last line says a choice's words behind a dash or a colon, apart from what names what is spoken of."""
    last = text.rstrip().rpartition("\n")[2]
    head, dash, end = last.rpartition(" — ") if " — " in last else last.rpartition(": ")
    if not dash or words.plain(end) != wanted or len(wanted) < _LONE_WORD:
        return False
    return not any(
        found.search(head)
        for found in (say.DENIED, say.DOUBTED, say.REPORTED, say.SUPPOSED, say.CHANGED, say.ASIDE, UNSOUND)
    )


def _concluded(text: str, spelt: dict[str, str]) -> list[str]:
    """The choice whose words are the main clause of the last sentence, or its subject, where a conclusion is drawn."""
    meant = [(label, words.plain(each)) for label, each in spelt.items()]
    told = [each.text for each in ended(argument(segmented(text).sentences)[0]) if not say.ASIDE.search(each.text)]
    if not told:
        return []
    last = _TRUE_ONE.sub("", told[-1])
    if "?" in last or any(words.search(last) for words in (say.REPORTED, say.DOUBTED, say.DENIED)):
        return []
    pointed = [label for label, each in meant if each and _pointed_out(last, spelt[label])]
    if pointed:
        return pointed if sum(each in words.plain(last) for _, each in meant if each) == 1 else []
    main = _SETTING.sub("", without_openers(last.rstrip(".! ")))
    clause, _, rest = (main + ";").partition(next(iter(re.findall(r"[,;—–]", main)), ";"))
    said, behind = words.plain(clause), words.plain(rest)
    if taken_back(rest) or say.UNSETTLED.search(rest) or any(each and each in behind for _, each in meant):
        return []
    drawn = len(main) < len(told[-1].rstrip(".! ")) or len(told) == 1
    named = [label for label, each in meant if each and each == said and len(each.split()) > 2 and drawn]
    praised = drawn or _PRAISED.search(clause) is not None
    return named or [label for label, each in meant if each and praised and is_subject(clause, each)]


def _pointed_out(said: str, text: str) -> bool:
    """Whether a sentence singles out the words of a choice: `it is X that holds`, `only X fits`."""
    one = rf"(?:the |an? )?{re.escape(' '.join(text.lower().split()))}"
    forms = (
        (
            rf"\b(?:it is|it's|it was|this is|that is) (?:therefore |thus |clearly )?{one} (?:that|which|who|whom)\b"
            r"(?! (?:many|some|most|students|people|one|you)\b)"
        ),
        (
            rf"^(?:(?:so|thus|hence|therefore),? )*only {one} (?:qualifies|fits|remains|works|survives|meets|is left)\b"
            r"(?! (?:badly|poorly|only|if|when)\b)"
        ),
        rf"\b(?:is|are|has) {one},? and (?:he|she|it|they|this|that|we|you)\b",
    )
    said = " ".join(said.lower().split())
    return any(re.search(form, said) is not None for form in forms)


def _under_heading(text: str, choices: tuple[str, ...]) -> tuple[str, str] | None:
    """The label that stands alone, or with its words, under the last heading, whatever is remarked behind it."""
    found = next(reversed(list(_UNDER_HEADING.finditer(text))), None)
    if found is None or _MISTAKE.search(found["hash"] or found["bold"]):
        return None
    line = " ".join(_WRAPPERS.sub(" ", found["line"]).split())
    match = _LED.match(line)
    if match is None or match["label"] not in choices or not settled(match["rest"], match["label"]):
        return None
    later = sentences(_WRAPPERS.sub(" ", text[found.end() :]))
    others = any((other := _LED.match(each)) is not None and other["label"] in choices for each in later)
    return None if others or _withdrawn(later) else (match["label"], "the label under a heading")


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
        return None, "no label of the choices was named"
    runs = [run for run in re.findall(r"(?<![A-Za-z])[A-Z]{2,}(?![A-Za-z])", plain) if set(run) <= set(choices)]
    named = {
        label for label in re.findall(r"(?<![A-Za-z0-9'’\\_^])[A-Za-z](?![A-Za-z0-9'’_^])", plain) if label in choices
    }
    if runs:
        return None, "several labels in one word"
    if len(named) > 1:
        return None, f"commits to several labels: {', '.join(sorted(named))}"
    if not named or re.match(r"\W*[AI]\s+[a-z]{2,}", plain):
        return None, "no label of the choices was named"
    return None, "does not commit to its label"
