"""Importers of published shopping problems."""
