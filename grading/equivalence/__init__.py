"""Decides whether two read answers mean the same: by structure, exactly, then by evaluation at random points."""
