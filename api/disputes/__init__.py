"""Participants dispute golds; owners answer; everybody sees how many and what became of them."""
