"""Names of organic compounds with their numbers before the end they belong to: `2-propanol` is `propan-2-ol`."""

import re
from typing import Final

_ROOT: Final = r"(?:cyclo)?(?:meth|eth|prop|but|pent|hex|hept|oct|non|dec)"
_END: Final = r"(?:ol|one|al|amine|thiol|diol|dione|triol|diamine)"
_NUMBERED: Final = re.compile(
    rf"(?P<before>(?:[a-z0-9,()-]{{0,60}}[a-z)])?)-?(?<![\d,])(?P<places>\d(?:,\d)*)-(?P<root>{_ROOT})"
    rf"(?P<body>an(?P<e>e)?(?P<end>{_END})|(?P<unsaturated>a?(?:di|tri)?(?:ene|yne)))"
)
_NAME: Final = re.compile(r"(?<![\w-])[a-z0-9,()-]{0,60}\d-[a-z0-9,()-]{1,60}(?![\w-])", re.IGNORECASE)


def located(name: str) -> str:
    """The name with its numbers there; any other text as it is."""
    found = _NUMBERED.fullmatch(name.lower())
    if found is None:
        return name
    before = found["before"].rstrip("-")
    if found["unsaturated"]:
        end = found["unsaturated"].removeprefix("a")
        stem = found["root"] + found["unsaturated"].removesuffix(end)
        return f"{before}{stem}-{found['places']}-{end}"
    return f"{before}{found['root']}an{found['e'] or ''}-{found['places']}-{found['end']}"


def with_located(gold: str, text: str) -> tuple[str, str]:
    """Gold and answer with such names in that spelling, where the gold is one."""
    if re.fullmatch(r"[A-Za-z0-9,()-]*\d-[A-Za-z0-9,()-]+", gold.strip()) is None:
        return gold, text
    return located(gold.strip()), _NAME.sub(lambda found: located(found[0]), text)
