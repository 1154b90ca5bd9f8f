"""Requests at random against the service, by its own OpenAPI document and with valid keys: none may end in a 5xx."""
