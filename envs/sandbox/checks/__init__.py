"""The conformance and attack suite that any backend's sandbox can be put through."""
