"""Definitions in words: `where D denotes the discriminant $b^2-4ac$` as `where $D = b^2-4ac$`."""

import re
from typing import Final

_NAME: Final = r"(?:\\?[A-Za-z]+(?:_\{?\w{1,8}\}?)?|[α-ωΑ-Ω][₀-₉]?|[A-Za-z][₀-₉]?)"
_BEING: Final = r"(?:is|are|being|denotes?|denoting|means|stands\s+for|represents?|representing|was|as)"
_SORT: Final = r"(?:the|an?|our|its|this)\s+(?:[A-Za-z]+[- ]){0,4}?[a-z]{3,}"
_DENOTES: Final = re.compile(
    rf"(?P<lead>\b(?:where|with|and)\s+|,\s*)\$?(?P<name>{_NAME})\$?\s+{_BEING}\s+{_SORT}\s*,?\s*(?:=\s*)?\$(?P<value>[^$=<>]{{1,80}})\$"
)
_DEFINED: Final = rf"\$?{_NAME}\s*:?=\s*[^$,;=]{{1,80}}\$?"
_SAID: Final = rf"{_SORT}\)?(?=\s*(?:[.,;]|and\b|$))"
_IS_WHAT: Final = re.compile(
    rf"(?P<definition>\b(?:where|with)\s+{_DEFINED}|,\s*{_DEFINED}(?=\s+(?:being|denoting|representing)\b))\s+(?:{_BEING}|\()\s*"
    rf"(?!(?:\w+\s+){{0,5}}?(?:wrong|extraneous|false|invalid|incorrect|rejected|answer|solution|value|root|result)\b){_SAID}"
)
_MAY_DEFINE: Final = re.compile(r"\b(?:where|with|being|denoting|representing|denotes)\b")
_SHORT: Final = 400


def with_plain_definitions(text: str) -> str:
    """A text with such definitions as equations, and without what they are said to be; any other text as it is."""
    if len(text) > _SHORT or _MAY_DEFINE.search(text) is None:
        return text
    return _IS_WHAT.sub(r"\g<definition>", _DENOTES.sub(r"\g<lead>$\g<name> = \g<value>$", text))
