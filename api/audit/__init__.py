"""The sealed ledger, leak tracing, and regrading: what an owner can look into afterwards."""
