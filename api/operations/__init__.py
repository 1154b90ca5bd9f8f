"""What an operator asks of an instance: is it ready, is it configured, what can be set."""
