"""Where a key or a value ends that begins at a place, for editors that underline it.

The file itself tells: in YAML its tokens, in any other file the word, string or address that begins
there.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from kg.errors import Place

Spot = tuple[int, int]
LINE_END = re.compile(r"\r\n?|\n")
ONLY_IN_YAML = str.maketrans("\x85\u2028\u2029", "   ")  # line ends that nobody else takes for such
WORD = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|<[^>\s]*>|[\w@?$%./:#-]*[\w/#]|\S")


def ends(folder: Path, places: Iterable[Place]) -> dict[Place, Place]:
    """The first spot behind what stands at each place of the files of a site; none where nothing
    stands there.
    """
    of_file: dict[str, list[Place]] = defaultdict(list)
    for place in places:
        of_file[place.file].append(place)
    found: dict[Place, Place] = {}
    for file, there in of_file.items():
        path = folder / file
        if path.is_file():
            text = path.read_bytes().decode("utf-8-sig", errors="replace").translate(ONLY_IN_YAML)
            known = tokens(text) if path.suffix in (".yaml", ".yml") else {}
            for place in there:
                spot = place.line - 1, place.column - 1
                line, column = known.get(spot) or end_of_word(LINE_END.split(text), spot)
                if (line, column) > spot:
                    found[place] = Place(file, line + 1, column + 1)
    return found


def tokens(text: str) -> dict[Spot, Spot]:
    """Where each text and each pair of brackets of a YAML file begins and ends, as far as it can be
    read.
    """
    import yaml  # noqa: PLC0415  a server of RDF files reports on none

    openings = (yaml.FlowSequenceStartToken, yaml.FlowMappingStartToken)
    closings = (yaml.FlowSequenceEndToken, yaml.FlowMappingEndToken)
    found: dict[Spot, Spot] = {}
    opened: list[Spot] = []
    try:
        for token in yaml.scan(text, yaml.CBaseLoader):
            start, end = (
                (mark.line, mark.column) if mark else (0, 0)
                for mark in (token.start_mark, token.end_mark)
            )
            if isinstance(token, openings):
                opened.append(start)
            elif isinstance(token, closings) and opened:
                found[opened.pop()] = end
            elif isinstance(token, yaml.ScalarToken | yaml.AliasToken | yaml.TagToken):
                found[start] = end
    except yaml.YAMLError:
        pass
    return found


def end_of_word(lines: list[str], spot: Spot) -> Spot:
    line = lines[spot[0]] if spot[0] < len(lines) else ""
    word = WORD.match(line, spot[1])
    return (spot[0], word.end()) if word else spot
