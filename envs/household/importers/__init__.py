"""Published games for TextWorld, read into a pack."""
