"""Judging what changed in a site's database: what should have changed, and nothing else."""
