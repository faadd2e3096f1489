"""A strict reader of BibTeX, small enough to be believed: what it does not expect is an error."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

HEAD = re.compile(r"@([a-z]+)\{([^\s,{}\"#%~\\]+),\n")
FIELD = re.compile(r"  ([a-z]+) = ")
PLAIN = re.compile(r"\d+|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec")


@dataclass
class Entry:
    kind: str
    key: str
    fields: dict[str, str] = field(default_factory=dict)

    def names(self, role: str = "author") -> list[str]:
        """The people of a field: `and` between them counts only outside braces."""
        found, depth, start, text = [], 0, 0, self.fields[role]
        for place, character in enumerate(text):
            depth += {"{": 1, "}": -1}.get(character, 0)
            if depth == 0 and text.startswith(" and ", place):
                found.append(text[start:place])
                start = place + len(" and ")
        return [*found, text[start:]]


def read(text: str) -> list[Entry]:
    found, place = [], 0
    while place < len(text):
        head = HEAD.match(text, place)
        assert head, f"no entry begins at {text[place : place + 40]!r}"
        entry = Entry(head[1], head[2])
        place = head.end()
        while line := FIELD.match(text, place):
            value, place = value_at(text, line.end())
            assert line[1] not in entry.fields, f"{entry.key} has {line[1]} twice"
            assert text.startswith(",\n", place), f"{entry.key}: no comma behind {line[1]}"
            entry.fields[line[1]] = value
            place += 2
        assert text.startswith("}\n", place), (
            f"{entry.key} has no end at {text[place : place + 40]!r}"
        )
        place += 3 if text.startswith("}\n\n", place) else 2
        found.append(entry)
    return found


def value_at(text: str, place: int) -> tuple[str, int]:
    """A value and where it ends. Braces are counted as BibTeX does: a backslash does not hide
    one.
    """
    if plain := PLAIN.match(text, place):
        return plain[0], plain.end()
    assert text[place] == "{", f"no value at {text[place : place + 40]!r}"
    depth = 0
    for end in range(place, len(text)):
        depth += {"{": 1, "}": -1}.get(text[end], 0)
        if depth == 0:
            return text[place + 1 : end], end + 1
    raise AssertionError("a brace is never closed")


COMMANDS = {
    "textbackslash": "\\",
    "textbraceleft": "{",
    "textbraceright": "}",
    "textasciicircum": "^",
    "textasciitilde": "~",
}


def plain(value: str) -> str:
    """What a reader sees of a value: commands done, braces gone."""
    value = re.sub(r"\{\\([a-z]+)\}", lambda found: f"\0{ord(COMMANDS[found[1]])}\0", value)
    assert not re.search(r"(?<!\\)[&%$#_]", value), f"LaTeX would stumble over {value!r}"
    value = re.sub(r"\\([&%$#_])", r"\1", value.replace("{", "").replace("}", ""))
    return re.sub("\0(\\d+)\0", lambda found: chr(int(found[1])), value)
