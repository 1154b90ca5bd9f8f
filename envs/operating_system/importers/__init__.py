"""AgentBench's operating-system samples, read into a pack."""
