"""What Django sites need to serve many sessions in one process: a database, a cache and a storage for each."""
