"""Where the processes that hold live environments run: beside the service, or placed on a Ray cluster.

What a process holds is none of this package's business: it is given a command. Sessions find their host through
the lease in the database, on one machine and on many; Ray only places host processes and starts them again.
"""

SLOTS = "sandbox_slots"
"""The custom resource that a Ray node declares: how many sandboxes it may hold at once."""
