"""Alembic migrations of the schemas public, vault and queue."""
