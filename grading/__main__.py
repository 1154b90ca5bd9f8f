"""`python -m grading FILE.jsonl [--summary]`: grade a file of pairs, one verdict a line."""

import sys

from grading.pairs import main

sys.exit(main(sys.argv[1:]))
