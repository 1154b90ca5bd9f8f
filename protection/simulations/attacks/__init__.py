"""Attacks on feedback: what can be learnt of hidden golds from what the product's own exit tells."""
