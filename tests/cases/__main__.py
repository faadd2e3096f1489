"""`python -m tests.cases NAME…` writes the expectations of cases, and of the rules in
shapes/explained/,
anew; read them before you commit them.
"""

import sys
import tempfile
from pathlib import Path

from tests.cases import CASES, EXPLAINED, rewrite

if missing := set(sys.argv[1:]) - {case.stem for case in (*CASES, *EXPLAINED)}:
    sys.exit(f"There is no case or rule called {', '.join(sorted(missing))}.")
for case in (*CASES, *EXPLAINED):
    if case.stem in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as folder:
            rewrite(case, Path(folder))
