"""Published formats turned into packs, one module a format."""
