"""The answer language: bounded reading of mathematical answers into a typed tree. It evaluates nothing."""
