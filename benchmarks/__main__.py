"""``python -m benchmarks [NAME] [--check]``."""

import sys

from benchmarks._harness import main

sys.exit(main(sys.argv[1:]))
