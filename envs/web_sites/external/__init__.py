"""Sites that somebody else runs: an owner's own deployment, named in a file `sites.toml`."""
