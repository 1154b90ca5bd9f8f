"""Real sites in a browser: each session has its own copy of a site's content, and the state it leaves is judged."""
