"""What may be told of a hidden split: pure functions from verdicts to feedback releases, and from those to the board.

No clock, no SQL, no settings. `exit` is the only module whose results may leave; `policy` says what a split's owner
chose, `release` holds the types, `partition` cuts a split into its parts, `ledger` counts what was told.
"""
