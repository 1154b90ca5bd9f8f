"""SQLite, one file a session."""
