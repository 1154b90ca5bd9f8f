"""The public side of problems: serving, budgets, the exposure ledger."""
