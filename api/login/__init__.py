"""How people and their command lines come in: providers, web sessions, login links, the device flow."""
