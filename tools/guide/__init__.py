"""The documentation site: docs/ as the pages that the service serves at /guide."""
