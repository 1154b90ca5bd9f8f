"""WebArena and its successors, read into packs."""
