"""Matches of two participants on one board: paired or challenged, each with a session of its own, and ratings."""
