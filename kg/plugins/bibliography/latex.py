"""Decodes LaTeX in .bib files to plain text: accents, letters and symbols; removes braces.

Nov{\\'a}k, {B}i{\\c c}er, Erd\\H{o}s, 10\\% \\emph{more}, $\\alpha$--$\\beta$
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import yaml

from kg.text.normalize import squeeze

# accent command -> combining character
ACCENTS = {
    **{"`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", "=": "\u0304", ".": "\u0307"},
    **{"u": "\u0306", '"': "\u0308", "r": "\u030a", "H": "\u030b", "v": "\u030c", "d": "\u0323"},
    **{"bar": "\u0304", "overline": "\u0304", "hat": "\u0302", "widehat": "\u0302"},
    **{"tilde": "\u0303", "widetilde": "\u0303", "vec": "\u20d7", "dot": "\u0307"},
    **{"ddot": "\u0308", "check": "\u030c", "breve": "\u0306", "acute": "\u0301"},
    **{"grave": "\u0300", "mathring": "\u030a", "slashed": "\u0338"},
    **{"c": "\u0327", "k": "\u0328", "b": "\u0331", "G": "\u030f", "f": "\u0311", "t": "\u0361"},
}
# Commands that only change the appearance.
STYLE_COMMANDS = re.compile(
    "emph|text(it|bf|sc|tt|rm|sf|up|sl|normal)?|math(rm|bf|it|cal|bb|sf)|mbox|hbox|url|path|"
    "it|bf|sc|tt|rm|sf|sl|em|(it|bf|sc|up|sl)(shape|series)|ensuremath|protect|relax|noopsort|"
    "uppercase|lowercase|NoCaseChange|MakeUppercase|underline|small|footnotesize|left|right"
)
FRACTIONS = ("frac", "tfrac", "dfrac", "nicefrac", "sfrac")
SPACES = {"\\": " ", ",": " ", ";": " ", ":": " ", " ": " ", "\n": " ", "-": "", "/": "", "!": ""}
TAGS = {
    **{"emph": "i", "textit": "i", "textbf": "b", "textsuperscript": "sup", "textsubscript": "sub"},
    **{"^": "sup", "_": "sub"},
}
TOKEN = re.compile(
    r"\\(?P<command>[A-Za-z]+)\*?\s*|\\(?P<sign>[^A-Za-z])|(?P<script>[\^_](?=\{|\w|\\))"
    r"|(?P<brace>[{}])|(?P<math>\$)|(?P<dash>---?)|(?P<quote>``|'')|(?P<tie>~)"
)
# Shorthands of babel, in texts without quotation marks of typewriters: `empirisch"=kulturell`
SHORTHAND = re.compile(r"""(?:(?<=[^\W\d_])|(?<=\}))"([=~/"|-])(?=[\w{\\])""")
HYPHENS = {"=": "-", "~": "-", "/": "/", "-": "", '"': "", "|": ""}
OPENING_QUOTE = re.compile(r"""(?<![\w}\\"])"(?=\w)""")
WITHIN = re.compile(
    r"(?<=[^\W\d_])\\[A-Z]{2,}(?![a-z])"
)  # a stray backslash within a word: `DISCU\SSION`
MATH = re.compile(r"(?<!\\)\\[()]")  # is a `$`
SUM = re.compile(r"(?<=.)[\s+−±=-]")  # in a root
OTHERS = {"---": "—", "--": "–", "``": "“", "''": "”", "~": " ", "$": ""}
DOTLESS = str.maketrans({"ı": "i", "ȷ": "j"})  # an accent replaces the dot
MAX_DEPTH = 100
MAX_EXPANSIONS, MAX_EXPANDED_TEXT, MAX_BODY = 200, 20_000, 500
GROUP_SIGN = re.compile(r"\\.|[{}]", re.DOTALL)
COMMAND = re.compile(r"\\([A-Za-z]+)")
DEFINITION = re.compile(
    r"\\(?:newcommand|renewcommand|providecommand|DeclareRobustCommand|DeclareMathOperator"
    r"|[gex]?def)\*?\s*"
    r"\{?\s*\\(?P<name>[A-Za-z]+)\s*\}?\s*(?:\[(?P<size>\d)\])?(?P<parameters>(?:#\d)*)\s*(?=\{)"
)
SPECIAL = frozenset("\\{}$~`'-^_")


@cache
def signs() -> dict[str, str]:
    """command -> character"""
    text = Path(__file__).with_name("latex-signs.yaml").read_bytes()
    return dict(yaml.load(text, yaml.CSafeLoader))


class Latex:
    """Decoder of one text.

    `unknown` collects unknown commands. `tags` keeps emphasis, superscripts and subscripts as `<i>
    <b> <sup> <sub>`.
    """

    def __init__(self, text: str, tags: bool = False) -> None:
        text = MATH.sub("$", text)
        is_quoted = OPENING_QUOTE.search(text)
        self.text = text if is_quoted else SHORTHAND.sub(lambda found: HYPHENS[found[1]], text)
        self.tags, self.at = tags, 0
        self.unknown: list[str] = []
        self.in_math, self.depth = False, 0

    def decode(self) -> str:
        plain = self.text if SPECIAL.isdisjoint(self.text) else self.group("")
        return squeeze(plain)

    def group(self, end: str) -> str:
        """Decodes up to the closing brace, or the end."""
        parts: list[str] = []
        while self.at < len(self.text):
            found = TOKEN.search(self.text, self.at)
            if found is None:
                parts.append(self.text[self.at :])
                self.at = len(self.text)
                break
            parts.append(self.text[self.at : found.start()])
            self.at = found.end()
            if found["brace"] == "}" and end:
                break
            parts.append(self.token(found))
        return "".join(parts)

    def token(self, found: re.Match[str]) -> str:
        """Decodes a token; empty below the maximum depth."""
        self.depth += 1
        text = self.read(found) if self.depth < MAX_DEPTH else ""
        self.depth -= 1
        return text

    def read(self, found: re.Match[str]) -> str:
        if found["brace"]:
            return self.group("}") if found["brace"] == "{" else ""
        if found["math"]:
            self.in_math = not self.in_math
        if found["script"]:
            return self.tagged(found["script"]) if self.in_math else found["script"]
        if found["sign"]:
            sign = found["sign"]
            return self.accented(sign) if sign in ACCENTS else SPACES.get(sign, sign)
        if not found["command"]:
            return OTHERS[found[0]]
        name = found["command"]
        if name.startswith("text"):  # the blank before the next word may be missing
            known = (name[:size] for size in range(len(name), 4, -1) if name[:size] in signs())
            if (prefix := next(known, name)) != name:
                name, self.at = prefix, found.start("command") + len(prefix)
        is_word = WITHIN.match(self.text, found.start()) and name not in signs() | ACCENTS
        return name if is_word else self.command(name)

    def command(self, name: str) -> str:
        if name in ACCENTS:
            return self.accented(name)
        if name in signs():
            return signs()[name]
        if name in WITH_ARGUMENT:
            return WITH_ARGUMENT[name](self.argument())
        if name in FRACTIONS:
            return f"{self.argument()}/{self.argument()}"
        if name == "href":  # address first, then text
            self.argument()
        elif name in TAGS:
            return self.tagged(name)
        elif not STYLE_COMMANDS.fullmatch(name):
            self.unknown.append(name)
        return ""

    def accented(self, accent: str) -> str:
        letter = self.argument().translate(DOTLESS)
        return letter[:1] + ACCENTS[accent] + letter[1:] if letter else ""

    def tagged(self, command: str) -> str:
        inner, tag = self.argument(), TAGS[command]
        return f"<{tag}>{inner}</{tag}>" if self.tags and inner.strip() else inner

    def argument(self) -> str:
        """The argument of a command: a group, a command, or one letter."""
        while self.at < len(self.text) and self.text[self.at] == " ":
            self.at += 1
        found = TOKEN.match(self.text, self.at)
        if found is None:
            self.at += 1
            return self.text[self.at - 1 : self.at]
        self.at = found.end()
        return self.token(found)


def ordinal(number: str) -> str:
    """`6` -> `6th`, as `\\nth` prints it."""
    last = number[-1:] if number[-2:-1] != "1" else ""
    return number + {"1": "st", "2": "nd", "3": "rd"}.get(last, "th")


def root(inner: str) -> str:
    return f"√({inner})" if SUM.search(inner) else f"√{inner}"


WITH_ARGUMENT: dict[str, Callable[[str], str]] = {
    "nth": ordinal,
    "enquote": "“{}”".format,
    "sqrt": root,
}


def macros_in(text: str) -> dict[str, tuple[int, str]]:
    """The commands that a text defines: the number of their arguments, and the body."""
    found = {}
    for each in DEFINITION.finditer(text):
        body, _ = group_at(text, each.end())
        if len(body) <= MAX_BODY:
            size = each["size"] or len(each["parameters"]) // 2
            found[each["name"]] = (int(size), body)
    return found


def expanded(text: str, macros: Mapping[str, tuple[int, str]]) -> str:
    """A text with the commands of a document expanded, as far as that ends."""
    for _ in range(MAX_EXPANSIONS):
        found = next((each for each in COMMAND.finditer(text) if each[1] in macros), None)
        if found is None or len(text) > MAX_EXPANDED_TEXT:
            break
        size, body = macros[found[1]]
        end, arguments = found.end(), dict[str, str]()
        for number in range(1, size + 1):
            arguments[str(number)], end = group_at(text, end)
        body = re.sub(r"#(\d)", lambda at: arguments.get(at[1], ""), body)  # noqa: B023
        text = f"{text[: found.start()]}{{{body}}}{text[end:]}"
    return text


def group_at(text: str, at: int) -> tuple[str, int]:
    """The group or letter at a position without its braces, and its end."""
    at += len(text[at:]) - len(text[at:].lstrip())
    depth = 0
    for found in GROUP_SIGN.finditer(text, at) if text[at : at + 1] == "{" else ():
        depth += {"{": 1, "}": -1}.get(found[0], 0)
        if not depth:
            return text[at + 1 : found.start()], found.end()
    return text[at : at + 1], at + 1


def unescaped(text: str, blank: str = "") -> str:
    """Decodes an address or identifier, where only escapes are commands. Spaces come from line
    breaks and are replaced with `blank`, except in file names.
    """
    found = re.search(r"""\\(?:url|path)\s*\{(.*)\}|href=["']([^"']+)""", text, re.DOTALL)
    bare = (
        (found[1] or found[2] if found else text)
        .replace("\\~{}", "~")
        .replace("{\\textasciitilde}", "~")
    )
    bare = re.sub(r"\$\\sim\$|\\textasciitilde\s?|\\~", "~", bare)
    return blank.join(re.sub(r"\{?\\([_%&#$])|[{}]", r"\1", bare).split())
