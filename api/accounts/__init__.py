"""Users, organisations, API keys with scopes, agreements."""
