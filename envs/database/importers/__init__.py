"""AgentBench's database samples, read into a pack."""
