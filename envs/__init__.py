"""Environments, sandboxes and the browser: no web service, no SQL, no gold."""
