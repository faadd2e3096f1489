"""Explains YAML syntax errors: where the mistake is and what to do, instead of the parser's
message.

A parser stops where it cannot continue, often a line below the mistake. So each known mistake near
that line is corrected on trial, and the correction that lets the parser read furthest shows what is
wrong. If none helps, the parser's own position is reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import yaml

from kg.advice import yaml_mistakes
from kg.errors import Fix, fix_line
from kg.facts.yaml.rows import Spot

FALLBACK = (
    "This is not valid YAML from here on. Check the quotes, brackets, colons and indentation of "
    "this line and the line above."
)
UNCLOSED_QUOTE = "This {} is never closed. Add another one where the text ends."
STARTS = (  # the parser's context if an unquoted text starts with a special character
    "while scanning an alias",
    "while scanning an anchor",
    "while scanning a tag",
    "while parsing a tag",
    "while scanning a directive",
    "while scanning a %",
)
QUOTED = ("'", '"')
TOP = re.compile(r"[\w\"'].*:(?: |$)")  # a line with a key that is not indented
LINES_BELOW = 50  # lines read after a trial correction, so that large files are explained quickly


def explain(text: str, error: yaml.MarkedYAMLError) -> tuple[Spot, str, Fix | None]:
    """The position of the mistake that made the parser stop, what to do, and the corrected line."""
    lines = yaml_mistakes.LINE_END.split(text)
    mark = error.problem_mark or error.context_mark
    noticed: Spot = (mark.line, mark.column) if mark else (0, 0)
    if marked := yaml_mistakes.merge_mark(lines):
        return *marked, None
    if said := next(located_by_parser(lines, error, noticed), None):
        is_tab = yaml_mistakes.character(lines, said[0]) == "\t"
        return *said, without_tabs(lines, said[0][0]) if is_tab else None
    known = [*yaml_mistakes.mistakes_of(lines, error, noticed)]
    first = min((mistake.line for mistake in known), default=0)
    above = [number for number in range(first, -1, -1) if TOP.match(lines[number])][:2]
    start, end = above[-1] if above else 0, noticed[0] + LINES_BELOW
    around = lines[start:end]
    left = {mistake: unread(corrected(around, mistake, start)) for mistake in known}
    best = min(left, key=lambda mistake: (left[mistake], mistake.change), default=None)
    if best and left[best] < unread(around):
        is_whole = left[best] == 0 and not unread(corrected(lines, best, 0))
        return best.spot, best.message, line_fix(lines, best) if is_whole else None
    return noticed, FALLBACK, None


def without_tabs(lines: list[str], number: int) -> Fix | None:
    """The line with spaces instead of tabs; certain if only one indentation can be read."""
    line, around = lines[number], lines[max(number - 1, 0) : number + 2 : 2]
    if "\t" not in line[: len(line) - len(line.lstrip())]:
        return None
    depths = {yaml_mistakes.indent(each) for each in around if not each.startswith("\t")}
    depths |= {len(item[0]) for each in around if (item := re.match(r" *- +(?=\w)", each))}
    trials = (
        yaml_mistakes.Mistake((number, 0), "", number, " " * depth + line.lstrip())
        for depth in sorted(depths - {0})
    )
    good = [each.corrected for each in trials if not unread(corrected(lines, each, 0))]
    return fix_line(line, number, *good)


def line_fix(lines: list[str], mistake: yaml_mistakes.Mistake) -> Fix | None:
    old = lines[mistake.line]
    return fix_line(old, mistake.line, mistake.corrected, certain=mistake.is_certain)


def corrected(lines: list[str], mistake: yaml_mistakes.Mistake, first: int) -> list[str]:
    """The lines, starting with number `first`, without the mistake."""
    return [*lines[: mistake.line - first], mistake.corrected, *lines[mistake.line - first + 1 :]]


def unread(lines: list[str]) -> int:
    """The number of characters left where the parser stops."""
    text = "\n".join(lines)
    try:
        for _ in yaml.parse(text, yaml.CBaseLoader):
            pass
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        return len(text) - mark.index + 1 if mark else len(text)
    except yaml.reader.ReaderError:
        return len(text) + 1
    return 0


def located_by_parser(
    lines: list[str], error: yaml.MarkedYAMLError, noticed: Spot
) -> Iterator[tuple[Spot, str]]:
    """Mistakes that the parser itself locates correctly."""
    context, words = error.context or "", error.problem or ""
    begun = (error.context_mark.line, error.context_mark.column) if error.context_mark else noticed
    at, line = yaml_mistakes.character(lines, noticed), yaml_mistakes.line_at(lines, noticed[0])
    if at == "\t":
        yield noticed, "This line is indented with a tab. Use spaces."
    yield from unclosed_quotes(lines, error)
    yield from yaml_mistakes.misplaced(lines, noticed[0], "mapping values are not" in words)
    if "escape character" in words or "hexdecimal" in words:
        column = max(line.rfind("\\", 0, noticed[1] + 1), 0)
        message = (
            f"{line[column : column + 2]} is not a valid escape in double quotes. Use single "
            "quotes ('…'), where a backslash has no special meaning."
        )
        yield (noticed[0], column), message
    bullet = yaml_mistakes.BULLET.match(line)
    if bullet and noticed[1] - bullet.start("at") in (0, 1):
        yield (noticed[0], bullet.start("at")), yaml_mistakes.NO_BULLET.format(bullet["at"])
    if context.startswith(STARTS):
        yield begun, yaml_mistakes.NO_TEXT.format(yaml_mistakes.character(lines, begun))
    if "block scalar" in context and begun[0] == noticed[0]:
        sign = yaml_mistakes.character(lines, begun)
        message = (
            f"Text cannot start with '{sign}'. Put quotes around it, or start it on the next line."
        )
        yield begun, message
    if "cannot start any token" in words and not yaml_mistakes.INVALID_LINE_START.match(line):
        yield noticed, yaml_mistakes.NO_TEXT.format(at)
    if "mapping keys are not allowed" in words:
        yield noticed, yaml_mistakes.NO_TEXT.format("?")
    if "block sequence entries are not allowed" in words:
        message = (
            "A list cannot start here. Put each '- ' on its own line below the key. If this is "
            "text, put quotes around it."
        )
        yield noticed, message
    ends = [number for number, each in enumerate(lines[: noticed[0] + 1]) if each[:3] == "..."]
    if "<document start>" in words and ends:
        yield (ends[-1], 0), "'...' ends the document, but more text follows. Remove it."


def unclosed_quotes(lines: list[str], error: yaml.MarkedYAMLError) -> Iterator[tuple[Spot, str]]:
    """The quote that is never closed, or that the parser considers closed by a later one because
    lines that look like entries are inside.
    """
    begun, noticed = error.context_mark, error.problem_mark
    if begun and "quoted scalar" in (error.context or "") and "unexpected" in (error.problem or ""):
        spot = begun.line, begun.column
        yield spot, UNCLOSED_QUOTE.format(yaml_mistakes.character(lines, spot))
    for token in tokens(lines):
        start, end = token.start_mark, token.end_mark
        if token.style in QUOTED and noticed and start.line < end.line == noticed.line:
            swallowed = lines[start.line + 1 : end.line + 1]
            if end.index <= noticed.index and any(map(yaml_mistakes.ENTRY.match, swallowed)):
                yield (start.line, start.column), UNCLOSED_QUOTE.format(token.style)


def tokens(lines: list[str]) -> Iterator[yaml.ScalarToken]:
    """The scalars of a file, as far as the parser gets."""
    try:
        for token in yaml.scan("\n".join(lines), yaml.CBaseLoader):
            if isinstance(token, yaml.ScalarToken):
                yield token
    except yaml.YAMLError:
        return
