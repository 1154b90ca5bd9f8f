"""What every feature stands on: settings, database, errors, ids, limits."""
