"""Explains Turtle syntax errors: where the mistake is and what to do.

The parser's messages are for programmers, and some of its positions are only where it noticed the
error.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from kg.errors import Place, Problem, offset_of, place_at
from kg.text.nearest import closest

DECLARED = re.compile(r"(?im)^\s*@?prefix\s+([\w.-]*):")
WORD = re.compile(r"[^\s,;\[\]()]*")
TAG = re.compile(r"""["']@([\w-]*)$""")
QUOTES = "“”„‟«»‘’‚"
TERM = "a text in quotes, an address in <…>, or a prefixed name, e.g. schema:Person"
NO_TAG = "'@{}' is not a language tag. Write e.g. @en or @pt-BR."
PARSER = re.compile(r"^Parser error (?:at|between) [^:]*: ")
Explain = Callable[[re.Match[str], str, Mapping[str, str]], str]


def refusal(
    file: str, data: bytes, error: UnicodeDecodeError | SyntaxError, prefixes: Mapping[str, str]
) -> Problem:
    """The problem of a file that is not valid Turtle."""
    if isinstance(error, UnicodeDecodeError):
        before = data[: error.start].decode("utf-8-sig", "replace")
        words = f"Byte 0x{data[error.start]:02x} is not UTF-8. Save the file as UTF-8."
        return Problem(place_at(file, before, len(before)), "error", words, "encoding")
    place, words = explain(file, data.decode("utf-8-sig"), error, prefixes)
    return Problem(place, "error", f"{words} Until then, this file is ignored.", "turtle")


def explain(
    file: str, text: str, error: SyntaxError, prefixes: Mapping[str, str]
) -> tuple[Place, str]:
    """The place of the mistake and the message. `prefixes` are those whose declaration can be
    suggested.
    """
    said = PARSER.sub("", error.msg)
    at = offset_of(text, error.lineno or 1, error.offset or 1)
    if tag := TAG.search(text[:at]):
        return place_at(file, text, tag.start(1) - 1), NO_TAG.format(
            tag[1] + WORD.match(text, at)[0].rstrip(".")  # type: ignore[index]
        )
    if "dot" in said.split():  # it is missing after the last thing that was read
        at = len(re.sub(r"(?:\s|(?m:^|(?<=\s))#[^\n]*)+\Z", "", text[:at]))
    for pattern, words in EXPLANATIONS.items():
        if found := re.match(pattern, said):
            return place_at(file, text, at), words(found, text, prefixes)
    return place_at(file, text, at), f"This is not valid Turtle: {said}. Correct it."


def undeclared(found: re.Match[str], text: str, prefixes: Mapping[str, str]) -> str:
    prefix = found[1]
    declared = DECLARED.findall(text)
    near = closest(prefix, declared, most=1, cutoff=0.6)
    hint = (
        f"Add '@prefix {prefix}: <{prefixes[prefix]}> .' at the top."
        if prefix in prefixes
        else f"Did you mean '{near[0]}:'?"
        if near
        else f"Add '@prefix {prefix}: <…> .' with its namespace at the top."
    )
    return f"The prefix '{prefix}:' is not declared. {hint}"


def unexpected_token(found: re.Match[str], *_: object) -> str:
    """`x is not a valid RDF object`, predicate or subject."""
    word, role = found[1], found[2]
    if word in (".", ";", ",", "]", ")"):
        missing = {"RDF object": "A value", "predicate": "A property and its value"}.get(role)
        return (
            f"{missing} is missing before this '{word}'. Add it, or remove the incomplete triple."
            if missing
            else f"Unexpected '{word}'. Remove it."
        )
    if word in ("True", "False", "TRUE", "FALSE"):
        return f"'{word}' is not a value. Write '{word.lower()}'."
    if role == "predicate":
        return f"'{word}' is not a property. Write a prefixed name, e.g. schema:name."
    if role == "RDF object":
        return f"'{word}' is not a value. Write {TERM}."
    return (
        f"'{word}' cannot start a triple. Start with an address, e.g. <people/ada#it>, and check "
        "that the triple before is complete."
    )


def unexpected_character(found: re.Match[str], *_: object) -> str:
    if found[1] in QUOTES:
        return f'{found[1]} is not a quote in Turtle. Write ".'
    return f"Unexpected '{found[1]}'. Write {TERM}; a comment starts with '#'."


def fixed_text(words: str) -> Explain:
    return lambda found, *_: words.format(*found.groups())


EXPLANATIONS: dict[str, Explain] = {
    r"The prefix (.*): has not been declared": undeclared,
    r"Triples should be followed by a dot|A dot is expected": fixed_text(
        "The '.' at the end of this triple is missing. Add it."
    ),
    r"Line jumps are not allowed": fixed_text(
        "This text continues on the next line. Close it with a quote, or use three quotes on both "
        "sides."
    ),
    r"Unexpected end of file": fixed_text(
        "The file ends too early. Close a text with a quote, an address with '>', and each triple "
        "with '.'."
    ),
    r"Invalid IRI code point '(.)'": fixed_text(
        "An address cannot contain '{}'. Close it with '>', or percent-encode the character, e.g. "
        "a space as %20."
    ),
    r"Invalid IRI percent encoding '(.*)'": fixed_text(
        "'{}' in an address is not a valid percent-encoding. Write two hexadecimal digits after "
        "'%', or '%25' for a '%'."
    ),
    r"Unexpected escape character '(.*)'": fixed_text(
        "'{0}' is not a valid escape. Write '\\{0}' for a backslash."
    ),
    r"blank node property lists should end": fixed_text("']' is missing before this. Add it."),
    r"The PREFIX (?:keyword|declaration)": fixed_text(
        "This prefix declaration is invalid. Write e.g. '@prefix schema: <http://schema.org/> .'."
    ),
    r"Expecting a datatype IRI after \^\^": fixed_text(
        "A datatype is missing after '^^'. Write e.g. xsd:date, without quotes."
    ),
    r"(?s)(.*) is not a valid (RDF object|predicate|subject)": unexpected_token,
    r"'(.)' is not allowed at the beginning of a prefix": unexpected_character,
}
