"""Left sides that only name what an answer is: `P(A\\mid B) =`, `\\mathbb{E}[X] =`, `[\\mathrm{OH^-}] =`, `\\dim V =`.

Such a name becomes one symbol, `\named{...}`, of which nothing is dropped: two names differ where their writing does.
"""

import re

_SIGN = re.compile(r"\s*(?:=|:=|\\approx(?![A-Za-z])|\\simeq(?![A-Za-z])|~=)\s*(?=\S)")
_OPERATOR = re.compile(
    r"(?:\\(?:mathbb|mathrm|operatorname|text|mathsf|mathbf)\s*\{\s*(?P<dressed>[A-Za-z]{1,12})\s*\}"
    r"|\\(?P<command>Pr|dim|det|deg|ker|rank|hom)(?![A-Za-z])"
    r"|(?P<plain>P|E|Pr|Var|Cov|SD|rank|rk|tr|Tr|dim|det|nullity|corr|Corr)(?![A-Za-z]))"
    r"\s*(?:_\s*(?:\{(?:[^{}]|\{[^{}]{0,9}\}){1,30}\}|\w))?\s*"
)
_OF_MAPS = frozenset({"rank", "rk", "tr", "Tr", "trace", "dim", "codim", "det", "nullity"})
"""What matrices and spaces have one of: what stands behind it can be nothing else, in a bracket or without one."""
_ALWAYS = frozenset({"Pr", "Var", "Cov", "Corr", "corr", "SD", "deg", "ker", "hom", "P", "E", "V"}) | _OF_MAPS
_BRACKET = re.compile(r"(?:\\left\s*|\\[bB]igg?l?\s*)?(\(|\[|\\\{)")
_PARTNER = {"(": ")", "[": "]", "\\{": "\\}"}
_LETTER = re.compile(r"(?:\\(?:mathbf|mathrm|mathcal|boldsymbol)\s*\{\s*[A-Za-z]\s*\}|[A-Z])(?=\s*(?:=|\\approx))")
_OPERAND = re.compile(
    r"\s*(?:\\(?:ker|im|Im)(?![A-Za-z])\s*|\\(?:operatorname|mathrm|text)\s*\{\s*[A-Za-z]{1,6}\s*\}\s*|(?:ker|im|Im|Nul|Col|Row|span)\b\s*)?"
    r"(?:(?:\\(?:math(?:bf|rm|cal|bb)|boldsymbol|bar|hat|tilde)\s*\{?\s*)?[A-Za-z]\}?)?"
    r"(?:\s*[_^]\s*(?:\{[^{}]{1,20}\}|\\[A-Za-z]+|\w))*\s*"
)
"""A matrix, a map or a space: a letter, its index and power, perhaps the kernel or the image of one."""
_MOST_OPERANDS = 4
_EVENT = re.compile(r"[=<>|]|\\(?:mid|cup|cap|le|ge|leq|geq|ne|neq|lt|gt|vert|text|in)(?![A-Za-z])|\^\s*\{?c\b")
_WORD = re.compile(
    r"\\(?:text|mathrm|operatorname)\s*\{\s*([A-Za-z][A-Za-z ]{0,30})\s*\}(?=\s*(?:\\approx|\\simeq|~=))"
)
_CONCENTRATION = re.compile(r"\[\s*((?:\\(?:mathrm|text|ce)\s*\{)?[A-Za-z0-9_^{}+\\ -]{1,40})\](?=\s*(?:=|\\approx))")
_ION = re.compile(r"\[\s*\\(?:mathrm|text|ce)\s*\{[A-Za-z0-9_^{}]{1,20}[+-][}\s]*\}\s*\]")
_LEFT = re.compile(r"\\[{}]|[{}()\[\]]|=|\\approx(?![A-Za-z])|\\simeq(?![A-Za-z])")
_INDEXED = r"\s*_\s*(?:\{.{1,40}\}|\w|\\infty)"
_BAR = r"(?:\\[lr]?Vert(?![A-Za-z])|\\\||\|\|)"
_STANDARD = r"(?:\\Delta\s*(?:_\s*(?:\{[^{}]{1,20}\}|\w)\s*)?)?[A-Z]\s*\^\s*\{?\s*\\(?:circ|ominus)\s*\}?\s*"
_LABELS = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?:[A-Z]\([a-z]\)\s*=\s*)?\\math(?:cal|scr)\s*\{?\s*[A-Z]\s*\}?\s*(?:\^\{-1\})?\s*(?:\\left\s*)?(?:\\\{|\[|\().{1,80}",
        rf"(?:\\left\s*)?{_BAR}.{{1,60}}(?:\\right\s*)?{_BAR}{_INDEXED}",
        rf".{{1,60}}(?:\||\\r?vert(?![A-Za-z])){_INDEXED}",
        r"\\(?:oint|iint|iiint|oiint)(?![A-Za-z]).{1,100}",
        rf"{_STANDARD}(?:{_INDEXED})?(?:\s*\(.{{1,40}}\))?",
        r"\\#.{1,60}",
        r"(?:\\vec\s*\{?\s*)?\\nabla\s*\}?\s*[a-zA-Z](?:\s*(?:\\left\s*)?\([^()]{1,20}\))?",
        r"\[\s*[A-Z][^\[\]=:]{0,20}:[^\[\]=]{1,40}\]",
        rf"\[[^\[\]=]{{1,20}}\]{_INDEXED}(?:\s*\^\s*(?:\{{[^{{}}]{{1,30}}\}}|\w))?",
        r"\\(?:max|min|sup|inf|deg|ker|arg|limsup|liminf)(?![A-Za-z])\s*(?:_\s*(?:\{[^{}]*\}|\w))?\s*[A-Za-z(\\].{0,40}",
        r"\\(?:dim|det|deg|gcd|lcm|hom)(?![A-Za-z])\s*|\\dim(?![A-Za-z]).{1,60}",
        r"\(\s*[a-z]\s*\\circ\s*[a-z]\s*\)\s*\(.{1,20}\)",
        r"[A-Za-z]\s*\^\s*\{-1\}\s*\(.{1,20}\)",
        rf"\\?[A-Za-z]+\s*(?:{_INDEXED})?\s*\^\s*\{{\s*\(\s*\w{{1,3}}\s*\)\s*\}}\s*(?:{_INDEXED})?\s*(?:(?:\\left\s*)?\([^()]{{1,20}}\))?",
        r"[A-Za-z]\s*\^\s*\{?\d\}?\s*_\s*\{?\s*\\?(?:text\s*\{|mathrm\s*\{)?(?:min|max)\s*\}{0,2}",
        r"[nN]\s*\(.{1,30}\\c[au]p.{1,30}\)",
    )
)
"""Left sides that the grammar has no expression for, up to their sign of equality."""
_COMPLEMENT = re.compile(
    r"(?:[A-Z]|\(\s*[A-Z][^()=]{1,20}\))\s*\^\s*\{?\s*(?:\\complement|(?:\\math(?:sf|rm)\s*\{)?\s*[cC]\s*\}?)\s*\}?"
)
"""The complement of a set, where a set stands behind its sign of equality: `E^c = \\{1, 3\\}`."""
_BEGUN_SET = re.compile(r"\s*(?:\\left\s*)?(?:\\?\{|[\[(]|\\(?:emptyset|varnothing|mathbb)(?![A-Za-z]))")
_UNITS = re.compile(
    r"^\s*([^=]{1,60}?\^\s*\{?\s*\\times\s*\}?|\\(?:operatorname|mathrm|text)\s*\{\s*(?:Gal|Aut|Out|Inn|Cl|Pic)\s*\}[^=]{1,60}?)\s*(?:\\cong(?![A-Za-z])|\\simeq(?![A-Za-z])|=)\s*(?=\S)"
)
"""A group of units or of automorphisms that the answer is isomorphic to."""
_GALOIS = re.compile(
    r"(?:\\(?:mathrm|operatorname|text|mathbf|mathbb)\s*\{\s*GF\s*\}|(?<![A-Za-z\\])GF)\s*(?:\\left\s*)?\(\s*(?P<base>\d{1,5}|[pq])\s*(?:\^\s*\{?\s*(?P<power>\d{1,2}|[a-z])\s*\}?)?\s*(?:\\right\s*)?\)"
    r"|\\mathbb\s*\{?\s*F\s*\}?\s*_\s*\{\s*(?P<size>\d{1,5})\s*\^\s*\{?\s*(?P<times>\d{1,2})\s*\}?\s*\}"
)
"""`\\mathrm{GF}(9)`, `GF(3^2)`, `\\mathbb F_{3^2}`"""
_QUOTIENT_RING = re.compile(
    r"^\s*([^=]{1,40}?\[\s*[a-z]\s*\]\s*/\s*(?:\\left\s*)?(?:\(|\\langle).{1,60}?(?:\)|\\rangle)\s*)(?:\\cong(?![A-Za-z])|\\simeq(?![A-Za-z])|≅|=)\s*(?=\S)"
)
"""`\\mathbb F_3[x]/(x^2+1) \\cong`"""
_LARGEST = 10**9
_MAX_LABEL = 160
_MAX_INSIDE = 120
_INTEGERS = r"(?:\\mathbb\s*\{?\s*Z\s*\}?|\\Bbb\s*\{?\s*Z\s*\}?)"
_CYCLIC = re.compile(rf"{_INTEGERS}\s*/\s*\(?\s*(\d{{1,4}}|[a-z])\s*(?:{_INTEGERS}(?!\s*[_^])|(?![\w.^]))\s*(\)?)")
_SYMMETRIC = re.compile(
    r"\\mathfrak\s*\{?\s*S\s*\}?\s*_|\\(?:operatorname|mathrm|text)\s*\{\s*Sym\s*\}\s*(?:_|\(\s*(\d{1,3}|[a-z])\s*\))"
)
_ALTERNATING = re.compile(r"\\(?:operatorname|mathrm|text)\s*\{\s*Alt\s*\}\s*\(\s*(\d{1,3}|[a-z])\s*\)")
_MATRIX_GROUP = re.compile(
    r"(?:\\(?:operatorname|mathrm|text|mathbf|mathsf)\s*\{\s*(?P<upright>P?[GS]L|[GS]?O|S?U|Sp)\s*\}|(?<![A-Za-z\\])(?P<plain>P?[GS]L|SO|SU|Sp))"
    r"\s*(?:_\s*\{?\s*(?P<size>\d{1,2}|[a-z])\s*\}?\s*(?:\(\s*(?P<over>[^()]{1,30}?)\s*\))?"
    r"|\(\s*(?P<first>\d{1,2}|[a-z])\s*(?:,\s*(?P<second>[^()]{1,30}?)\s*)?\))"
)
_FIELD = re.compile(r"\\(?:mathbb|mathbf|Bbb)\s*\{?\s*([RCQZ])\s*\}?|([RCQZ])")
_FINITE = re.compile(
    r"\\(?:mathbb|mathbf|Bbb)\s*\{?\s*F\s*\}?\s*_\s*\{?\s*(\w{1,4})\s*\}?|(?:\\mathrm\s*\{\s*)?GF(?:\s*\})?\s*\(?\s*(\w{1,4})\s*\)?|(\d{1,4})"
)
_SETS = re.compile(r"\\([ZRNQ])(?![A-Za-z])")
_BARE_SET = re.compile(r"(\\setminus|\\smallsetminus|\\backslash)\s*\{([^{}\\]{1,60})\}")
_COUNTED = re.compile(
    r"(?:\{\s*\}\s*|(?<![\w})\]\s]))[_^]\s*(?:\{\s*(?P<set>\w{1,4})\s*\}|(?P<one>\w))\s*"
    r"(?:\\mathrm\s*\{\s*(?P<upright>[CP])\s*\}|(?P<plain>[CP]))\s*_\s*(?:\{\s*(?P<of>\w{1,4})\s*\}|(?P<few>\w))"
)
"""`{}_{10}C_3`, `^{10}P_3`: how many are chosen, or put in order, from how many."""
_NOTHING = re.compile(r"(?<![\\A-Za-z}\])_^])\{\}(?=\s*[\^_])")
"""An empty group that only carries an index."""
_TRANSPOSED = re.compile(r"\^\s*(?:\{\s*\\(?:top|intercal)\s*\}|\\(?:top|intercal)(?![A-Za-z]))")
_INVERSE_TRANSPOSED = re.compile(
    r"(\\mathbf\s*\{\w\}|(?<![\\A-Za-z])[A-Za-z]|\([^()]{1,40}\))\s*\^\s*\{\s*-\s*(?:\\(?:top|intercal)|T|\\mathsf\s*\{\s*T\s*\}|\\mathrm\s*\{\s*T\s*\})\s*\}"
)
"""`A^{-\\top}`"""
_DIFFERENTIAL = (
    r"(?:\\partial\s*|\bd\s*)(?:\^\s*\{?\s*2\s*\}?\s*)?"
    r"(?:\\?[A-Za-z]+(?:_\{?\w{1,4}\}?)?)?(?:\s*\^\s*\{?\s*2\s*\}?)?"
)
_HELD = re.compile(
    rf"(?:\\left|\\[bB]igg?l?)?\s*\(\s*(?:\\[dt]?frac\s*\{{\s*(?P<over>{_DIFFERENTIAL})\s*\}}\s*\{{\s*(?P<under>{_DIFFERENTIAL})\s*\}}"
    rf"|(?P<top>{_DIFFERENTIAL})\s*/\s*(?P<bottom>{_DIFFERENTIAL}))\s*(?:\\right|\\[bB]igg?r?)?\s*\)"
    r"\s*_\s*(?:\{(?P<held>[^{}]{1,20})\}|(?P<one>\\[A-Za-z]+|\w))"
)
"""A derivative in brackets with what is held, or the place: `(\\partial P/\\partial T)_V`."""
_QUAD = re.compile(r"(?<![,;\s])\s*\\q?quad\s*(?=[A-Za-z]\s*(?:=|<|>|\\(?:ne|neq|ge|geq|le|leq|in|lt|gt)(?![A-Za-z])))")


def named(text: str) -> str:
    """The text with such a left side as one symbol; any other text as it is."""
    text = _ION.sub(lambda match: _as_name(match[0]), text) if "[" in text else text
    text = _UNITS.sub(lambda found: f"{_as_name(found[1])}=", text) if "cong" in text or "times" in text else text
    if "[" in text and "/" in text:
        text = _QUOTIENT_RING.sub(lambda found: f"{_as_name(found[1])}=", text)
    if "=" not in text and "\\approx" not in text and "\\simeq" not in text:
        return text
    end = _end_of_name(text)
    end = _end_of_label(text) if end is None or _SIGN.match(text, end) is None else end
    if end is None or _SIGN.match(text, end) is None:
        return text
    rest = text[end:]
    return _as_name(text[:end]) + (_events_named(rest) if "P" in rest else rest)


def _as_name(text: str) -> str:
    text = text.replace("\\{", "(").replace("\\}", ")")
    styles = r"[\s{}$]|\\(?:left|right|mathbb|mathrm|operatorname|text|mathsf|mathbf)(?![A-Za-z])"
    return f"\\named{{{re.sub(styles, '', text)}}} "


def _events_named(text: str) -> str:
    """Probabilities of events further on in a chain (`= 1 - P(X < 2) = ...`) as symbols too."""
    done, place = "", 0
    for operator in _OPERATOR.finditer(text):
        name = operator["dressed"] or operator["command"] or operator["plain"]
        inside = _inside(text, operator.end()) if name in ("P", "Pr") and operator.start() >= place else None
        beside = operator.start() > 0 and text[operator.start() - 1].isalpha()
        if inside is None or beside or not (operator["command"] or _EVENT.search(text[inside[0] : inside[1]])):
            continue
        done += text[place : operator.start()] + _as_name(text[operator.start() : inside[1]])
        place = inside[1]
    return done + text[place:]


def _end_of_label(text: str) -> int | None:
    """Where a left side ends that is no expression of the grammar: a transform, a norm, a value at a place."""
    if "\\" not in text and not any(mark in text for mark in ("|_", "^{-1}(", "^{(", "^c", "^C", "^{c", "^{C")):
        return None
    depth = 0
    for match in _LEFT.finditer(text[:_MAX_LABEL]):
        if match[0] in ("{", "\\{", "(", "["):
            depth += 1
        elif match[0] in ("}", "\\}", ")", "]"):
            depth -= 1
        elif not depth:
            head = text[: match.start()].strip()
            complement = _COMPLEMENT.fullmatch(head) is not None and _BEGUN_SET.match(text, match.end()) is not None
            return match.start() if complement or any(label.fullmatch(head) for label in _LABELS) else None
    return None


def one_spelling(text: str) -> str:
    """One spelling for cyclic and symmetric groups, number sets, sets taken away, and conditions set apart by a gap."""
    if ("(" in text or "_" in text) and any(letter in text for letter in ("L", "O", "U", "Sp")):
        text = _MATRIX_GROUP.sub(_matrix_group, text)
    text = _GALOIS.sub(_galois, text) if "F" in text and ("GF" in text or "^" in text) else text
    text = _COUNTED.sub(_counted, text) if "_" in text and ("C" in text or "P" in text) else text
    text = _HELD.sub(_held, text) if ")_" in text or ") _" in text else text
    text = _NOTHING.sub("", text) if "{}" in text else text
    if "\\" not in text:
        return text
    text = _INVERSE_TRANSPOSED.sub(r"(\1^{-1})^T", text) if "{-" in text or "{ -" in text else text
    text = _TRANSPOSED.sub("^T", text) if "\\top" in text or "\\intercal" in text else text
    text = _SETS.sub(r"\\mathbb{\1}", text) if _SETS.search(text) is not None else text
    if "Z" in text and "/" in text:
        text = _CYCLIC.sub(lambda match: f"\\mathbb{{Z}}_{{{match[1]}}}{match[2]}", text)
    text = _ALTERNATING.sub(lambda match: f"A_{{{match[1]}}}", text) if "Alt" in text else text
    if "mathfrak" in text or "Sym" in text:
        text = _SYMMETRIC.sub(lambda match: f"S_{{{match[1]}}}" if match[1] else "S_", text)
    if "setminus" in text or "\\backslash" in text:
        text = _BARE_SET.sub(lambda match: rf"\setminus\{{{match[2]}\}}", text)
    return text if "quad" not in text or "\\begin" in text else _QUAD.sub(lambda match: _set_apart(text, match), text)


def _held(match: re.Match[str]) -> str:
    over, under = match["over"] or match["top"], match["under"] or match["bottom"]
    held = "".join(sorted((match["held"] or match["one"]).replace(" ", "").split(",")))
    return _as_name(f"D[{over};{under};{held}]")


def _galois(match: re.Match[str]) -> str:
    """A finite field by its number of elements."""
    base, power = match["base"] or match["size"], match["power"] or match["times"]
    if power is None or not (base + power).isdigit():
        return f"\\mathbb{{F}}_{{{base}{'^' + power if power else ''}}}"
    size = int(base) ** int(power)
    return f"\\mathbb{{F}}_{{{size}}}" if size < _LARGEST else match[0]


def _counted(match: re.Match[str]) -> str:
    everything, few = match["set"] or match["one"], match["of"] or match["few"]
    if (match["upright"] or match["plain"]) == "C":
        return f"\\binom{{{everything}}}{{{few}}}"
    return f"\\frac{{{everything}!}}{{({everything}-{few})!}}"


def _matrix_group(match: re.Match[str]) -> str:
    """`\\mathrm{GL}_2(\\mathbb F_3)` and `GL(2, 3)` as one name; what is over no known field stays."""
    over = match["over"] or match["second"]
    field = ""
    if over is not None:
        known, finite = _FIELD.fullmatch(over), _FINITE.fullmatch(over)
        if known is None and finite is None:
            return match[0]
        field = next(filter(None, (known or finite or match).groups()))
        field = field if known is not None else f"F{field}"
    elif match["plain"] and match["size"]:
        return match[0]
    name = match["upright"] or match["plain"]
    size = match["size"] or match["first"]
    return f"\\named{{{name}({size}{',' if field else ''}{field})}} "


def _set_apart(text: str, gap: re.Match[str]) -> str:
    """A comma for the gap, where no word joins what stands on its two sides."""
    joined = re.search(
        r"(?:^|[\s{])(?:and|or|for|where|with|if|when)\s*\}?\s*$|\\(?:q?quad|therefore|implies|Rightarrow|iff)\s*$",
        text[: gap.start()],
    )
    return gap[0] if joined is not None else ",\\ "


def _end_of_name(text: str) -> int | None:
    word = _WORD.match(text)
    if word is not None:
        return word.end()
    concentration = _CONCENTRATION.match(text)
    if concentration is not None and re.search(r"[A-Z]", concentration[1]):
        return concentration.end()
    operator = _OPERATOR.match(text)
    if operator is None:
        return None
    name = operator["dressed"] or operator["command"] or operator["plain"]
    if name in _OF_MAPS:
        return _end_of_operands(text, operator.end())
    inside = _inside(text, operator.end())
    if inside is None:
        letter = _LETTER.match(text, operator.end())
        return letter.end() if letter is not None and name in _ALWAYS and not operator["plain"] else None
    start, end = inside
    dressed = (operator["dressed"] or operator["command"]) and name in _ALWAYS
    square = text[start - 1] == "["
    return end if dressed or square or _EVENT.search(text[start:end]) else None


def _end_of_operands(text: str, start: int) -> int | None:
    """Where that ends of which a rank, a determinant or a dimension is taken; None where nothing such stands."""
    place = start
    for _ in range(_MOST_OPERANDS):
        inside = _inside(text, place)
        operand = _OPERAND.match(text, place if inside is None else inside[1])
        end = operand.end() if operand is not None else place
        if end == place:
            break
        place = end
    return place if place > start else None


def _inside(text: str, start: int) -> tuple[int, int] | None:
    """Where the inside of a bracket begins and where the bracket is closed."""
    opening = _BRACKET.match(text, start)
    if opening is None:
        return None
    closing, depth, place = _PARTNER[opening[1]], 1, opening.end()
    while place < min(len(text), opening.end() + _MAX_INSIDE):
        if text.startswith(opening[1], place):
            depth += 1
        elif text.startswith(closing, place):
            depth -= 1
            if not depth:
                return opening.end(), place + len(closing)
        place += 1
    return None
