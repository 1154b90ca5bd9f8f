"""Benchmarks, releases, splits, cards; packs and importers."""
