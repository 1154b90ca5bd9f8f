#!/usr/bin/env bash
# The grader as people get it: its wheel, built, installed in an empty environment, and its README run.
# HARNESSES=1 adds Inspect and lm-evaluation-harness (large) and runs the scorer and the metric in them.
source "$(dirname "$0")/empty-environment.sh"
readme=$PWD/packaging/heldout-grading/README.md
checks=$PWD/packaging/heldout-grading/checks
built "heldout_grading-*.whl" packaging/heldout-grading

cached "$UV" pip install -q --python "$python" "$wheel"
cd "$folder"
"$python" -W error "$checks/alone.py" "$readme"
if [ -n "${HARNESSES:-}" ]; then
    "$UV" pip install -q --python "$python" inspect-ai lm-eval
    "$python" "$checks/inspect_scorer.py"
    "$python" "$checks/lm_eval_metric.py"
fi
echo "wheel: $(basename "$wheel") passed"
