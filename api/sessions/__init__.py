"""Live episodes over HTTP: steps, transcripts, leases on the processes that hold the environments."""
