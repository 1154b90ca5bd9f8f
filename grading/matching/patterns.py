"""Regular expressions that a reference gives."""

import re


def compiled(pattern: str, flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[str]:
    """The pattern, ready to match. Raises ValueError, with the place, for text that is no regular expression."""
    try:
        return re.compile(pattern, flags)
    except (re.error, RecursionError, OverflowError) as error:
        raise ValueError(f"{pattern!r} is no regular expression: {error}") from error
