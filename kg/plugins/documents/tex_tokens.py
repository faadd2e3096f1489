"""The signs of LaTeX, and the commands of the usual CV classes."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from kg.plugins.bibliography.latex import MATH, SPACES

COMMENT = re.compile(
    r"(\\(?:href|url|path|nolinkurl)\s*\{[^{}\n]*+\}|\\[\\%])|%[^\n]*+(?:\n[ \t]*+(?!\n))?"
)
BEFORE_COMMENT = re.compile(r"\\[A-Za-z@]++(?=%)")
TOKEN = re.compile(
    r"\\(?P<command>[A-Za-z@]++\*?+)[ \t]*+(?:\n(?![ \t]*\n)[ \t]*+)?|\\(?P<sign>[^A-Za-z])"
    r"|(?P<open>\{)|(?P<close>\})|(?P<script>[\^_](?=\{|\w|\\|\*))|(?P<blank>\n[ \t]*\n\s*+)"
    r"|(?P<other>\$\$?|---?|``|''|`|(?<![a-z]/)~|&|\*)"
)
OTHERS = {
    **{"$": "", "$$": "", "---": "—", "--": "–"},
    **{"``": "“", "''": "”", "~": " ", "&": " | "},
    **{"`": "‘", "*": "\\*", "}": ""},
}
SIGNS = {**SPACES, **dict.fromkeys("[]()", "")}
LINE_END = re.compile(r"\*?[ \t]*(?:\[[^\[\]\n]{0,40}\])?")
OPTION = re.compile(r"\s*+\[((?:[^\[\]{}]|\{(?:[^{}]|\{[^{}]*+\})*+\})*+)\]")
BEFORE_GROUP = re.compile(r"(?:[ \t]*+\n?[ \t]*+)\{")
NO_TEXT = re.compile(
    r"\s*(?:[-+]?[\d.,]*\s*(?:pt|em|ex|cm|mm|in|bp|pc|sp|\\[a-z]+))?\s*"
)  # lengths
DEFINE = ("newcommand", "renewcommand", "providecommand", "DeclareRobustCommand", "def", "gdef")
NAME = re.compile(r"\s*+\{?\s*+\\([A-Za-z@]++|.)\s*+\}?")
EQUAL = re.compile(r"\s*(\\(?i:not)\s*)?\\(?:equal|isempty)\s*\{([^{}]*)\}(?:\s*\{([^{}]*)\})?\s*")
EMPTY = re.compile(r"&([^&]*)&|\\relax\\detokenize\s*\{([^{}]*)\}\s*\\relax")
PARAMETERS = re.compile(r"\s*+((?:#\d)*+)([^{}]*+)(?=\{)")
SPECIFICATION = re.compile(r"([A-Za-z])(?:\{([^{}]*)\})?")  # arguments of \NewDocumentCommand
DOCUMENT_COMMANDS = tuple(
    f"{verb}DocumentCommand" for verb in ("New", "Renew", "Provide", "Declare")
)
NAME_PART = re.compile(
    r"(?<!command)(?<!command\*)(?<!def)\\(first|given|fore|family|last|sur)name"
    r"\s*\{((?:[^{}]|\{[^{}]*\})*+)\}"
)
FIRST_NAMES = ("first", "given", "fore")
CLASS = re.compile(
    r"\\(documentclass|usepackage|LoadClass|RequirePackage)\s*+(?:\[[^\]]*+\])?\s*+\{([^{}]*+)\}"
)
INCLUDED = re.compile(r"\\(?:input|include)\s*\{([^{}\n]+)\}")
TITLED = re.compile(r"\\make\w*(?:title|header)")
TITLE = re.compile(r"\\(?:title|author)(?![a-z])")  # not printed without that
INTERNAL = re.compile(
    r"\\(?:[gex]?def|let|tikz|node|draw|setbox|if[a-z]*|foreach|backgroundcolor)(?![a-z])|\\\w*@"
)
DRAWN = re.compile(r"[\w/.-]+\.(?:png|jpe?g|eps|pdf|svg|bib)|\w+![\d.]+|white|black|gray|grey")
ASSIGNED = re.compile(
    r"\s*=\s*-?(?:[\d.]*\\[a-z]+|[\d.]+(?:\s*(?:pt|em|ex|cm|mm|in|bp|pc|sp)(?![a-z]))?) ?"
)
NUMBER = re.compile(r"\s*(?:\{[^{}]*\}|=?\s*-?[\d.]+\s*(?:pt|em|ex|cm|mm|in)?)")
LENGTHS = re.compile(
    r"(?:\s*(?:=|plus|minus|height|width|depth)?\s*-?[\d.]+\s*"
    r"(?:pt|em|ex|cm|mm|in|bp|pc|sp|fill?l?|\\[a-z]+) ?)*"
)
BIBLIOGRAPHIES = (
    "bibliography",
    "printbibliography",
    "fullcite",
    "bibentry",
    "cite",
    "nobibliography",
)
SYSTEM = ("glyphtounicode", "")  # files that are part of TeX


class Macro(NamedTuple):
    """The definition of a command; without `default`, options are skipped. `arguments` are the
    types of the arguments, and their defaults, of `\\NewDocumentCommand`.
    """

    body: str
    size: int
    default: str | None = None
    arguments: tuple[tuple[str, str], ...] = ()


def uncommented(text: str) -> str:
    """A text without comments; one that ends the name of a command leaves a space."""
    text = MATH.sub("$", text)
    return COMMENT.sub(r"\1", BEFORE_COMMENT.sub(r"\g<0> ", text))


@cache
def tables() -> dict[str, Any]:
    text = Path(__file__).with_name("tex-commands.yaml").read_bytes()
    return dict(yaml.load(text, yaml.CSafeLoader))


def macro(body: str) -> Macro:
    return Macro(body, max(map(int, re.findall(r"#(\d)", body)), default=0))
