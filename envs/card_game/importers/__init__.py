"""Importers of published card games."""
