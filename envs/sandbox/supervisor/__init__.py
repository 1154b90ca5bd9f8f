"""The process that makes bubblewrap sandboxes: standard library only, one thread, one for each backend object."""
