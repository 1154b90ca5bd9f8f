"""From a response to the one answer it commits to: segments, their roles, the commitment, what it says.

`docs/grading-language.md` lists the order in which a commitment is looked for and the rules for its words.
"""
