"""Text that a formula sets upright or in another face: the commands for it, in one list, and what stands in them."""

import re
from typing import Final

COMMANDS: Final = (
    "text|textrm|textbf|textit|textsf|texttt|textup|mathrm|mathbf|mathit|mathsf|mathtt|mbox|operatorname|emph|boxed"
)
"""Names of the commands, as alternatives of a pattern."""
UPRIGHT: Final = re.compile(rf"\\(?:{COMMANDS})\b")
"""The command alone."""
UPRIGHT_TEXT: Final = re.compile(rf"\\(?:{COMMANDS})\s*\{{([^{{}}]*)\}}")
"""The command with its text, which is group 1."""
