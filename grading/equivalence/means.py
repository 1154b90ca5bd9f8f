"""The mean of a sample, by its sign `\\bar x` on one side and as a sum over the sample on the other."""

import re
from typing import Final

_BAR: Final = re.compile(
    r"\\(?:bar|overline)\s*(?:\{\s*(?P<braced>[A-Za-z])\s*\}|\s(?P<bare>[A-Za-z])(?![A-Za-z]))|(?P<marked>[A-Za-z])[\u0304\u0305]|(?P<one>ȳ|Ȳ)"
)
_SUM: Final = r"(?:\\sum(?:\\limits)?|∑|Σ)\s*"
_BOUNDS: Final = (
    r"(?:_\s*\{\s*(?P<index>[a-z])\s*=\s*1\s*\}\s*\^\s*(?:\{\s*(?P<upper>[nNm])\s*\}|(?P<top>[nNm]))"
    r"|_\s*(?:\{\s*[a-z]\s*\}|[a-z]))?\s*"
)
_NAMED: Final = re.compile(
    r"\W*(?:(?:it\s+is\s+)?the\s+)?(?:sample|arithmetic)\s+mean(?:\s+of\s+the\s+(?:sample|data|observations))?\W*",
    re.IGNORECASE,
)
_LONGEST: Final = 400


def with_means(gold: str, text: str) -> tuple[str, str]:
    """Gold and answer with the mean written out where one of the two has its sign and the other one sums the sample."""
    if max(len(gold), len(text)) > _LONGEST:
        return gold, text
    if _NAMED.fullmatch(text) and "_i" in gold:
        text = r"\bar{x}" if "x_" in gold else r"\bar{X}"
    if _BAR.search(gold) is None:
        written = _written_out(text, gold)
        return (written[1], written[0]) if written is not None else (gold, text)
    written = _written_out(gold, text) if _BAR.search(text) is None else None
    return written if written is not None else (gold, text)


def _written_out(short: str, long: str) -> tuple[str, str] | None:
    """The side with the sign and the side with the sum, both with the sum; None where they are not of this sort."""
    bars = {next(filter(None, match.groups())).replace("ȳ", "y").replace("Ȳ", "Y") for match in _BAR.finditer(short)}
    if len(bars) != 1:
        return None
    letter = bars.pop()
    summed = re.search(
        rf"{_SUM}{_BOUNDS}{letter}(?:_\s*(?:\{{\s*(?P<of>[a-z])\s*\}}|(?P<by>[a-z]))|(?P<small>[ᵢⱼₖ]))", long
    )
    if summed is None:
        return None
    index = summed["index"] or summed["of"] or summed["by"] or {"ᵢ": "i", "ⱼ": "j", "ₖ": "k"}[summed["small"]]
    upper = summed["upper"] or summed["top"] or "n"
    whole = rf"\sum_{{{index}=1}}^{{{upper}}} {letter}_{{{index}}}"
    mean = rf"\left(\frac{{1}}{{{upper}}}{whole}\right)"
    return _BAR.sub(lambda _: mean, short), f"{long[: summed.start()]}{whole}{long[summed.end() :]}"
