"""Submissions: intake, items, state machine, quotas."""
