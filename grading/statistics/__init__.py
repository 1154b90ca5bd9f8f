"""Statistics of scores: intervals, tests between submissions, agreement, correction for a judge's errors."""
