"""AgentBench's task controller over live sessions, for harnesses that speak its HTTP (v0.2, function calls)."""
