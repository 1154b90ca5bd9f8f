"""AgentBench's task controller (HTTP of v0.2) over live sessions, for harnesses that speak it."""
