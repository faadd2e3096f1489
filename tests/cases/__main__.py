"""`python -m tests.cases NAME…` writes the expectations of cases, and of rules in kg/explained/, anew; read them before you commit them."""

import sys
import tempfile
from pathlib import Path

from tests.cases import CASES, EXPLAINED, rewrite

for name in sys.argv[1:]:
    with tempfile.TemporaryDirectory() as folder:
        rewrite(next(case for case in (*CASES, *EXPLAINED) if case.name == name), Path(folder))
