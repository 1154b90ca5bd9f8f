"""Which of several labels a response commits to: its last committing phrase, then a lone label, never a vote."""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from grading.language import words
from grading.language.responses import vocabulary as say
from grading.language.responses.commitments import taken_back

_WRAPPERS = re.compile(
    r"\\(?:text|textbf|mathrm|mathbf|boxed|mbox|operatorname|textit|bm)\s*(?=\{)|[{}$*`\"“”]|\\[()\[\]]|\\[,;! ]"
)
_CROSSED = re.compile(
    r"\\(?:neg|lnot|not|overline|bar|cancel|xcancel|bcancel|sout|st)\s*\{?\s*(?:\\(?:text"
    r"|mathrm)\s*\{)?\s*([A-Za-z])\}{0,2}"
    r"|[¬!]\s*([A-Za-z])\b|~~\s*\(?([A-Za-z])\)?\s*~~|\b(?:not|non)-([A-Za-z])\b"
)
_STROKES = re.compile("([A-Za-z])[\u0305\u0332-\u0338\u20d2\u20d3\u20d2\u20e0\u20e5\u20eb]")
_SHORT = 60
_MOST = 400
"""Characters of a text without phrase or lone label in which a single label may still be the choice."""
_SEARCHED = 8_000
_MOST_PHRASES = 30
_DENIES = (
    r"(?:not\b|wrong|incorrect|false|n['’]t|isn['’]t|excluded|ruled out|eliminated|out\b|no\b|fails?\b|tempting|a trap"
    r"|a distractor|impossible|unlikely|too\b)"
)
_REJECTED_AFTER = re.compile(
    r"^[)\]\s]*(?:(?:,|and|or|&|\s)\s*[(\[]?[A-Z][)\]]?(?![a-z])\s*){0,6}"
    rf"(?:is|are|was|were|must be|can be|looks?|seems?)?\s*(?:clearly|obviously|also)?\s*{_DENIES}",
    re.IGNORECASE,
)
_REJECTED_BEFORE = re.compile(
    r"(?:\bnot|\bisn['’]?t|\bnever|\bnor|\bneither|n['’]t be|\bcannot be|\bexclude|\beliminate|\brule out|\breject"
    r"|\bdoubt"
    r"|\brather than|\binstead of|\bunlike|\bnon|\b(?:any|every|all|none|no|each)\w*\s+(?:\w+\s+)?(?:but|except|save)"
    r"|\bexcept|\bother than|\bapart from|\bbesides|不是|\bpas|\bno es|\bnicht|\bnão"
    r"|ليس)\s*(?:[(\[]?[A-Z][)\]]?\s*(?:or|nor|,)\s*)*"
    r"(?:option|choice|answer|either)?\s*[(\[]?\s*$",
    re.IGNORECASE,
)
_UNCERTAIN = re.compile(
    r"\?|\b(?:maybe|perhaps|possibly|either|or|not sure|unsure|guess between|any of|all of|none of)\b", re.IGNORECASE
)
_CLAUSE = re.compile(r"[,;:.!?\n]|\b(?:but|so|hence|therefore|thus|because|since)\b", re.IGNORECASE)
_FILLING = (
    r"(?:\s*(?:therefore|thus|then|clearly|definitely|certainly|surely|obviously|indeed|simply|probably|most likely"
    r"|likely"
    r"|for sure|option|choice|letter|answer|alternative|statement|the|[:：=\-–—]))*\s*[(\[]?\s*"
)
_LED = re.compile(r"\W*[A-Za-z]\s*[):.]\s*(?!no\b|not\b)[A-Za-z][a-z]+(?!.*\b[A-Z][):])")
"""A line that begins with a label and goes on with words."""
_MODEST = re.compile(
    r"\b(?i:I)(?:\s+would|['’]d)\b|[A-Z]\)?(?:\s*(?:,|and|or)\s*\(?[A-Z]\)?)*\s+(?:is|are)\s+(?:clearly\s+"
    r"|also\s+)?(?:wrong|incorrect|false)"
    r"|\b[Nn]either\s+\(?[A-Z]\)?(?:\s+nor\s+\(?[A-Z]\)?)+"
)
"""Words of a lead that neither deny nor report what is chosen: "I would", "A is wrong"."""


@dataclass(frozen=True, slots=True)
class _Patterns:
    phrases: tuple[re.Pattern[str], ...]
    label: re.Pattern[str]
    line: re.Pattern[str]
    second: re.Pattern[str]


@lru_cache(maxsize=64)
def _patterns(choices: tuple[str, ...]) -> _Patterns:
    labels = "[" + "".join(re.escape(choice) for choice in choices) + "]"
    one = rf"(?P<label>{labels})(?![A-Za-z0-9'’_^])"
    # Letters of labels keep their case: the article "a" is none. The words beside them do not.
    phrases = (
        (
            rf"(?i:\b(?:answer|option|choice|alternative|solution|selection)(?:\s+(?:choice|option|letter))?"
            rf"(?:\s+(?:here|to\s+this\s+question|then|therefore|thus))?(?:\s+(?:is|are|would\s+be|must\s+be"
            rf"|should\s+be"
            rf"|has\s+to\s+be)\b|\s*[:=：-]){_FILLING}){one}"
        ),
        rf"(?:{say.FOREIGN.pattern.replace('?P<', '?P<_')})".replace("(?:(?P<", "(?i:(?P<", 1) + rf"{_FILLING}{one}",
        rf"(?i:\b(?:choose|pick|select|chose|picked|selected|go(?:ing)?\s+with|opt\s+for|settle\s+on){_FILLING}){one}",
        (
            rf"(?<![A-Za-z0-9'’\\_^]){one}[)\]]?(?i:\s*(?:is|must\s+be|has\s+to\s+be)\s*(?:therefore\s+|thus\s+"
            rf"|clearly\s+|indeed\s+)?"
            rf"(?:the\s+)?(?:only\s+)?(?:correct|right|best|true|most\s+\w+|answer)\b)"
        ),
        (
            rf"(?i:\b(?:therefore|thus|hence|so)\b[\s,]*(?:it\s+(?:is|must\s+be)\s+"
            rf"|i\s+think\s+it['’]?s?\s+(?:is\s+)?)?"
            rf"(?:the\s+)?(?:option|choice|answer)?\s*[(\[]?){one}[)\]]?\s*(?:$|[.!\n])"
        ),
    )
    return _Patterns(
        tuple(re.compile(phrase) for phrase in phrases),
        re.compile(rf"(?<![A-Za-z0-9'’\\_^])(?P<label>{labels})(?![A-Za-z0-9'’_^])"),
        re.compile(
            rf"\W*(?i:(?:option|choice|answer)\b)?\W*(?P<label>{labels})(?![A-Za-z0-9'’_^])"
            r"(?P<rest>[)\]]*\s*(?:$|[.:,;—–-]\s.*|[)\]].*|[.:]\s*$|\s+(?:because|since|as|is\s+(?:correct"
            r"|right))\b.*))"
        ),
        re.compile(
            rf"[)\]]*\s*(?:,|/|&|or|and|as\s+well\s+as|und|oder|et|ou|y|o)\s*(?:option\s+"
            rf"|choice\s+)?[(\[]?{labels}(?![A-Za-z])(?P<rest>.*)"
        ),
    )


def _letter_at(text: str, match: re.Match[str]) -> bool:
    """Whether a lone letter is used as a label and not as a word ("A reasonable person", "I think")."""
    before, after = text[: match.start()], text[match.end() :]
    if before.endswith("(") or re.match(r"\s*[).:,;!?。]|\s*$", after):
        return True
    if match.group() in "AI" and re.match(r"\s+[a-z]{2,}", after):
        return bool(re.match(r"\s+(?:or|and|but|is|are|because|not|since|rather|then|was)\b", after))
    return True


def chosen(text: str, choices: tuple[str, ...], texts: tuple[str, ...] = ()) -> tuple[str | None, str]:
    """The label a text commits to, or None, and a sentence that says why. `texts` are the choices in words.

    A label that the text rejects ("not A", "A is wrong") does not count; two labels left are no commitment.
    """
    text = _uncrossed(text[-_SEARCHED:])
    lines = [" ".join(_WRAPPERS.sub(" ", line).split()) for line in text.split("\n")]
    plain = " ".join(line for line in lines if line)
    lone = re.fullmatch(r"[(\[]?\s*([A-Za-z])\s*[)\].:,;!]*", plain)
    if lone:
        letter = lone.group(1) if lone.group(1) in choices else lone.group(1).upper()
        return (letter, "one label") if letter in choices else (None, f"'{letter}' is none of the choices")
    patterns = _patterns(tuple(choices))
    spoken = "\n".join(line for line in lines if line)
    denied: set[str] = set()
    return (
        _by_phrase(spoken, patterns, denied)
        or _by_text(spoken, choices, texts)
        or _by_line([line for line in lines if line], patterns)
        or _single(plain, patterns, choices, denied)
    )


def _uncrossed(text: str) -> str:
    """A text in which labels that are crossed out or negated by a sign are negated in words."""
    text = _STROKES.sub(r" not \1 ", unicodedata.normalize("NFKD", text)) if not text.isascii() else text
    return _CROSSED.sub(lambda match: f" not {next(part for part in match.groups() if part)} ", text)


def _by_phrase(text: str, patterns: _Patterns, denied: set[str]) -> tuple[str | None, str] | None:
    """The label behind the last phrase that commits; labels behind phrases that do not are put to the denied."""
    found = sorted(
        (match for each in patterns.phrases for match in each.finditer(text)), key=lambda m: m.start("label")
    )
    for match in reversed(found[-_MOST_PHRASES:]):
        lead = text[max(0, match.start() - _MOST) : match.start()]
        clause = _CLAUSE.split(_MODEST.sub("", lead))[-1]
        sentence = re.split(r"[.!?\n]", lead)[-1]
        before = text[match.start() : match.start("label")]
        modest = _MODEST.sub("", f"{sentence} {before}")
        if say.DENIED.search(_MODEST.sub("", f"{clause} {before}")) or say.REPORTED.search(modest):
            denied.add(match["label"])
            continue
        after = text[match.end("label") :]
        if _REJECTED_AFTER.match(after[:60]) and not re.match(r"[)\]]?\s*(?:,|and|but)\s", after):
            continue
        second = patterns.second.match(after.split("\n", 1)[0])
        if second is not None and not re.match(rf"[)\]]*\s*(?:is|are)?\s*{_DENIES}", second["rest"], re.IGNORECASE):
            return None, "commits to several labels"
        if re.match(r"\W*(?:if|unless|when|or)\b|[)\]]*\s*\?", after) or taken_back(after):
            return None, "does not commit to its label"
        return match["label"], "one label"
    return None


def _by_text(text: str, choices: tuple[str, ...], texts: tuple[str, ...]) -> tuple[str | None, str] | None:
    """The choice whose words alone stand behind a committing phrase, or are the whole text."""
    phrase = list(say.STRONG.finditer(text))
    if phrase and (say.DENIED.search(text[: phrase[-1].start()][-80:]) or say.REPORTED.search(text[-400:])):
        return None
    said = words.plain(text[phrase[-1].end() :].split("\n", 1)[0] if phrase else text)
    named = [
        label for label, each in zip(choices, texts, strict=False) if words.plain(each) and words.plain(each) == said
    ]
    if not named and phrase and not say.DENIED.search(said) and not re.search(r"\bor\b", said):
        inside = [(label, words.plain(each)) for label, each in zip(choices, texts, strict=False)]
        named = [label for label, each in inside if each and re.search(rf"\b{re.escape(each)}\b", said)]
    return (named[0], "the text of one choice") if len(named) == 1 else None


def _by_line(lines: list[str], patterns: _Patterns) -> tuple[str | None, str] | None:
    """A label that begins the last line or the first; not one of a list of the choices."""
    if not lines or (len(lines) == 1 and not _LED.match(lines[0])):
        return None
    begun = [(line, match) for line in lines if (match := patterns.line.fullmatch(line)) is not None]
    listed = len({match["label"] for line, match in begun if match["rest"].strip(" ).]:")}) > 1
    for line in (lines[-1], lines[0]):
        match = patterns.line.fullmatch(line)
        if match is None or (listed and match["rest"].strip(" ).]:")):
            continue
        if _REJECTED_AFTER.match(match["rest"]) or _REJECTED_BEFORE.search(line[: match.start("label")]):
            continue
        if taken_back(match["rest"]) or "?" in match["rest"] or patterns.second.match(match["rest"]):
            return None, "does not commit to its label"
        return match["label"], "one label"
    return None


def _single(plain: str, patterns: _Patterns, choices: tuple[str, ...], rejected: set[str]) -> tuple[str | None, str]:
    """The one label that a short text names and does not reject."""
    if len(plain) > _MOST:
        return None, "no label was committed to"
    kept: list[str] = []
    for match in patterns.label.finditer(plain):
        if not _letter_at(plain, match):
            continue
        before, after = plain[: match.start()][-40:], plain[match.end() :][:60]
        clause = _CLAUSE.split(plain[: match.start()])[-1]
        denied = say.REPORTED.search(clause) or re.match(
            r"[^.]{0,60}?;?\s*\b(?:it|that|which) is (?:wrong|incorrect|false)", after
        )
        if _REJECTED_BEFORE.search(before) or _REJECTED_AFTER.match(after) or denied:
            rejected.add(match.group())
        else:
            kept.append(match.group())
    return _committed(plain, kept, rejected, choices)


def _committed(plain: str, kept: list[str], rejected: set[str], choices: tuple[str, ...]) -> tuple[str | None, str]:
    distinct = set(kept)
    runs = re.findall(r"(?<![A-Za-z])[A-Z]{2,}(?![A-Za-z])", plain)
    if any(set(run) <= set(choices) for run in runs):
        return None, "several labels in one word"
    if not distinct:
        return None, "no label of the choices was named"
    if len(distinct) > 1:
        return None, f"commits to several labels: {', '.join(sorted(distinct))}"
    doubtful = len(plain) < _SHORT and not rejected and _UNCERTAIN.search(plain)
    if distinct & rejected or doubtful:
        return None, "does not commit to its label"
    return kept[0], "one label"
