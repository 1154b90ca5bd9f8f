"""Text of the answer language to tokens, in one pass."""

import re
from typing import Final, NamedTuple

from grading.language import names, units
from grading.language.limits import MAX_DIGITS, MAX_TOKENS, LanguageError, TooLargeError

_TOKEN: Final = re.compile(
    r"(?P<space>\s+|~)|(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,7}(?![\d.]))?)"
    r"|(?P<command>\\(?:[A-Za-z]+\*?|.))|(?P<letters>[A-Za-z]+)"
    r"|(?P<op>\*\*|<=|>=|!=|==|=<|->|:=|\.\.\.|.)",
    re.DOTALL,
)
_PLAIN: Final = sorted((set(names.FUNCTIONS) - names.ROMAN_ONLY) | {"sqrt", "exp"}, key=len, reverse=True)
_INNER_FUNCTION: Final = re.compile("|".join(name for name in _PLAIN if len(name) >= 3) + "|ln")
_OP_SPELLINGS: Final = {"**": "^", "==": "=", ":=": "=", "=<": "<="}
_ENGLISH: Final = frozenset(
    {
        "the",
        "The",
        "Day",
        "day",
        "are",
        "not",
        "was",
        "has",
        "its",
        "that",
        "this",
        "than",
        "there",
        "sum",
        "per",
        "but",
        "Let",
        "let",
        "since",
        "Since",
        "maximum",
        "minimum",
        "using",
        "sine",
        "cosine",
        "single",
        "Therefore",
        "given",
        "expected",
    }
)
_WITH_FUNCTIONS: Final = re.compile(
    r"\w{2,}(?:sing|tances?|stants?)|(?:expon|expre|expec|expla|exper|expen|logar|absol|perfe|maxim|minim|tangen|second"
    r"|secti|singl|standard|importan|busines)\w*|cosets?|tanks?|logs|blogs?",
    re.IGNORECASE,
)
"""English words with the name of a function inside."""
_MONEY: Final = {
    "$": "dollar",
    "euro": "euro",
    "pounds": "pound",
    "yen": "yen",
    "rupees": "rupee",
    "won": "won",
    "rubles": "ruble",
    "reais": "reais",
}
_REST: Final = 5
"""Letters that a word has beside the name of a function in it."""
_COST: Final = re.compile(r"costs?\s+(?:is|was|are|of|per|for|in)\b")
"""`cost` beside another word; alone it may be the cosine of `t`."""
_MAX_STYLE_DEPTH: Final = 8


class Token(NamedTuple):
    """`kind` is number, letter, command, word, op or end. `space` tells whether space stood before it."""

    kind: str
    text: str
    position: int
    space: bool = False


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[Token] = []
        self.space = False

    def scan(self, start: int, end: int, roman: bool, depth: int) -> None:
        if depth > _MAX_STYLE_DEPTH:
            raise TooLargeError("text styles are nested too deep", start)
        position = start
        while position < end:
            match = _TOKEN.match(self.text, position, end)
            if match is None:
                raise LanguageError("unreadable character", position)
            position = self._take(match, roman, depth, end)
            if len(self.tokens) > MAX_TOKENS:
                raise TooLargeError(f"the answer has more than {MAX_TOKENS} tokens", position)

    def _take(self, match: re.Match[str], roman: bool, depth: int, end: int) -> int:
        kind, text, position = str(match.lastgroup), match.group(), match.start()
        if kind == "space":
            self.space = True
        elif kind == "number":
            if len(text) > MAX_DIGITS:
                raise TooLargeError(f"a number of more than {MAX_DIGITS} digits", position)
            self._emit("number", text, position)
        elif kind == "letters":
            self._letters(text, position, roman)
        elif kind == "op":
            self._emit("op", _OP_SPELLINGS.get(text, text), position)
        else:
            return self._command(text[1:], position, match.end(), depth, end)
        return match.end()

    def _emit(self, kind: str, text: str, position: int) -> None:
        self.tokens.append(Token(kind, text, position, self.space))
        self.space = False

    def _command(self, name: str, position: int, after: int, depth: int, end: int) -> int:
        if name in ("left", "right", "big", "bigl", "bigr", "Big", "Bigl", "Bigr", "bigg", "biggl", "biggr", "Bigg"):
            return self._delimiter(name, position, after)
        if name in names.SPACING or name.isspace():
            self.space = True
        elif name == "\\":
            self._emit("op", "row", position)
        elif "quad" in name and re.fullmatch("q?quad[A-Za-z]", name):
            self.space = True
            self._emit("letter", name[-1], position)
        elif (
            name in names.ROMAN
            or name in names.STYLES
            or name in ("mathcal", "mathbb", "mathfrak", "mathds", "Bbb", "named")
        ):
            return self._styled(name, after, depth, end)
        elif name in names.OPERATORS:
            self._operator(names.OPERATORS[name], position)
        elif name in names.CONSTANTS or (name in names.FUNCTIONS and name not in names.GREEK):
            self._emit("command", name, position)
        elif name in names.GREEK:
            self._emit("letter", names.GREEK[name], position)
        elif name in _MONEY:
            self._emit("word", _MONEY[name], position)
        else:
            self._emit("command", name, position)
        return after

    def _operator(self, operator: str, position: int) -> None:
        if operator == " ":
            self.space = True
        else:
            self._emit("word" if operator in ("and", "or") else "op", operator, position)

    def _delimiter(self, name: str, position: int, after: int) -> int:
        rest = self.text[after : after + 8].lstrip()
        skipped = after + len(self.text[after : after + 8]) - len(rest)
        if rest.startswith(".") and name in ("left", "right"):
            return skipped + 1
        for spelling in ("|", r"\vert", r"\mid"):
            if rest.startswith(spelling) and name in ("left", "right"):
                self._emit("op", "lvert" if name == "left" else "rvert", position)
                return skipped + len(spelling)
        return after

    def _styled(self, name: str, after: int, depth: int, end: int) -> int:
        start = after
        while start < end and self.text[start].isspace():
            start += 1
        if start >= end:
            return start
        if self.text[start] != "{":
            match = _TOKEN.match(self.text, start, end)
            stop = match.end() if match and match.lastgroup == "command" else start + 1
            inner, resume = (start, stop), stop
        else:
            close = _closing(self.text, start, end)
            inner, resume = (start + 1, close), close + 1
        self._content(name, inner[0], inner[1], depth)
        return resume

    def _content(self, name: str, start: int, stop: int, depth: int) -> None:
        content = self.text[start:stop].strip()
        if name in ("mathbb", "mathds", "Bbb"):
            self._emit("letter", f"bb:{content[:20]}", start)
        elif name == "named":
            self._emit("letter", f"name:{content}", start)
        elif name in ("mathcal", "mathfrak"):
            self._emit("letter", content if content == "O" else f"cal:{content[:20]}", start)
        elif name in names.VECTORS and content in ("\\imath", "\\jmath"):
            self._emit("letter", f"vec:{content[1]}", start)
        elif name in names.VECTORS and (re.fullmatch(r"[A-Za-z]", content) or content[1:] in names.GREEK):
            self._emit("letter", "vec:" + names.GREEK.get(content[1:], content), start)
        elif name in names.ROMAN:
            self.space = self.space or self.text[start:stop] != self.text[start:stop].lstrip()
            self.scan(start, stop, True, depth + 1)
            self.space = self.space or self.text[start:stop] != self.text[start:stop].rstrip()
        else:
            self._emit("op", "{", start)
            self.scan(start, stop, False, depth + 1)
            self._emit("op", "}", stop)

    def _letters(self, run: str, position: int, roman: bool) -> None:
        if run.lower() == "nan":
            raise LanguageError(f"'{run}' is not a number", position)
        if run in names.JOINERS or run in names.CONDITIONS:
            self._emit("word", run, position)
        elif (
            run in names.CONSTANTS
            or (run in names.FUNCTIONS and (roman or run not in names.ROMAN_ONLY))
            or run == "cis"
        ):
            self._emit("command", run, position)
        elif len(run) == 1:
            self._emit("roman" if roman and run not in "ei" else "letter", run, position)
        elif run == "mod":
            self._emit("command", run, position)
        elif roman:
            self._emit("word", run, position)
        elif run in names.GREEK:
            self._emit("letter", names.GREEK[run], position)
        elif _is_word(run) or _COST.match(self.text, position):
            self._emit("word", run, position)
        else:
            self._split(run, position)

    def _split(self, run: str, position: int) -> None:
        """A run of letters in plain maths: functions inside it (`nlogn`), else a product of letters."""
        offset = 0
        while offset < len(run):
            match = _INNER_FUNCTION.match(run, offset)
            text = match.group() if match else run[offset]
            self._emit("command" if match else "letter", text, position + offset)
            offset += len(text)


def _is_word(run: str) -> bool:
    """Whether a run of plain letters is a word rather than a product of symbols."""
    if len(run) < 4:
        return run in _ENGLISH
    if units.named(run) is not None:
        return True
    if _INNER_FUNCTION.search(run) and run not in _ENGLISH and not _WITH_FUNCTIONS.fullmatch(run) and not _is_long(run):
        return False
    return (run.islower() or run.istitle() or (run.isupper() and len(run) > 5)) and bool(
        re.search("[aeiouyAEIOUY]", run)
    )


def _is_long(run: str) -> bool:
    """Whether letters with the name of a function inside are a word all the same (`rectangles`, `determinants`)."""
    rest = _INNER_FUNCTION.sub("", run)
    spoken = re.search("[xyz]", rest) is None and len(re.findall("[aeiou]", rest)) > 1
    return run.islower() and len(rest) >= _REST and spoken


def _closing(text: str, start: int, end: int) -> int:
    depth = 0
    position = start
    while position < end:
        char = text[position]
        if char == "\\":
            position += 1
        elif char == "{":
            depth += 1
        elif char == "}":
            depth -= 1
            if depth == 0:
                return position
        position += 1
    raise LanguageError("a brace is not closed", start)


def tokenize(text: str) -> list[Token]:
    """Tokens of ASCII `text`, ended by an `end` token. Raises LanguageError."""
    scanner = _Scanner(text)
    scanner.scan(0, len(text), False, 0)
    return [*scanner.tokens, Token("end", "", len(text), scanner.space)]
