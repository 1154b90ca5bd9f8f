"""Tracing a leaked text, pairs or a submission to the copy it came from. The comparison is the worker's."""
