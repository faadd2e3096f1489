r"""Reads LaTeX as Markdown: `\section{Work}` becomes `## Work`, `\textbf{Lecturer}` `**Lecturer**`.

No TeX is run. Commands of the usual CV classes are in `tex-commands.yaml`, those that the file
defines are expanded, and of all others the arguments are kept as text. `\input` finds only files
of the folder or zip file that is imported.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from itertools import zip_longest

from kg.facts.values.languages import ENGLISH, language_tag
from kg.plugins.bibliography.latex import ACCENTS, DOTLESS, ordinal, signs, unescaped
from kg.plugins.documents.markdown_lines import emphasized, linked, tidy
from kg.plugins.documents.tex_tokens import (
    ASSIGNED,
    BEFORE_GROUP,
    BIBLIOGRAPHIES,
    CLASS,
    DEFINE,
    DOCUMENT_COMMANDS,
    DRAWN,
    EMPTY,
    EQUAL,
    FIRST_NAMES,
    INCLUDED,
    INTERNAL,
    LENGTHS,
    LINE_END,
    NAME,
    NAME_PART,
    NO_TEXT,
    NUMBER,
    OPTION,
    OTHERS,
    PARAMETERS,
    SIGNS,
    SPECIFICATION,
    SYSTEM,
    TITLE,
    TITLED,
    TOKEN,
    Macro,
    macro,
    tables,
    uncommented,
)
from kg.plugins.exchange.source_files import NotImported
from kg.plugins.prose.date_spans import date_spans
from kg.plugins.prose.text_lines import ASIDE, ROW

MAX_DEPTH = 100
MAX_STEPS = 200_000  # commands and groups
MAX_LETTERS = 20_000_000  # of all expansions together
LONG_PIECE = 150  # letters; longer pieces get a line of their own
LIST_ITEM = re.compile(r"(?:^|\n)\s*- ")
LISTS = re.compile(r"\w*(?:list|item|enum|descr|remize)\w*\*?")
TABLE = re.compile(r"\w*tab(?:u|ular|le)\w*\*?|array")
MOST_ROW = 500  # characters of a table that is part of a line
BIG = ("Huge", "huge", "LARGE", "Large")
BIG_SIZE = re.compile(r"\s*\{(?:1[7-9]|[2-9]\d)(?!\d)")  # points
STYLES = {
    **{"textbf": "**", "bf": "**", "bfseries": "**", "textit": "*", "emph": "*", "textsl": "*"},
    **{"it": "*", "itshape": "*", "em": "*", "sl": "*", "slshape": "*"},
}
NEXT_BOX = re.compile(
    r"(?:[ \t]|\n(?![ \t]*\n)|~|\\hspace\*?\{[^{}]*\}|\\hfill?(?![a-z])|\\q?quad(?![a-z]))*"
    r"\\parbox(?![a-z])"
)
HEADING_OR_ITEM = re.compile(r"^\s*(?:#|- )", re.MULTILINE)
LEVELS = {"section": 2, "subsection": 3}
LANGUAGE = re.compile(
    r"\\(?:documentclass|usepackage(?=[^\]]*\]\s*\{babel\}))\s*\[([^\]]*)\]"
    r"|\\set(?:main|default)language\s*(?:\[[^\]]*\]\s*)?\{(\w+)\}"
)
# Names of languages in LaTeX that are not their English names.
TEX_LANGUAGES = {
    **dict.fromkeys(("ngerman", "naustrian", "nswissgerman", "swissgerman", "germanb"), "de"),
    **dict.fromkeys(("frenchb", "acadian", "canadien"), "fr"),
    **dict.fromkeys(("brazilian", "brazil", "portuges"), "pt"),
    **dict.fromkeys(("british", "american", "ukenglish", "usenglish", "USenglish"), "en"),
    **{"UKenglish": "en", "mexican": "es", "dutch": "nl", "greek": "el", "czech": "cs"},
}


def language_in(text: str) -> str:
    """The tag of the main language of `babel`, of `polyglossia`, or of the class; empty for
    English, which is in many templates.
    """
    found = ""
    for options in LANGUAGE.findall(text):
        names = [name.strip() for name in "".join(options).split(",")]
        names.sort(key=lambda name: name.startswith("main="))
        for name in names:
            found = language_of_tex(name.removeprefix("main=")) or found
    return "" if found == ENGLISH else found


def language_of_tex(name: str) -> str:
    """The tag of a language that LaTeX has, such as `ngerman`; empty for other options."""
    return TEX_LANGUAGES.get(name) or (language_tag(name) if len(name) > len("roman") else "")


class TexReader:
    """Reads one document. `unread` collects the files that were not found, with the command."""

    def __init__(self, find: Callable[[str], str | None], path: str) -> None:
        self.find, self.folder = find, posixpath.dirname(path)
        self.text, self.at, self.depth, self.steps, self.letters = "", 0, 0, 0, 0
        self.known: dict[str, Macro] = {}
        self.macros: dict[str, Macro] = {}
        self.lists: list[
            tuple[str, bool]
        ] = []  # mark of the open lists, and whether they have items
        self.in_math, self.has_section, self.has_name = False, False, False
        self.unread: list[str] = []
        self.language = ""
        self.colours = set[str]()
        self.tables: list[bool] = []  # whether the open tables are part of a line

    def read(self, text: str) -> str:
        text = uncommented(text)
        whole = INCLUDED.sub(lambda at: uncommented(self.found_tex(at[1]) or ""), text)
        text = text if r"\begin{document}" in text else whole
        self.language = language_in(whole)
        loaded = [name.strip() for at in CLASS.finditer(whole) for name in at[2].split(",")]
        kinds = [name for name in tables()["classes"] if loaded and name in loaded[0]]
        for table in ("head", "commands"):
            self.known |= {name: macro(body) for name, body in tables()[table].items()}
        if kinds:
            more = tables()["classes"][max(kinds, key=len)]
            self.known |= {name: macro(body) for name, body in more.items()}
        for name in loaded:
            self.read_class(name)
        before, begins, body = text.partition(r"\begin{document}")
        parts = NAME_PART.findall(whole.partition(r"\begin{document}")[0])
        if parts:
            parts.sort(key=lambda part: part[0] not in FIRST_NAMES)
            name = " ".join(each for _, each in parts)
            before = rf"\name{{{name}}}" + NAME_PART.sub("", before)
        if not TITLED.search(text):
            before = TITLE.sub("", before)
        head = self.preamble(before).split("\n") if begins else []
        head.sort(key=lambda line: not line.startswith("#"))
        body = body.partition(r"\end{document}")[0] if begins else text
        return tidy("\n".join(head) + "\n\n" + self.render(body))

    def read_class(self, name: str) -> None:
        """Reads the definitions of a class beside the document that only arrange text."""
        for ending in (".cls", ".sty"):
            self.preamble(uncommented(self.found(name + ending) or ""))
        self.has_name = False
        self.macros = {
            name: each
            for name, each in self.macros.items()
            if name not in self.known and not INTERNAL.search(each.body)
        }

    def preamble(self, text: str) -> str:
        """Reads definitions, and the commands that are printed at the top."""
        outer, self.text, self.at = (self.text, self.at), text, 0
        parts = list[str]()
        while found := TOKEN.search(self.text, self.at):
            self.at = found.end()
            name = (found["command"] or "").rstrip("*")
            stored = self.macros.get(name) if name in tables()["head"] else None
            if stored and INTERNAL.search(stored.body):  # only keeps its argument for the title
                del self.macros[name]
            if name in ("definecolor", "colorlet"):
                self.colours.add(self.raw() or "")
            elif name in DEFINITIONS or (name in tables()["head"] and name not in self.macros):
                parts.append(self.command(name))
            elif name in ("input", "include"):
                parts.append(self.preamble(self.file_text(name)))
        self.text, self.at = outer
        return "".join(parts)

    def render(self, text: str) -> str:
        """Converts LaTeX, with the definitions and open lists of this reader."""
        outer, self.text, self.at = (self.text, self.at), text, 0
        self.letters += len(text)
        found = self.group()
        self.text, self.at = outer
        return found

    def group(self, is_switch: bool = False) -> str:
        """Converts up to the closing brace, or the end; a switch, such as `\\bf`, also ends with
        its environment.
        """
        self.depth += 1
        self.count_step()
        parts, inner = list[str](), 0
        while self.at < len(self.text):
            found = TOKEN.search(self.text, self.at)
            end = found.start() if found else len(self.text)
            parts.append(re.sub(r"\s+", " ", self.text[self.at : end]))
            self.at = found.end() if found else end
            if found is None:
                break
            name = found["command"]
            inner += (name == "begin") - (name == "end")
            if is_switch and (found["close"] or inner < 0):
                self.at = found.start()
                break
            if found["close"] and self.depth > 1:
                break
            is_large = name == "fontsize" and (BIG_SIZE.match(self.text, self.at) is not None)
            if is_large:
                self.raws(2)
            if name in BIG or is_large:
                parts.append(self.headline(self.group(is_switch=True)))
            elif name in STYLES and not BEFORE_GROUP.match(self.text, self.at):
                parts.append(emphasized(self.group(is_switch=True), STYLES[name]))
            else:
                parts.append(self.token(found))
        self.depth -= 1
        return "".join(parts)

    def count_step(self) -> None:
        self.steps += 1
        too_long = self.steps > MAX_STEPS or self.letters > MAX_LETTERS
        if too_long or self.depth > MAX_DEPTH:
            raise NotImported("its LaTeX is nested too deeply, or its commands expand endlessly")

    def token(self, found: re.Match[str]) -> str:
        kind, written = found.lastgroup, found[0]
        if kind == "command":
            return self.command(found["command"].rstrip("*"))
        if kind == "open":
            return self.group()
        if kind == "script":
            return "" if self.in_math else written
        if kind == "sign":
            sign = written[1]
            if sign in ACCENTS:
                return self.accented(sign)
            if sign == "\\" and (end := LINE_END.match(self.text, self.at)):
                self.at = end.end()
            return self.line_break("\n") if sign == "\\" else SIGNS.get(sign, sign)
        self.in_math ^= "$" in written
        is_cell = self.tables or r"\\" in self.text[self.at :]
        text = "&" if written == "&" and not is_cell else OTHERS.get(written, "")
        return self.line_break("\n\n") if kind == "blank" else text

    def line_break(self, text: str) -> str:
        """The end of a line; inside an item of a list, of a piece of it."""
        return " | " if self.lists and self.lists[-1] == ("- ", True) and not self.tables else text

    def accented(self, accent: str) -> str:
        letter = self.argument().translate(DOTLESS)
        return letter[:1] + ACCENTS[accent] + letter[1:] if letter else ""

    def argument(self) -> str:
        """The next argument, converted: a group, a command, or one letter."""
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1
        found = TOKEN.match(self.text, self.at)
        if found is None or found["close"]:
            self.at += found is None
            return "" if found else self.text[self.at - 1 : self.at]
        self.at = found.end()
        return self.token(found)

    def option(self) -> str | None:
        """The option in brackets that follows; None if there is none."""
        found = OPTION.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return found[1] if found else None

    def raw(self) -> str | None:
        """The group that follows, not converted; None if there is none."""
        if not (opening := BEFORE_GROUP.match(self.text, self.at)):
            return None
        start, depth = opening.end(), 1
        for found in re.compile(r"\\.|[{}]", re.DOTALL).finditer(self.text, start):
            depth += {"{": 1, "}": -1}.get(found[0], 0)
            if not depth:
                self.at = found.end()
                return self.text[start : found.start()]
        self.at = len(self.text)
        return self.text[start:]

    def raws(self, most: int = 9) -> list[str]:
        """The groups that follow, without options."""
        found = list[str]()
        while len(found) < most:
            while OPTION.match(self.text, self.at) and self.option() is not None:
                pass
            if (group := self.raw()) is None:
                break
            found.append(group)
        return found

    def command(self, name: str) -> str:
        self.count_step()
        if name in PRIMITIVES:
            return PRIMITIVES[name](self, name)
        if name in ACCENTS and (len(name) == 1 or self.in_math):
            return self.accented(name)
        if name == "nth" and name not in self.macros:
            return ordinal(self.argument())
        mine, known = self.macros.get(name), self.known.get(name)
        if known and (mine is None or mine.size == known.size):
            return self.expand(known)
        if mine is not None:
            return self.expand(mine)
        return self.named(name)

    def named(self, name: str) -> str:
        """The text of a command that no class or file defines."""
        if sign := tables()["symbols"].get(name) or signs().get(name):
            return str(sign)
        follows = NUMBER if name in tables()["numbers"] else None if self.in_math else ASSIGNED
        follows = LENGTHS if name in tables()["lengths"] else follows
        if follows and (found := follows.match(self.text, self.at)):
            self.at = found.end()
            return ""
        if name in tables()["dropped"]:
            if self.text[self.at - 1 : self.at + 1].strip().endswith("["):
                self.option()
            groups = self.raws(tables()["dropped"][name])
            if groups and self.text[self.at : self.at + 1] == "[":
                self.option()
            if name == "par":
                return self.line_break("\n\n")
            return " | " if r"\fill" in groups else ""
        if name.isupper() and len(name) > 2 and not BEFORE_GROUP.match(self.text, self.at):
            return name  # a name with a logo of its own, such as that of a society
        return self.unknown()

    def expand(self, found: Macro) -> str:
        if found.arguments:
            return self.render(filled(found.body, numbered(self.values_of(found))))
        option = self.option() if found.default is not None or "#o" in found.body else None
        first = [] if found.default is None else [found.default if option is None else option]
        groups = [*first, *self.raws(found.size - len(first))]
        if found.body.startswith(r"\par https://"):  # before an account
            groups = [each.strip(" ~") for each in groups]
        return self.render(filled(found.body, numbered(groups) | {"o": option or ""}))

    def values_of(self, found: Macro) -> list[str]:
        """The arguments that follow a command, by the types of `\\NewDocumentCommand`."""
        values = []
        for kind, default in found.arguments:
            if kind in "oOdD":
                value = self.option()
                values.append(default if value is None else value)
            elif kind in "st":
                self.at += self.text.startswith("*", self.at)
                values.append("")
            else:
                values.append(self.raw() or "")
        return values

    def unknown(self, _: str = "") -> str:
        """The arguments of an unknown command as text, several of them as pieces of a line."""
        groups = self.raws()
        self.unread += [f"\\bibliography{{{each}}}" for each in groups if each.endswith(".bib")]
        drawn = [each for each in groups if each in self.colours or DRAWN.fullmatch(each)]
        others = [each for each in groups if each not in drawn and not NO_TEXT.fullmatch(each)]
        texts = [self.render(each) for each in others]
        if drawn and not re.search(r"[^\W\d_]", "".join(texts)):
            return ""  # numbers with colours draw
        return f"{pieces(texts)}\n" if len(texts) > 1 else "".join(texts)

    def style(self, name: str) -> str:
        return emphasized(self.argument(), STYLES[name])

    def heading(self, name: str) -> str:
        self.option()
        self.has_section = True
        title = " ".join(self.argument().replace("*", "").replace(" | ", " ").split())
        place = self.option() if self.text[self.at : self.at + 1] == "[" else ""
        return f"\n\n{'#' * LEVELS[name]} {title}\n\n{self.render(place or '')}\n\n"

    def headline(self, text: str) -> str:
        """Text in a large font at the top: the name first, then maybe headings."""
        lines = text.strip().split("\n")
        first = lines[0].replace("*", "").strip()
        is_long = len(first.split()) > 6 or re.search(r"[@\d|]", first)
        if self.has_section or is_long or not first or first.startswith("#"):
            return text
        mark, self.has_name = "##" if self.has_name else "#", True
        return "\n".join(["\n", f"{mark} {first}", *lines[1:], ""])

    def name(self, _: str) -> str:
        has_section, self.has_section = self.has_section, True  # large type in it is no heading
        text = self.argument()
        self.has_section = self.has_name = False
        found, self.has_section = self.headline(text), has_section
        return found

    def surname_first(self, _: str) -> str:
        family, _, given = self.argument().partition(",")
        return self.headline(f"{given} {family}".strip())

    def link(self, _: str) -> str:
        # The document's own commands in an address, as in `mailto:\\email`, are expanded.
        target = re.sub(
            r"\\([A-Za-z]+)",
            lambda at: self.macros.get(at[1], Macro(at[0], 0)).body,
            self.raw() or "",
        )
        return linked(self.argument(), unescaped(target))

    def address(self, _: str) -> str:
        return unescaped(self.raw() or "")

    def labelled(self, _: str) -> str:
        label, text = (self.render(each).strip() for each in [*self.raws(2), "", ""][:2])
        if not label or re.search(r"\d", label):
            is_dated = label and len(text) > LONG_PIECE and not LIST_ITEM.search(text)
            return f"\n\n{label} | {text}\n\n" if is_dated else pieces([label, text])
        return f"\n\n**{label.replace('*', '').rstrip(':')}:** {text}\n\n"

    def line(self, _: str) -> str:
        label, text, space = (self.render(each).strip() for each in [*self.raws(3), "", "", ""][:3])
        label = f"**{label.rstrip(':')}:** " if label and not date_spans(label) else label
        is_first = any(span.at[0] == 0 for span in date_spans(text.strip("*")))
        begins = "\n\n" if is_first or date_spans(label) else "\n"
        between = " | " if date_spans(label) else ""
        return f"{begins}{label}{between}{text}" + "\n\n" * bool(space)

    def arguments(self, _: str) -> str:
        """A row of named arguments: position or degree, organisation, place, dates, others."""
        texts = [self.render(each).strip() for each in self.raws()]
        below = [each for each in texts if is_long(each)]
        cells = ("" if each in below else re.sub(r"\s*\n\s*", " | ", each) for each in texts)
        return "\n".join([f"\n\n{ROW} {f' {ROW} '.join(cells)}", *below, "\n"])

    def boxes(self, _: str) -> str:
        """Boxes side by side: rows if they have as many lines. A single line is beside the first
        line; columns with another number of lines are put apart.
        """
        texts = [self.render("".join(self.raws(2)[1:]))]
        while found := NEXT_BOX.match(self.text, self.at):
            self.at = found.end()
            texts.append(self.render("".join(self.raws(2)[1:])))
        columns = [[line for line in text.split("\n") if line.strip()] for text in texts]
        if len(columns) == 1 or any(map(HEADING_OR_ITEM.search, texts)):
            return "\n\n".join(texts)
        aside = [each for each in columns if len(each) not in (1, len(columns[-1]))]
        rows = zip_longest(*(each for each in columns if each not in aside), fillvalue="")
        apart = [f"{ASIDE} {' | '.join(each)}" for each in aside]
        return "\n\n".join(["", *apart, *map(" | ".join, rows), ""])

    def pieces(self, _: str) -> str:
        return pieces([self.render(each) for each in self.raws()])

    def item(self, _: str) -> str:
        label = self.option()
        text = self.render(label).strip() if label else ""
        mark = self.lists[-1][0] if self.lists else "- "
        self.lists[-1:] = [(mark, True)]
        if re.search(r"\w", text):
            mark += f"**{text.replace('*', '').rstrip(':')}:** "
        indent = "  " * (sum(bool(mark and is_used) for mark, is_used in self.lists) - 1)
        return f"\n{indent}{mark}" if mark else "\n\n"

    def begin(self, _: str) -> str:
        name = (self.raw() or "").strip()
        start, options = self.at, self.option()
        if name in tables()["hidden"]:
            end = self.text.find(f"\\end{{{name}}}", self.at)
            self.at = end if end >= 0 else len(self.text)
            return "\n\n"
        if self.is_table(name):
            rows = self.text[self.at :].partition(f"\\end{{{name}}}")[0]
            is_own = f"begin {name}" in self.macros
            self.tables.append(not is_own and r"\\" not in rows and len(rows) < MOST_ROW)
        if LISTS.fullmatch(name):
            is_bare = re.search(r"label\s*=\s*(?:\{\s*\}|,|$)", options or "")
            self.lists.append(("" if is_bare else "- ", False))
        found = self.macros.get(f"begin {name}") or self.known.get(f"begin {name}")
        if found:
            self.at = start if found.default is not None or "#o" in found.body else self.at
            return self.expand(found)
        if name in tables()["environments"]:
            self.raws(tables()["environments"][name])
            return "" if self.tables and self.tables[-1] else "\n\n"
        return f"\n\n{self.unknown()}\n\n"

    def end(self, _: str) -> str:
        name = (self.raw() or "").strip()
        if LISTS.fullmatch(name) and self.lists:
            self.lists.pop()
        return "" if self.is_table(name) and self.tables and self.tables.pop() else "\n\n"

    def is_table(self, name: str) -> bool:
        """Whether `&` can be between cells in an environment."""
        return bool(TABLE.fullmatch(name)) or f"begin {name}" in self.macros

    def define(self, _: str) -> str:
        """Stores a definition; those of the file system and of TeX itself are not needed."""
        called = NAME.match(self.text, self.at)
        if called is None:
            return ""
        self.at = called.end()
        size, default = self.option() or "", self.option()
        if found := PARAMETERS.match(self.text, self.at):
            self.at, size = found.end(), size or str(found[1].count("#"))
        body = self.raw()
        has_marks = found is not None and bool(found[2].strip())  # between the arguments
        if body is not None and not has_marks and called[1] not in PRIMITIVES:
            self.macros[called[1]] = Macro(body, int(size) if size.isdigit() else 0, default)
        return ""

    def define_document_command(self, _: str) -> str:
        name, arguments, body = [*self.raws(3), "", "", ""][:3]
        if name.strip().strip("\\") not in PRIMITIVES:
            types = tuple(SPECIFICATION.findall(arguments))
            self.macros[name.strip().strip("\\")] = Macro(body, len(types), arguments=types)
        return ""

    def define_environment(self, _: str) -> str:
        name = self.raw() or ""
        size, default = self.option() or "", self.option()
        body = (self.raws(2) or [""])[0]
        if name not in tables()["environments"] and f"begin {name}" not in self.known:
            self.macros[f"begin {name}"] = Macro(body, int(size) if size.isdigit() else 0, default)
        return ""

    def choose(self, _: str) -> str:
        """One of two texts: whether others are equal is known, else the longer one is read."""
        condition, yes, no = [*self.raws(3), "", "", ""][:3]
        if found := EQUAL.fullmatch(condition):
            is_equal = self.render(found[2]).strip() == self.render(found[3] or "").strip()
            return self.render(yes if is_equal != bool(found[1]) else no)
        return self.render(max(yes, no, key=len))

    def compare(self, _: str) -> str:
        """Whether an argument is empty: `\\ifx&#1&`, `\\if\\relax\\detokenize{#1}\\relax`."""
        asked = EMPTY.match(self.text, self.at)
        end = self.text.find(r"\fi", asked.end()) if asked else -1
        if asked is None or end < 0:
            return ""
        yes, _, no = self.text[asked.end() : end].partition(r"\else")
        self.at = end + len(r"\fi")
        return self.render(no if any(each and each.strip() for each in asked.groups()) else yes)

    def skip_false(self, _: str) -> str:
        end = self.text.find(r"\fi", self.at)
        self.at = end + 3 if end >= 0 else len(self.text)
        return ""

    def found(self, name: str) -> str | None:
        return self.find(posixpath.normpath(posixpath.join(self.folder, name)))

    def found_tex(self, name: str) -> str | None:
        return self.found(name) or self.found(f"{name}.tex")

    def file_text(self, name: str) -> str:
        """The text of another file of the folder or zip file; empty if it is not there."""
        asked = (self.raw() or "").strip()
        found = self.found_tex(asked)
        if found is None and posixpath.splitext(asked)[1] in ("", ".tex") and asked not in SYSTEM:
            self.unread.append(f"\\{name}{{{asked}}}")
        return uncommented(found or "")

    def include(self, name: str) -> str:
        return self.render(self.file_text(name))

    def bibliography(self, name: str) -> str:
        self.option()
        self.unread.append(f"\\{name}{{{self.raw() or ''}}}")
        return ""


def numbered(arguments: list[str]) -> dict[str, str]:
    return {"#": "#"} | {str(number): each for number, each in enumerate(arguments, 1)}


def filled(body: str, values: dict[str, str]) -> str:
    """The body of a command with its arguments."""
    # A letter after a command would become part of its name.
    return re.sub(
        r"(\\[A-Za-z@]++)?#([1-9o#])",
        lambda at: f"{at[1]} " * bool(at[1]) + values.get(at[2], ""),
        body,
    )


def is_long(text: str) -> bool:
    """Whether a text is below the others of its entry: a long one, or a list."""
    return len(text) > LONG_PIECE or bool(LIST_ITEM.search(text))


def pieces(found: list[str]) -> str:
    """One line of all short texts; lists and long texts follow it."""
    texts = [each.strip() for each in found if each.strip()]
    below = [each for each in texts if is_long(each)]
    heads = [re.sub(r"\s*\n\s*", " | ", each) for each in texts if each not in below]
    return "\n\n" + "\n".join([" | ".join(heads), *below, ""])


DEFINITIONS = {
    **dict.fromkeys(DEFINE, TexReader.define),
    **dict.fromkeys(DOCUMENT_COMMANDS, TexReader.define_document_command),
    **dict.fromkeys(("newenvironment", "renewenvironment"), TexReader.define_environment),
}
PRIMITIVES: dict[str, Callable[[TexReader, str], str]] = {
    **dict.fromkeys(STYLES, TexReader.style),
    **dict.fromkeys(LEVELS, TexReader.heading),
    **DEFINITIONS,
    **dict.fromkeys(("input", "include", "subfile"), TexReader.include),
    **dict.fromkeys(("url", "path", "nolinkurl"), TexReader.address),
    **dict.fromkeys(BIBLIOGRAPHIES, TexReader.bibliography),
    "href": TexReader.link,
    "labelled": TexReader.labelled,
    "pieces": TexReader.pieces,
    "line": TexReader.line,
    "arguments": TexReader.arguments,
    "parbox": TexReader.boxes,
    "if": TexReader.compare,
    "ifx": TexReader.compare,
    "headline": TexReader.name,
    "surnamefirst": TexReader.surname_first,
    "item": TexReader.item,
    "begin": TexReader.begin,
    "end": TexReader.end,
    "iffalse": TexReader.skip_false,
    "ifthenelse": TexReader.choose,
}
