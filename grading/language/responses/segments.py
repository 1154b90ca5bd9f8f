"""A response cut into sentences in which every formula is one character, so that words are looked at as words."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from grading.language.gaps import LONGEST_SENTENCE, without_middles
from grading.language.inbase import with_bases
from grading.language.responses import vocabulary as say
from grading.language.responses.bare import bare_formulas
from grading.language.responses.beside import without_brackets_beside
from grading.language.responses.corrected import without_correction
from grading.language.responses.leftout import without_asides
from grading.language.responses.neighbours import with_both_places, with_decimals
from grading.language.responses.plainsets import equation_lines, with_plain_sets
from grading.language.responses.quantities import with_quantities
from grading.language.responses.reasons import as_possible, without_reason_behind
from grading.language.responses.typed import typed_formulas

_FIRST = 0xE000
_MOST = 600
MARK = "[\ue000-\ue2ff]"
"""A formula's stand-in, as a pattern."""
_OPENING = re.compile(
    r"\\\\|\\\$|(?P<double>\$\$)|(?P<square>\\\[)|(?P<round>\\\()"
    r"|\\begin\{(?P<env>(?:equation|align|aligned|gather|multline|displaymath)\*?)\}|(?P<single>\$)"
)
_INLINE = re.compile(
    r"(?<!\$)\$(?:([^\s$](?:[^$\n]{0,2000}?[^\s$\\])?)\$(?![\d$])| ([^$\n]{1,2000}?) \$(?![\d$])"
    r"|\s?([^$\n]{0,200}?\\[A-Za-z][^$\n]{0,2000}?)\$(?![\d$]))"
)
_LONGEST = {"double": 4000, "square": 4000, "round": 2000, "env": 4000}
_EMPHASIS = re.compile(r"\*\*|__|(?<![\w*])\*(?=\S)|(?<=\S)\*(?![\w*])|`")
_CODE = re.compile(r"(?<!`)`[^`\n]{1,200}`(?!`)")
_BOLD = re.compile(r"\*\*[^*\n]{1,80}\*\*|(?<!\w)__[^_\n]{1,80}__(?!\w)")
_TICKED = re.compile(r"(?<=\*\*)\s*[✅✔✓☑]\ufe0f?(?=\s|$)")
"""A tick behind what stands in bold type."""
_PASSED = re.compile(r"(?<=\S)[ \t]{0,4}[✓✔✅☑]\ufe0f?[ \t]{0,4}$", re.MULTILINE)
"""A tick at the end of a line: a check is passed."""
_REMARK = re.compile(r"\s*[*_]{0,2}\((?=(?:[^()]*\b[A-Za-z]{2,}\b){4})[^()]*(?:\([^()]*\)[^()]*)*\)[*_.]{0,3}\s*")
_IN_WORDS = re.compile(r"[A-Za-z]{3,}.*\s[A-Za-z]{3,}")
_HEADING = re.compile(r"^[ \t]*#{1,6}[ \t]+")
_BULLET = re.compile(r"^[ \t]*(?:[-•*][ \t]+|\d{1,2}[.)][ \t]+(?=\D))")
_STOP = re.compile(
    r"(?<=[.!?])(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bcf\.)(?<!\bca\.)(?<!\bapprox\.)(?<!\bvs\.)(?<!\bresp\.)(?<!\bno\.)(?<!\b[Nn]r\.)"
    r"(?<!\bFig\.)(?<!\bEq\.)(?<!\bThm\.)(?<!\bDr\.)(?<!\bMr\.)(?<!\bMrs\.)(?<!\bMs\.)(?<!\bProf\.)(?<!\bSt\.)(?<!\bv\.)(?<!\bU\.S\.(?=\s[A-Z\d]))[\"”)]*\s+|(?<=[。！？؟।])\s*"
)
_ALIGNED = re.compile(r"\\(?:begin|end)\{(?:aligned|align|split|gathered)\*?\}")
_ARROW = re.compile(
    r"\\(?:q?quad|Rightarrow|implies|Longrightarrow|iff|Leftrightarrow|text\s*\{[^{}]*\})(?![A-Za-z])|\\[,;:! ]"
)
_CLAUSE_GOES_ON = re.compile(r"\s*(?:which|as|where|and|with|because|since|but|for|if|when|provided)\s")
"""How a paragraph begins that goes on with a display's sentence."""
_GIVES = re.compile(r"\s*(?P<name>\\?[A-Za-z]+(?:_\w|_\{\w+\})?)\s*=(?!.*=)")
_GOES_ON = re.compile(r"&?\s*(?:=|<|>|\\(?:approx|le|ge|leq|geq|equiv|implies|Rightarrow|iff)\b|&)")
_FACTORIAL = re.compile(r"(?<![\w.,])\d{1,9}!(?=[.,;:)](?![^\s)])|[ \t]+[a-z(=+*/-])")
_MULTIPLICITY = re.compile(
    r"\s*\((?:an?\s+)?(?:double|triple|simple|repeated)(?:\s+(?:root|zero|solution))?\)|\s*\((?:with\s+"
    r"|of\s+)?multiplicity\s+\w+\)",
    re.IGNORECASE,
)
_ARROWED = re.compile(
    r"(?:(?<=[\w)²³°%\ue000-\ue2ff])\s*[⟹⇒]|(?<=[\d)²³%])\s+→)\s*(?=[^\W\d_\ue000-\ue2ff]{1,3}(?:_\w|[₀-₉])?\s*[=≈])"
)
"""An arrow before what follows from an equation."""
_VIEWED = re.compile(
    r"\s*,?\s*\b(?:(?:when|as)\s+)?(?:viewed|seen|looked\s+at)\s+from\s+(?:the\s+)?(?:above|below|front|behind"
    r"|left|right|top|side|outside|inside)\b",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r",\s+(?:after|upon|once|by|when)\s+(?:\w+ing|\w+ed)\b(?:\s+(?!(?:not|never"
    r"|wrong\w*)\b)[a-z]+){0,4},\s+(?=(?:is|are|equals?|was|becomes?|gives?)\b)",
    re.IGNORECASE,
)
"""How a value came about, between commas before its verb: `The result, after simplifying, is 9`."""
_DASHED_CHECK = re.compile(
    r"(?<=\S)(?:\s[—–-]|;)\s(?:(?:you|one|we)\s+(?:can|may)\s+(?:easily\s+)?(?:check|verify)|(?:just\s+)?(?:differentiate|substitute|expand|multiply|plug"
    r"|insert|square|add|put)\s[^—–]{1,60}?\bto\s+(?:check|verify)|to\s+(?:double-)?check|(?:as\s+a\s+)?check)\b(?!\s*(?:again|that))[^—–]*$",
    re.IGNORECASE,
)
"""How an answer can be checked, behind a dash: `x^3/3 + C — differentiate it to check: …`."""
_GIVEN = re.compile(
    r"\b(the|this|that|these|those|our|your)\s+given\s+(?=(?!(?:answers?|values?|solutions?|results?|choices?|key)\b)[a-z]{3,})"
)
"""`at the given point`: what is given is not what is stated."""
_OF_REALS = re.compile(
    r"\b(?:all|the)\s+(?:(?:real\s+)?(?:numbers?|values?)|reals)(?:\s+(?:[a-z]|\ue000))?\s+(?:in|from)\s+(?:the\s+(?:set|interval|union)\s+)?"
    rf"(?={MARK}[\s.*]*$)"
)
"""`all real numbers in [0, 1)`"""
_CONSISTS = re.compile(
    rf"\bconsists?\s+(?:exactly\s+|precisely\s+)?of\s+(?=(?:all\s+(?:the\s+)?(?:real\s+numbers|reals)\s+in\s+)?(?:the\s+(?:set|interval|union)\s+)?{MARK}[\s.*]*$)"
)
_THEN_IT_IS = re.compile(
    rf"(?<={MARK}),\s+(?:and|in\s+which\s+case|where)\s+(?:(?:in\s+(?:that|this)\s+case|then)\s+)?(?:the|its)\s+[a-z]+(?:\s+[a-z]+)?\s+(?:is|equals)"
    rf"\s+(?:then\s+)?{MARK}[\s.]*$"
)
"""What is said for the case that a condition holds: `if and only if p > 1, and the value is then 1/(p-1)`."""
_IF_AND_ONLY_IF = re.compile(
    r"\b(?:if\s+and\s+only\s+if|(?:exactly|precisely|only)\s+(?:when|if|for))\b", re.IGNORECASE
)
_FINDS_FAULT = re.compile(
    r"\b(?:no|not|wrong\w*|incorrect\w*|false\w*|fails?|off|instead|error|mistake|should|must|differs?|again)\b|n['’]t\b",
    re.IGNORECASE,
)
_STOP_INSIDE = re.compile(r"(?<!\\)([.,;:])(?:\s|\\[,;! ]|\\q?quad(?![A-Za-z]))*$")
_LOGARITHM = re.compile(
    rf"(?:\bthe\s+)?\bnatural\s+log(?:arithm)?\s+of\s+(?P<of>{MARK}|\d+(?:\.\d+)?|[a-z])(?![\w'’/^*%]|\.\d)",
    re.IGNORECASE,
)
_ROOT = re.compile(
    rf"(?<=\b(?:is|to|be)\s)(?:the\s+)(?:positive\s+)?square\s+root\s+of\s+(?P<of>{MARK}"
    rf"|\d+(?:\.\d+)?)(?=\s*(?:[.,;]\s|[.]?$))",
    re.IGNORECASE | re.MULTILINE,
)
_END_OF_LINE = 300
_SEARCHED = 8_000
"""Characters from the end in which sentences are looked for."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of the paragraph with that number; `heading` and `listed` by how its line begins.

    `bold` are the parts in bold type that have a number or a formula, and are neither a label nor all of the sentence.
    """

    text: str
    heading: bool = False
    listed: bool = False
    paragraph: int = 0
    bold: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Response:
    """Sentences in their order, with the formulas that their stand-ins mean."""

    sentences: tuple[Sentence, ...]
    formulas: tuple[str, ...]
    displayed: frozenset[int]

    def written(self, text: str) -> str:
        """A text with its formulas put back, between dollars where words stand beside them."""
        lone = re.fullmatch(rf"\s*({MARK})[\s.,;:!]*", text)
        if lone is not None:
            return self.formulas[ord(lone[1]) - _FIRST].strip()
        return re.sub(MARK, lambda match: f"${self.formulas[ord(match[0]) - _FIRST].strip()}$", text).strip()

    def undelimited(self, text: str) -> str:
        """A text with its formulas put back without dollars."""
        return re.sub(MARK, lambda match: self.formula(match[0]).strip(), text)

    def is_display(self, mark: str) -> bool:
        """Whether a formula stands on lines of its own."""
        return ord(mark) - _FIRST in self.displayed

    def formula(self, mark: str) -> str:
        """The formula a stand-in means."""
        return self.formulas[ord(mark) - _FIRST]


def chained(formula: str) -> str:
    """The rows of an aligned formula that go on with a relation, in one row."""
    inner = _ALIGNED.sub("", formula)
    rows = [row.strip() for row in re.split(r"\\\\(?:\[[^\]]*\])?", inner) if row.strip(" &\n")]
    if "&" not in inner or len(rows) < 2:
        return formula
    if all(_GOES_ON.match(row) for row in rows[1:]):
        return " ".join(row.replace("&", " ") for row in rows)
    return _solved(rows) or formula


def _solved(rows: list[str]) -> str | None:
    """The last row of equations that follow from one another (`2x &= 6 \\\\ x &= 3`); None of other rows.

    It gives the value of a letter of which the row before it speaks, and no row before it gives a value of a letter.
    """
    plain = [_ARROW.sub(" ", row).replace("&", " ").strip(" .,") for row in rows]
    last = _GIVES.match(plain[-1])
    if last is None or any(_GIVES.match(row) for row in plain[:-1]):
        return None
    name = re.escape(last["name"].strip())
    spoken = all("=" in row and re.search(rf"(?<![A-Za-z\\\\]){name}(?![A-Za-z])", row) for row in plain[:-1])
    return plain[-1] if spoken else None


@lru_cache(maxsize=16)
def segmented(text: str) -> Response:
    """Cut a response, of a long one its end. Linear in the length."""
    text = re.sub(r"[\ue000-\ue2ff]", "", without_asides(text[-_SEARCHED:]).replace("\r\n", "\n"))
    text = _PASSED.sub("", text) if not text.isascii() else text
    # Two asterisks between backticks are a power, not bold type.
    text = _CODE.sub(lambda code: code[0].replace("**", "^"), text) if "`" in text and "**" in text else text
    text = with_bases(text, "${}$")
    formulas: list[str] = []
    displayed: set[int] = set()

    done, place = [], 0
    for start, end, inner, display in _formulas(text):
        if len(formulas) >= _MOST:
            break
        if display:
            displayed.add(len(formulas))
        formula, stop = _stopped(chained(inner))
        formulas.append(formula)
        done.append(f"{text[place:start]}{chr(_FIRST + len(formulas) - 1)}{stop}{_gap(text, end) if stop else ''}")
        place = end
    text = without_middles("".join(done) + text[place:])
    text = with_quantities(text, lambda mark: formulas[ord(mark) - _FIRST])
    text = _with_factorials(_marked(text, equation_lines(text), formulas), formulas)
    text = _with_sets(text, formulas)
    text = _marked(text, bare_formulas(text), formulas) if "\\" in text else text
    text = _marked(text, typed_formulas(text), formulas)
    text = _with_neighbours(_with_logarithms(text, formulas), formulas)
    text = _without_remarks(text)
    found = _with_assignments(_sentences(text, frozenset(displayed)), formulas)
    return Response(tuple(found), tuple(formulas), frozenset(displayed))


def _with_assignments(sentences: list[Sentence], formulas: list[str]) -> list[Sentence]:
    """Sentences, a last list of values of letters (`- x = 3`, `- y = -2`) as one with the line that leads to it."""
    start = len(sentences)
    names: list[str] = []
    while start and sentences[start - 1].listed and (name := _assigned(sentences[start - 1].text, formulas)):
        start, names = start - 1, [name, *names]
    if len(names) < 2 or 1 < len(set(names)) < len(names) or not start or not sentences[start - 1].text.endswith(":"):
        return sentences
    listed = ", ".join(each.text.rstrip(" .,;") for each in sentences[start:])
    lead = sentences[start - 1]
    return [*sentences[: start - 1], replace(lead, text=f"{lead.text} {listed}")]


def _assigned(text: str, formulas: list[str]) -> str | None:
    """The letter that a line gives a value, or None."""
    lone = re.fullmatch(rf"({MARK})[.,;]?", text)
    given = _GIVES.match(formulas[ord(lone[1]) - _FIRST] if lone is not None else text)
    return given["name"] if given is not None and not re.search(r"[A-Za-z]{3}", text) else None


def _stopped(formula: str) -> tuple[str, str]:
    """A formula, and the mark of its sentence that is written inside of it (`$x = 3.$`)."""
    found = _STOP_INSIDE.search(formula)
    return (
        (formula[: found.start()], found[1])
        if found is not None and formula[: found.start()].strip()
        else (formula, "")
    )


def _gap(text: str, end: int) -> str:
    """A space behind a formula that the next word follows at once."""
    return " " if text[end : end + 1].isalpha() else ""


def _with_factorials(text: str, formulas: list[str]) -> str:
    """A text in which a factorial is a stand-in: `12!.` and `12! ways`, but not the joy of `It is 12!`."""

    def mark(found: re.Match[str]) -> str:
        if len(formulas) >= _MOST:
            return found[0]
        formulas.append(found[0])
        return chr(_FIRST + len(formulas) - 1)

    return _FACTORIAL.sub(mark, text)


def _with_sets(text: str, formulas: list[str]) -> str:
    """A text in which intervals, points, sets and inequalities in plain type are stand-ins too."""

    def put(formula: str) -> str | None:
        if len(formulas) >= _MOST:
            return None
        formulas.append(formula)
        return chr(_FIRST + len(formulas) - 1)

    return with_plain_sets(text, put)


def _with_neighbours(text: str, formulas: list[str]) -> str:
    """A text with the decimals of a formula in it, and with the values at two places side by side."""

    def formula_of(mark: str) -> str:
        return formulas[ord(mark) - _FIRST]

    def put(formula: str) -> str | None:
        if len(formulas) >= _MOST:
            return None
        formulas.append(formula)
        return chr(_FIRST + len(formulas) - 1)

    return with_both_places(with_decimals(text, formula_of, put), formula_of)


def _with_logarithms(text: str, formulas: list[str]) -> str:
    """A text in which `the natural log of 2` is a stand-in, and so is `is the square root of 13`."""

    def written(found: re.Match[str]) -> str:
        if len(formulas) >= _MOST:
            return found[0]
        of = found["of"]
        inner = formulas[ord(of) - _FIRST].strip() if re.match(MARK, of) else of
        formulas.append(f"\\sqrt{{{inner}}}" if "root" in found[0] else f"\\ln({inner})")
        return chr(_FIRST + len(formulas) - 1)

    text = _LOGARITHM.sub(written, text) if "natural" in text else text
    return _ROOT.sub(written, text) if "square root" in text else text


def _without_remarks(text: str) -> str:
    """A text without its last paragraphs in brackets, which are remarks; where nothing else stands they stay."""
    blocks = re.split(r"\n[ \t]*\n", text.rstrip())
    while len(blocks) > 1 and _REMARK.fullmatch(blocks[-1]):
        blocks.pop()
    return "\n\n".join(blocks)


def _marked(text: str, found: Iterable[tuple[int, int]], formulas: list[str]) -> str:
    """A text in which formulas without delimiters are stand-ins too; they are put to `formulas`."""
    done, place = [], 0
    for start, end in found:
        if len(formulas) >= _MOST:
            break
        formulas.append(text[start:end])
        done.append(text[place:start] + chr(_FIRST + len(formulas) - 1))
        place = end
    return "".join(done) + text[place:]


def _sentences(text: str, displayed: frozenset[int]) -> list[Sentence]:
    found: list[Sentence] = []
    blocks = [block for block in re.split(r"\n[ \t]*\n", text) if re.search(r"\w|" + MARK, block)]
    blocks = _joined(blocks, displayed)
    for place, block in enumerate(blocks):
        for line in _lines(block):
            heading = bool(_HEADING.match(line)) or bool(
                re.fullmatch(r"\s*(?:[✅✔✓☑]\ufe0f?\s*)?(?:\*\*|__)[^*_]{1,60}(?:\*\*|__):?\s*", line)
            )
            listed = bool(_BULLET.match(line))
            strong = _strong(line)
            bare = _EMPHASIS.sub("", _BULLET.sub("", _HEADING.sub("", _TICKED.sub("", line)))).strip()
            found += [
                Sentence(
                    _plainly(each.strip()),
                    heading,
                    listed,
                    place,
                    tuple(
                        without_brackets_beside(part)
                        for part in strong
                        if _holds(each, part) and part != each.strip(" .,;:!")
                    ),
                )
                for each in _STOP.split(bare)
                if re.search(r"[^\W_]|" + MARK, each)
            ]
    return found


def _strong(line: str) -> list[str]:
    """The values of a line in bold type: numbers and formulas, with a unit or a noun at most."""
    parts = [_EMPHASIS.sub("", found[0]).strip(" .,;:!") for found in _BOLD.finditer(line)]
    return [each for each in parts if re.search(rf"\d|{MARK}", each) and not _IN_WORDS.search(each)]


def _holds(sentence: str, part: str) -> bool:
    """Whether a sentence has a part that is not cut out of a word or a number (`27` of `27th`)."""
    return part in sentence and re.search(rf"(?<![\w.]){re.escape(part)}(?!\w)", sentence) is not None


def _plainly(sentence: str) -> str:
    """A sentence without wide gaps, what is turned down before its value, and assurances behind it."""
    sentence = _ARROWED.sub(", so ", without_brackets_beside(re.sub(r"[ \t]{9,}", " ", sentence)))
    sentence = without_reason_behind(as_possible(sentence))
    sentence = _CONSISTS.sub("is ", sentence) if "consist" in sentence else sentence
    sentence = _OF_REALS.sub("", _GIVEN.sub(r"\1 ", _without_check(sentence)))
    sentence = _THEN_IT_IS.sub("", sentence) if _IF_AND_ONLY_IF.search(sentence) else sentence
    sentence = _VIEWED.sub("", _BETWEEN.sub(" ", _MULTIPLICITY.sub("", sentence)))
    sentence = say.NOT_BUT_VERB.sub(lambda found: f"{next(filter(None, found.groups()))} ", sentence)
    return say.NOTHING_ELSE.sub("", without_correction(say.NOT_BUT.sub("", sentence)))


def _without_check(sentence: str) -> str:
    """A sentence without the check behind its dash, where that finds nothing."""
    found = _DASHED_CHECK.search(sentence)
    if found is None or say.UNSETTLED.search(found[0]) or _FINDS_FAULT.search(found[0]):
        return sentence
    return sentence[: found.start()]


def _joined(blocks: list[str], displayed: frozenset[int]) -> list[str]:
    """A displayed formula belongs to the words that lead to it."""
    joined: list[str] = []
    for block in blocks:
        lone = re.match(rf"\s*({MARK})", block)
        led = lone and ord(lone[1]) - _FIRST in displayed and joined and _goes_on(joined[-1])
        if led or (joined and _CLAUSE_GOES_ON.match(block) and re.search(MARK + r"[,\s]*$", joined[-1])):
            joined[-1] = f"{joined[-1].rstrip()} {block.strip()}"
        else:
            joined.append(block)
    return joined


def _goes_on(text: str) -> bool:
    text = _EMPHASIS.sub("", text).rstrip()
    return bool(text) and text[-1] not in ".!?。" and not re.search(MARK + r"\s*$", text) and "#" not in text[:7]


def _lines(block: str) -> list[str]:
    """Lines, a line that goes on in the next one joined with it."""
    found: list[str] = []
    for line in block.split("\n"):
        if not line.strip():
            continue
        starts = _HEADING.match(line) or _BULLET.match(line)
        if found and not starts and _runs_on(found[-1], line):
            found[-1] = f"{found[-1].rstrip()} {line.strip()}"
        else:
            found.append(line)
    return found


def _runs_on(before: str, line: str) -> bool:
    if len(before) > LONGEST_SENTENCE or _HEADING.match(before):
        return False
    bare = _EMPHASIS.sub("", before[-_END_OF_LINE:]).rstrip()
    if bare.endswith((":", ",", "=")) or re.search(
        r"\b(?:is|are|equals|get|obtain|have|therefore|thus|hence|so)$", bare
    ):
        return True
    mark = re.match(rf"\s*({MARK})", line)
    lower = re.match(r"\s*[a-zà-ÿ]{2,}\b", line)
    return bool((lower or mark) and bare and bare[-1] not in ".!?。|" and len(bare.split()) > 2)


def _formulas(text: str) -> Iterator[tuple[int, int, str, bool]]:
    """Start, end, inside of each delimited formula, and whether it is displayed. Linear in the length."""
    place = 0
    while (opened := _OPENING.search(text, place)) is not None:
        kind, place = opened.lastgroup, opened.end()
        if kind is None:
            continue
        if kind == "single":
            inline = _INLINE.match(text, opened.start())
            if inline is not None:
                place = inline.end()
                yield opened.start(), place, inline[1] or inline[2] or inline[3], False
            continue
        closing = {"double": "$$", "square": "\\]", "round": "\\)"}.get(kind) or f"\\end{{{opened['env']}}}"
        close = text.find(closing, opened.end() + 1, opened.end() + _LONGEST[kind] + len(closing))
        if close >= 0:
            place = close + len(closing)
            yield opened.start(), place, text[opened.end() : close], kind != "round"


def formulas(text: str) -> tuple[str, ...]:
    """The delimited formulas of a text in their order."""
    return tuple(inner for _, _, inner, _ in _formulas(text))


def without_formulas(text: str, kept: Callable[[str], str] = lambda _: " ") -> str:
    """A text with each delimited formula replaced by what `kept` makes of it, a space as a rule."""
    done, place = [], 0
    for start, end, inner, _ in _formulas(text):
        done.append(text[place:start] + kept(inner))
        place = end
    return "".join(done) + text[place:]
