"""Packs and problems made from a seed, with golds that follow from how they were made."""
