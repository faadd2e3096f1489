"""An answer while it is written: it is complete before anybody sees of it, and has a largest
size.
"""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING

from kg.errors import BadQuery

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class BoundedBuffer(BytesIO):
    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def write(self, more: ReadableBuffer, /) -> int:
        written = super().write(more)
        if self.tell() > self.most:
            size = f"{self.most / 1e6:.3g} MB"
            raise BadQuery(
                f"The answer is larger than {size}. Ask for less with LIMIT, or take a dump "
                "of the whole graph."
            )
        return written
