"""What a pack must show before it is published: its golds pass, and participants that know nothing do not."""
