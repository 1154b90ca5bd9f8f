"""Scoring web forms: TurkingBench's fields as published, and corrected."""
