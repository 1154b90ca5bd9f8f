#!/usr/bin/env bash
# The grader as people get it: its wheel, built, installed in an empty environment, and its README run.
# HARNESSES=1 adds Inspect and lm-evaluation-harness (large) and runs the scorer and the metric in them.
set -euo pipefail
cd "$(dirname "$0")/.."
UV=$(command -v uv || echo "$PWD/.venv/bin/uv")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
readme=$PWD/packaging/heldout-grading/README.md
checks=$PWD/packaging/heldout-grading/checks

cached() { "$@" --offline 2>/dev/null || "$@"; }

cached "$UV" build -q packaging/heldout-grading --wheel --out-dir "$folder/dist"
wheel=$(echo "$folder"/dist/heldout_grading-*.whl)
"$UV" venv -q --python 3.11 "$folder/venv"
python="$folder/venv/bin/python"
cached "$UV" pip install -q --python "$python" "$wheel"
cd "$folder"
"$python" -W error "$checks/alone.py" "$readme"
if [ -n "${HARNESSES:-}" ]; then
    "$UV" pip install -q --python "$python" inspect-ai lm-eval
    "$python" "$checks/inspect_scorer.py"
    "$python" "$checks/lm_eval_metric.py"
fi
echo "wheel: $(basename "$wheel") passed"
