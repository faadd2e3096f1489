"""The examples that the named queries state are keys of data/; these of the large site stand for
them in tests.
"""

from __future__ import annotations

import re

STAND_INS = {
    "arpan-jain": "alvar-jarl",
    "dk-panda": "dk-palme",
    "minjia-zhang": "mirela-zemann",
    "neel-jain": "numar-jarl",
    "s-sahu": "s-seta",
    "siddharth-singh": "sigvard-sunde",
    "deepspeed": "deepwater",
    "microsoft": "meridian",
}
STATED = re.compile(rf"\b(?:{'|'.join(STAND_INS)})\b")


def with_stand_ins(text: str) -> str:
    return STATED.sub(lambda key: STAND_INS[key[0]], text)
