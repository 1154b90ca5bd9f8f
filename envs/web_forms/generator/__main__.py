"""`python -m envs.web_forms.generator OUT` writes the pack `demo-forms` into the new folder OUT."""

import sys
from pathlib import Path

from envs.web_forms.generator import demo

if __name__ == "__main__":
    demo().write(Path(sys.argv[1]))
