"""Which properties RDF/XML can say: there a property is the name of an element, so its address must
end in one.
"""

from __future__ import annotations

import re

from kg.vocab import rdf

START = (
    "A-Za-z_\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c-\u200d"
    "\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff"
)
START += "\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
NAME = re.compile(rf"[{START}][-.0-9\u00b7\u0300-\u036f\u203f-\u2040{START}]*\Z")
# Names that mean something else in RDF/XML.
TAKEN = re.compile(
    f"{rdf}(?:Description|RDF|ID|about(?:Each(?:Prefix)?)?|bagID|datatype|li|nodeID|parseType|"
    "resource)"
)
DIVIDES = re.compile(r".*[/#:]", re.DOTALL)


def cut(predicate: str) -> tuple[str, str]:
    """The namespace of a property and the name of its element, which is empty where no end of the
    address is a name.
    """
    behind = DIVIDES.match(predicate)
    found = NAME.search(predicate, behind.end() if behind else 0)
    return (
        (predicate, "")
        if found is None or TAKEN.fullmatch(predicate)
        else (predicate[: found.start()], found[0])
    )
