"""Published sets of questions, each read into a pack."""
