"""The service: the only package that knows HTTP and SQL."""
