"""Published questions over Freebase, read into a pack."""
