"""Who may see a benchmark's hidden splits: applicants, the owner's decisions, the list of who has access."""
