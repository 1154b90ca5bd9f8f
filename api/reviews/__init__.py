"""People who grade: the queue, the sheets, the votes."""
