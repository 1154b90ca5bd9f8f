"""Which of several labels a text commits to."""

import re

_WRAPPERS = re.compile(
    r"\\(?:text|textbf|mathrm|mathbf|boxed|mbox|operatorname|textit|bm)\s*(?=\{)|[{}$*`\"“”]|\\[()\[\]]|\\[,;! ]"
)
_SHORT = 60
_REJECTED_AFTER = re.compile(
    r"^[)\]\s]*(?:(?:,|and|or|&|\s)\s*[(\[]?[A-Z][)\]]?(?![a-z])\s*){0,6}"
    r"(?:is|are|was|were|must be|can be|seems?)?\s*(?:clearly|obviously|also)?\s*"
    r"(?:not\b|wrong|incorrect|false|n't|isn't|excluded|ruled out|eliminated|out\b|no\b)",
    re.IGNORECASE,
)
_REJECTED_BEFORE = re.compile(
    r"(?:\bnot|\bisn't|\bisnt|\bnever|\bnor|\bneither|n't be|\bcannot be|\bexclude|\beliminate|\brule out|\breject"
    r"|\brather than|\binstead of|\bunlike|\bnon|不是|\bpas|\bno es)\s*(?:[(\[]?[A-Z][)\]]?\s*(?:or|nor|,)\s*)*"
    r"(?:option|choice|answer|either)?\s*[(\[]?\s*$",
    re.IGNORECASE,
)
_UNCERTAIN = re.compile(
    r"\?|\b(?:maybe|perhaps|possibly|either|or|not sure|unsure|guess between|any of|all of|none of)\b", re.IGNORECASE
)


def _letter_at(text: str, match: re.Match[str]) -> bool:
    """Whether a lone letter is used as a label and not as a word ("A reasonable person", "I think")."""
    before, after = text[: match.start()], text[match.end() :]
    if before.endswith("(") or re.match(r"\s*[).:,;!?。]|\s*$", after):
        return True
    if match.group() in "AI" and re.match(r"\s+[a-z]{2,}", after):
        return bool(re.match(r"\s+(?:or|and|but|is|are|because|not|since|rather|then|was)\b", after))
    return True


def chosen(text: str, choices: tuple[str, ...]) -> tuple[str | None, str]:
    """The label a text commits to, or None, and a sentence that says why.

    A label that the text rejects ("not A", "A is wrong") does not count; two labels left are no commitment.
    """
    plain = " ".join(_WRAPPERS.sub(" ", text).split())
    lone = re.fullmatch(r"[(\[]?\s*([A-Za-z])\s*[)\].:,;!]*", plain)
    if lone:
        letter = lone.group(1) if lone.group(1) in choices else lone.group(1).upper()
        return (letter, "one label") if letter in choices else (None, f"'{letter}' is none of the choices")
    labels = "".join(re.escape(choice) for choice in choices)
    kept: list[str] = []
    rejected: set[str] = set()
    for match in re.finditer(rf"(?<![A-Za-z0-9'’\\_^])[{labels}](?![A-Za-z0-9'’_^])", plain):
        if not _letter_at(plain, match):
            continue
        before, after = plain[: match.start()][-30:], plain[match.end() :][:40]
        if _REJECTED_BEFORE.search(before) or _REJECTED_AFTER.match(after):
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
