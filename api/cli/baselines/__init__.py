"""Simulated participants against a whole instance that is gone afterwards."""
