"""Readers of published data."""
