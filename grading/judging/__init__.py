"""Rubrics and judges: what a criterion is, how a judge is asked, and what is believed of its reply."""
