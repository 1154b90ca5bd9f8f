"""A corpus that writes itself: golds, put in dresses a model might choose, and wrong twins of them."""
