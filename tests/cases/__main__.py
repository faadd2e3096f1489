"""`python -m tests.cases NAME…` writes the expectations of cases anew; read them before you commit them."""

import sys
import tempfile
from pathlib import Path

from tests.cases import FOLDER, rewrite

for name in sys.argv[1:]:
    with tempfile.TemporaryDirectory() as folder:
        rewrite(FOLDER / name, Path(folder))
