"""TurkingBench, read into a pack."""
