"""Isolated places where environments run untrusted commands.

Light on purpose: the supervisor process imports this package and must stay small. Use
`envs.sandbox.base` for the words, `envs.sandbox.backends.default_backend` for a backend.
"""
