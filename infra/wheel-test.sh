#!/usr/bin/env bash
# The client as people get it: its wheel, built, installed in an empty environment, imported and run.
source "$(dirname "$0")/empty-environment.sh"
built "heldout-*.whl" --package heldout

echo "without the extra: imports with httpx2 and pydantic alone, and the command says what it needs"
cached "$UV" pip install -q --python "$python" "$wheel"
cd "$folder"
"$python" -W error - <<'PY'
import importlib.metadata
import importlib.resources
import sys

import heldout as sdk

assert sdk.__file__.startswith(sys.prefix), sdk.__file__
assert importlib.resources.files("heldout").joinpath("py.typed").is_file()
assert all(hasattr(sdk, name) for name in sdk.__all__)
assert sdk.__version__ == importlib.metadata.version("heldout")
assert not {"rich", "typer", "fastapi", "sqlalchemy"} & set(sys.modules)
try:
    sdk.me()
except sdk.AuthenticationError as error:
    assert "HELDOUT_API_KEY" in str(error)
else:
    raise SystemExit("a call without a key went through")
PY
if "$folder/venv/bin/heldout" --help >"$folder/told" 2>&1; then echo "the command ran without its packages"; exit 1; fi
grep -q "heldout\[cli\]" "$folder/told"

echo "with the extra: the command runs"
cd - >/dev/null
cached "$UV" pip install -q --python "$python" "heldout[cli] @ file://$wheel"
cd "$folder"
"$folder/venv/bin/heldout" --help >told
grep -q leaderboard told
echo "wheel: $(basename "$wheel") passed"
