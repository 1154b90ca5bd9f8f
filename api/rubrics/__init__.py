"""Rubrics of a benchmark: drafted by a model, edited and approved by its owner."""
