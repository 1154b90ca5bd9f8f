"""One module for each kind of reference; importing a module registers its grader."""
