"""References, encrypted, in a schema and under a role of their own; only `api.worker` may import this package."""
