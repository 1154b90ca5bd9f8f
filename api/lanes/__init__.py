"""Lanes: what waits to be graded, by what grading it takes, shared round robin over organisations."""
