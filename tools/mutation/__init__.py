"""Seeds faults into the grader and counts those that its tests notice."""
