"""A browser for agents: sessions behind a gateway of their own, observations as text and pictures, parsed actions."""
