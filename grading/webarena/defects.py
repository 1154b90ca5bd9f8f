"""The published evaluators' defects that can be switched off one by one in the classic mode.

The letters follow the list in the documentation. D8 (evaluating the task's strings as Python) is never reproduced:
helpers come from a whitelist with literal arguments. The others concern the browser, the sites and the harness.
"""

from typing import Literal

Defect = Literal["D1", "D2", "D3", "D4", "D5", "D6", "D7", "D10"]

DEFECTS: dict[Defect, str] = {
    "D1": "must_include looks for substrings: '170' is found in '1170'",
    "D2": "a single character is looked for among word tokens: '0' is not found in '$0.00'",
    "D3": "must_include of answers does not know the alternatives ' |OR| '",
    "D4": "addresses match by substring, and alternatives' query keys are all required at once",
    "D5": "exact_match knows no other form of a date, a number or a phrase",
    "D6": "the judge's free text is searched for words, and a reply without them stops the evaluation",
    "D7": "the judgement of an unachievable task overwrites failures of other checks",
    "D10": "whole pages are searched with all that is hidden in them: scripts, invisible text",
}
ALL: frozenset[Defect] = frozenset(DEFECTS)
