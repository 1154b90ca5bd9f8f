"""Importers of published situation puzzles."""
