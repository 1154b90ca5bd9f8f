"""Which of the values of a long response without a mark is its answer: candidates, what speaks for each, weights."""
