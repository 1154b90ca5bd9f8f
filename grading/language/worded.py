"""Sets and branches written in words: `all real numbers except 2`, `x^2 for x < 1, and 2 - x otherwise`."""

import re
from fractions import Fraction

from grading.language.limits import LanguageError
from grading.language.tree import (
    Builder,
    Constant,
    Interval,
    Listing,
    NamedSet,
    Node,
    Number,
    PlusMinus,
    Product,
    Relation,
    SetOf,
    SetOperation,
    Symbol,
)
from grading.language.upright import UPRIGHT_TEXT

_MAX = 160
_THREE_LETTERS = re.compile(r"[A-Za-z]{3}")
_DRESS = re.compile(r"\\left(?![A-Za-z])|\\right(?![A-Za-z])|\\[,;:! ]|\\q?quad(?![A-Za-z])|(?<!\\)\$|\\[()]|~")
_SET = re.compile(
    r"(?:the set of |for |every |any )?(?:all |any |every |each )?(?:of )?(?:the )?(?:possible )?"
    r"(?P<sign>positive |negative |non-?negative |non-?positive |non-?zero )?"
    r"(?P<kind>real numbers?|reals?|rational numbers?|complex numbers?|integers?|natural numbers?|numbers?|real values?"
    r"|values?)?"
    r"(?:(?:,? (?:of )?|(?<= ))(?P<letter>[a-z])(?![a-z]))?"
    r"(?:,? ?(?P<link>except(?: for)?|other than|excluding|apart from|different from|not equal to|with|such that|where"
    r"|satisfying|for which|greater than(?: or equal to)?|less than(?: or equal to)?|at least|at most|more than"
    r"|>|<|>=|<=|\\(?:ne|neq|ge|geq|le|leq|gt|lt)(?![a-z])) ?(?P<rest>.+))?"
)
_SIGNS = {
    "greater than": ">",
    "more than": ">",
    "less than": "<",
    "greater than or equal to": r"\ge",
    "at least": r"\ge",
    "less than or equal to": r"\le",
    "at most": r"\le",
}
_WITHOUT = frozenset(
    ["except", "except for", "other than", "excluding", "apart from", "different from", "not equal to"]
)
_STATING = frozenset(["with", "such that", "where", "satisfying", "for which"])
_MULTIPLES = re.compile(r"(?:the set of )?(?:all )?(?:the )?(?:integer )?multiples of (\d{1,4})")
_KEYWORD = re.compile(r"(?:(?<=[\s)}\]])|(?<=\d))(if|for|when|whenever|otherwise|else)(?![A-Za-z])")
_KEYWORDS = ("if", "for", "when", "otherwise", "else")
_SUBJECT = re.compile(
    r"^(?:(?:so|thus|hence|therefore|then|finally)\b[\s,]*)*(?:(?:(?:the|our|this)\s+(?:[a-z]+\s+){0,3}?(?:function|density|value|answer|derivative|solution|limit|integral|sum|area|probability|distribution|cdf|pdf"
    r"|[a-z]+)(?:\s+of\s+[A-Za-z]\w*)?|it)\s+(?:is|equals|becomes|is\s+given\s+by)\s+(?:given\s+by\s+|equal\s+to\s+|then\s+)?|we\s+(?:have|get|obtain|find)\s+(?:that\s+)?)?",
    re.IGNORECASE,
)
"""What leads to the first branch: `So the density is`."""
_SAID_NAME = re.compile(
    r"(?P<name>[A-Za-z](?:_\w)?['′]{0,3}\s*(?:\(\s*[a-z]\s*\))?)\s*(?:=(?!=)|\b(?:is|equals)\b(?!\s+(?:not|at|less|more|greater|the|an?)\b))\s*"
)
_OTHERWISE_FIRST = re.compile(
    r"\s*[,;]?\s*(?:\band\b\s*)?\b(?:otherwise|else)[\s,]+(?:it\s+(?:is|equals)\s+)?(?P<value>\S[^,;]*?)[\s.]*$"
)
_SIDES = {"negative": "<", "positive": ">", "nonnegative": r"\ge", "nonpositive": r"\le", "nonzero": r"\ne"}
_SIGNED = re.compile(
    r"(?<=\s)(?:all\s+|any\s+|every\s+)?(?P<sign>negative|positive|non-?negative|non-?positive|non-?zero)\s+(?:real\s+)?(?:values?\s+of\s+|numbers?\s+)?(?P<letter>[a-z])(?![\w'])",
    re.IGNORECASE,
)
_IS_SIGNED = re.compile(
    r"\b(?:if|when|where|for)\s+(?P<letter>[a-z])\s+is\s+(?P<sign>negative|positive|non-?negative|non-?positive|non-?zero)(?!\s+(?:or|and)\b)",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"\b(?:elsewhere|everywhere\s+else|(?:for|in)\s+all\s+other\s+(?:cases|values(?:\s+of\s+[a-z])?|[a-z])|for\s+(?:any\s+)?other\s+(?:values?(?:\s+of\s+[a-z])?|[a-z]))(?!\w)",
    re.IGNORECASE,
)
_ZERO = re.compile(r"\b(?:zero|vanishes)(?=\s*,?\s+(?:otherwise|for|if|when)\b)", re.IGNORECASE)
_BETWEEN = re.compile(r"\s*(?:[,;]\s*(?:and|while|but|or|whereas)\b|[,;]|\band\b|\bwhile\b|\bwhereas\b|\bbut\b)\s*")
_NAME = re.compile(r"\s*([A-Za-z](?:_\w)?['′]{0,3}\s*(?:\(\s*[a-z]\s*\))?\s*=)(?!=)")
_CONDITION_FIRST = re.compile(
    r"(?:for|if|when)\s+(?P<condition>[^,;:]{1,40}?)\s*(?:[,:]\s*(?:then\s+)?|\bthen\b)\s*(?P<value>[^,;]{1,60}?)\s*"
    r"(?:$|[.;,]?\s*(?:\b(?:and|while|but|whereas)\b\s*)?(?=\b(?:for|if|when|otherwise)\b))",
    re.IGNORECASE,
)
"""`for x < 1, f(x) = 2;`"""
_ITEM = re.compile(r"^[ \t]*(?:[-*•+]|\(?(?:\d{1,2}|[a-c]|i{1,3})[.)])[ \t]+(?=\S)")
_LEADS = re.compile(
    r"(?!.*\b(?:(?:can)?not|never|no|fails?|wrong|if|unless|would|could|might|guess\w*|suppose\w*|instead)\b|n['’]t\b)[^=?]{0,120}[\s:]*",
    re.IGNORECASE | re.DOTALL,
)
"""What may lead to a list of branches: words and names, and nothing that is stated."""
_NEXT_BRANCH = re.compile(r"(?<=[\w)}\]$])\.\s+(?=(?:(?:And|But)\s+)?(?:[Ff]or|[Ii]f|[Ww]hen|[Oo]therwise)\b)")
_COMMA = re.compile(r"\s*,\s+(?=(?:if|when|for|otherwise)\b)")
_BEGINS = re.compile(r"(?:^|(?<=[;,]\s))(?:For|If|When|Otherwise)\b")
_ORDER = r"(?:[<>≤≥]|\\(?:leq?|geq?|lt|gt|leqslant|geqslant)(?![a-z]))"
_SAID_FIRST = re.compile(
    rf"\b(?P<condition>(?:for|if|when)\s+[^,;:]{{0,20}}?{_ORDER}\s*[\w\\.+/-]{{1,12}})\s*,?\s+(?:(?:then|that)\s+)?(?:(?:the|its|our)\s+(?:[a-z]+\s+){{1,3}}?|(?:it|this)\s+|(?=we\s))"
    r"(?:(?:is|equals|becomes|costs)\s+|we\s+(?:have|get|pay)\s+)(?!not\b|at\b|more\b|less\b)",
    re.IGNORECASE,
)
"""`for x < 1 the cost is`: the subject between a condition and its value."""
_AT_A_PLACE = re.compile(
    r"\b(?:in|out)side\b[^()=<>]{0,30}\(\s*\$?(?:for\s+)?(?P<condition>[^()=<>]{1,20}(?:[<>≤≥]|\\[gl](?:eq?|t)\b)[^()]{1,20}?)\$?\s*\)",
    re.IGNORECASE,
)
"""`inside (r < R)`"""
_PARITY = re.compile(r"\s+(?:(?:is|are)\s+)?(?:an?\s+)?(odd|even)\b(?:\s+(?:integer|number))?")
_EXCEPT = re.compile(
    r"[,(]?\s*(?:\\text\s*\{\s*)?\b(?:for|where|with)\s+(?:all|any|every)?\s*(?:real|complex)?\s*(?:numbers?|values?)?\s*"
    r"(?:\}|\\[)(])?\s*\$?\s*(?P<letter>[a-z])\s*(?:\$|\\\))?\s*(?:\\text\s*\{)?\s*,?\s*"
    r"(?:except(?:\s+for)?|other\s+than|excluding|different\s+from|not\s+equal\s+to)\s*(?:\}|\\\()?\s*\$?\s*"
    r"(?:(?P=letter)\s*=\s*)?(?P<value>-?[\w./\\{}]{1,20})\s*(?:\$|\\\)|\})?\s*\)?\.?\s*$"
)
"""`for all real x except 0` behind a value."""
_MOST_BRANCHES = 5


def _undressed(text: str) -> str:
    return " ".join(_DRESS.sub(" ", UPRIGHT_TEXT.sub(r" \1 ", text)).split()).rstrip(" .")


def set_in_words(text: str) -> Node | None:
    """The set that a phrase names, whole; None of any other text."""
    if len(text) > _MAX or _THREE_LETTERS.search(text) is None:
        return None
    words = _undressed(text)
    multiples = _MULTIPLES.fullmatch(words)
    if multiples is not None:
        return Product((Number(Fraction(int(multiples[1]))), NamedSet("Z")))
    found = _SET.fullmatch(words[:1].lower() + words[1:])
    if found is None or not (found["kind"] or found["letter"]) or not re.search(r"[a-z]{3} ", words + " "):
        return None
    base = _base(found["kind"] or "", found["sign"] or "")
    if base is None or not _is_said(found):
        return None
    if found["link"] is None:
        return base
    try:
        return _restricted(base, found["link"], found["rest"], found["letter"])
    except LanguageError:
        return None


def _is_said(found: re.Match[str]) -> bool:
    """Whether a phrase says of what numbers it speaks: `all x > 2` does, `x > 2` is for the grammar."""
    start = found.string[: found.start("kind") if found["kind"] else found.start("letter")]
    return bool(start.strip()) or bool(found["kind"] and found["kind"][:4] in ("real", "rati", "comp", "inte", "natu"))


def _base(kind: str, sign: str) -> Node | None:
    zero, infinity = Number(Fraction(0)), Constant("inf")
    sign = sign.strip().replace("-", "")
    if kind[:4] in ("inte", "natu"):
        plain: Node = NamedSet("Z") if kind.startswith("inte") else NamedSet("N")
        signed = {"positive": ">0", "nonnegative": ">=0", "negative": "<0", "nonpositive": "<=0", "nonzero": "*"}
        return Symbol(f"bb:Z{'^' if sign == 'nonzero' else '_'}{signed[sign]}") if sign and kind[0] == "i" else plain
    named = {"rati": "Q", "comp": "C"}.get(kind[:4])
    if named is not None:
        return NamedSet(named) if not sign else None
    minus = Product((Number(Fraction(-1)), infinity))
    sides: dict[str, Node] = {
        "": NamedSet("R"),
        "positive": Interval(zero, infinity, False, False),
        "nonnegative": Interval(zero, infinity, True, False),
        "negative": Interval(minus, zero, False, False),
        "nonpositive": Interval(minus, zero, False, True),
        "nonzero": SetOperation("difference", (NamedSet("R"), SetOf((zero,)))),
    }
    return sides[sign]


def _restricted(base: Node, link: str, rest: str, letter: str | None) -> Node:
    """The set without members, or with what is stated of its letter."""
    if link in _WITHOUT:
        return SetOperation("difference", (base, SetOf(tuple(_values(rest, letter)))))
    name = letter or "x"
    sign = _SIGNS.get(link, link)
    said = rest if link in _STATING else f"{name} {sign} {rest}"
    node = _parsed(said)
    relations = node.items if isinstance(node, Listing) and node.joiner != "or" else (node,)
    if not all(isinstance(part, Relation) and Symbol(name) in part.operands for part in relations):
        raise LanguageError("no relation about the letter")
    return Builder(Symbol(name), (Relation((Symbol(name), base), ("in",)), *relations))


def _values(text: str, letter: str | None) -> list[Node]:
    node = _parsed(text)
    items = node.items if isinstance(node, Listing) else node.items if isinstance(node, SetOf) else (node,)
    return [_value(each, letter) for item in items for each in _signed(item)]


def _signed(item: Node) -> tuple[Node, ...]:
    """A number with both of its signs (`±2`) as two."""
    return (item.term, Product((Number(Fraction(-1)), item.term))) if isinstance(item, PlusMinus) else (item,)


def _value(item: Node, letter: str | None) -> Node:
    if not isinstance(item, Relation):
        return item
    named = isinstance(item.operands[0], Symbol) and letter in (None, item.operands[0].name)
    if not named or item.operators != ("=",):
        raise LanguageError("no value of the letter")
    return item.operands[1]


def _parsed(text: str) -> Node:
    from grading.language.prepare import prepare
    from grading.language.statement import Statements
    from grading.language.tokens import tokenize
    from grading.language.walking import first_word

    parser = Statements(tokenize(prepare(text)))
    node = parser.answer()
    if parser.token.kind != "end" or first_word(node) is not None:
        raise LanguageError("words that are not understood")
    return node


def exception_as_relation(text: str) -> str:
    """The text with a condition such as `for all real x except 0` at its end as `x \\ne 0`."""
    found = _EXCEPT.search(text) if "e" in text and len(text) <= 2 * _MAX else None
    if found is None or not text[: found.start()].strip():
        return text
    before = text[: found.start()].rstrip()
    inside = before.count("$") % 2 == 1
    said = f",\\ {found['letter']} \\ne {found['value']}"
    return f"{before}{said}$" if inside else f"{before} {said}" if "$" not in before else f"{before} ${said}$"


def branches(text: str) -> list[str]:
    """An answer whose branches stand in words, as `cases` in the ways it may be cut; none where it has no branches."""
    if len(text) > 2 * _MAX or "\\begin" in text:
        return []
    text = _AT_A_PLACE.sub(r"for \g<condition>", text) if "side" in text else text
    text = _BEGINS.sub(lambda word: word[0].lower(), _NEXT_BRANCH.sub("; ", _in_one_line(text)))
    if not any(word in text for word in (*_KEYWORDS, "elsewhere")):
        return []
    plain = _with_values_first(_in_signs(_SAID_FIRST.sub(r"\g<condition>, ", _undressed(text))))
    name = _NAME.match(plain)
    head = name[1] if name is not None else ""
    parts = _KEYWORD.split(plain[name.end() :] if name is not None else plain)
    words, pieces = parts[1::2], parts[::2]
    if not 2 <= len(words) <= _MOST_BRANCHES:
        return []
    done: list[list[str]] = [[pieces[0].strip()]]
    for place, word in enumerate(words):
        following = pieces[place + 1]
        last = place == len(words) - 1
        done = [[*cells, *more] for cells in done for more in _after(word, following, last)]
    return [f"{head} \\begin{{cases}}{_rows(cells)}\\end{{cases}}" for cells in done[:24]]


def _in_one_line(text: str) -> str:
    """The lines of a list that ends a text, joined, where what leads to it states nothing; any other text."""
    lines = [line for line in text.split("\n") if line.strip()]
    first = next((place for place, line in enumerate(lines) if _ITEM.match(line)), len(lines))
    items = lines[first:]
    if len(items) < 2 or not all(map(_ITEM.match, items)) or not _LEADS.fullmatch("\n".join(lines[:first])):
        return text
    return "; ".join(_COMMA.sub(" ", _ITEM.sub("", line)).rstrip(" \t.,;").removesuffix(", and") for line in items)


def _in_signs(text: str) -> str:
    """Conditions and values in words as the grammar has them: `for negative x`, `zero elsewhere`."""
    text = _IS_SIGNED.sub(r"for \g<sign> \g<letter>", text)
    text = _SIGNED.sub(lambda found: f"{found['letter']} {_SIDES[found['sign'].lower().replace('-', '')]} 0", text)
    text = _ELSEWHERE.sub("otherwise", text)
    return _ZERO.sub("0", text)


def _with_values_first(text: str) -> str:
    """Branches in the grammar's order: without their subject, the name once, the value before `otherwise`."""
    bare = _SUBJECT.sub("", _turned(text))
    named = _SAID_NAME.match(bare)
    name = re.sub(r"\s", "", named["name"]) if named is not None else ""
    if named is not None:
        bare = f"{named['name']} = {bare[named.end() :]}"
        spaced = r"\s*".join(map(re.escape, name))
        again = re.compile(rf"(?<=[\s,;]){spaced}\s*(?:=|is|equals)\s*(?=\S)")
        bare = bare[: len(named["name"]) + 3] + again.sub("", bare[len(named["name"]) + 3 :])
    turned = _OTHERWISE_FIRST.search(bare)
    return f"{bare[: turned.start()]}, {turned['value']} otherwise" if turned is not None else bare


def _turned(text: str) -> str:
    """Branches that each begin with their condition, with their values first; any other text as it is."""
    found: list[str] = []
    place = 0
    while (branch := _CONDITION_FIRST.match(text, place)) is not None and len(found) < _MOST_BRANCHES:
        found.append(f"{branch['value']} for {branch['condition']}")
        place = branch.end()
    return (
        ", ".join([*found, *filter(None, [text[place:].strip()])])
        if len(found) > 1 - text.startswith("otherwise", place)
        else text
    )


def _after(word: str, following: str, last: bool) -> list[list[str]]:
    """What may follow a value: its condition, and the next value."""
    if word in ("otherwise", "else"):
        return [["\\text{otherwise}"]] if last and not following.strip(" .,") else []
    if last:
        return [[following.strip(" .,")]]
    cuts = list(_BETWEEN.finditer(following))
    return [[following[: cut.start()], following[cut.end() :].strip(" ,")] for cut in reversed(cuts)]


def _rows(cells: list[str]) -> str:
    pairs = zip(cells[::2], cells[1::2], strict=False)
    return "\\\\ ".join(f"{value} & {_PARITY.sub(_upright, condition)}" for value, condition in pairs)


def _upright(found: re.Match[str]) -> str:
    return f" \\text{{ {found[1]}}}"
