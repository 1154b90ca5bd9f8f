"""Contamination protection as pure functions: no SQL, no HTTP, no clock, no unseeded randomness."""
