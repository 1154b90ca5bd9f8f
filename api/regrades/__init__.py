"""Regradings of published submissions: why, how far, and whose score moved."""
