"""A pause for the garbage collector: bulk work makes many objects and no cycles, and the collector
would look at them again and again.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def quiet() -> Iterator[None]:
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            # what was made is kept for long; it is still freed when nobody refers to it
            gc.freeze()
            gc.enable()
