"""Comparing text: tokens, typed values, overlap measures."""
