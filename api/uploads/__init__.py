"""Packs that owners upload: parts, checks, preview, publication."""
