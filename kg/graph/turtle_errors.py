"""What is wrong with a text that is no Turtle, in words: the parser's English is for programmers,
and some of its places are those where it noticed.
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
TERM = "a text in quotes, an address in <…>, or a name behind its prefix, as schema:Person"
NO_TAG = "'@{}' is no tag of a language. Write one such as @en or @pt-BR."
PARSER = re.compile(r"^Parser error (?:at|between) [^:]*: ")
Explain = Callable[[re.Match[str], str, Mapping[str, str]], str]


def refusal(
    file: str, data: bytes, error: UnicodeDecodeError | SyntaxError, prefixes: Mapping[str, str]
) -> Problem:
    """Why a file cannot be read as Turtle."""
    if isinstance(error, UnicodeDecodeError):
        before = data[: error.start].decode("utf-8-sig", "replace")
        words = f"Byte 0x{data[error.start]:02x} is not UTF-8. Save the file with that encoding."
        return Problem(place_at(file, before, len(before)), "error", words, "encoding")
    place, words = explain(file, data.decode("utf-8-sig"), error, prefixes)
    return Problem(place, "error", f"{words} Until then nothing of the file is used.", "turtle")


def explain(
    file: str, text: str, error: SyntaxError, prefixes: Mapping[str, str]
) -> tuple[Place, str]:
    """Where the mistake is, what it is, and what would be right. `prefixes` are those whose
    declaration can be proposed.
    """
    said = PARSER.sub("", error.msg)
    at = offset_of(text, error.lineno or 1, error.offset or 1)
    if tag := TAG.search(text[:at]):
        return place_at(file, text, tag.start(1) - 1), NO_TAG.format(
            tag[1] + WORD.match(text, at)[0].rstrip(".")  # type: ignore[index]
        )
    if "dot" in said.split():  # it is missing behind what was read last
        at = len(re.sub(r"(?:\s|(?m:^|(?<=\s))#[^\n]*)+\Z", "", text[:at]))
    for pattern, words in SLIPS.items():
        if found := re.match(pattern, said):
            return place_at(file, text, at), words(found, text, prefixes)
    return place_at(file, text, at), f"This is not Turtle: {said}. Correct it."


def undeclared(found: re.Match[str], text: str, prefixes: Mapping[str, str]) -> str:
    prefix = found[1]
    declared = DECLARED.findall(text)
    near = closest(prefix, declared, most=1, cutoff=0.6)
    hint = (
        f"Write '@prefix {prefix}: <{prefixes[prefix]}> .' above."
        if prefix in prefixes
        else f"Did you mean '{near[0]}:'?"
        if near
        else f"Write '@prefix {prefix}: <…> .' above, with the address it stands for."
    )
    return f"The prefix '{prefix}:' is not declared. {hint}"


def not_here(found: re.Match[str], *_: object) -> str:
    """`x is not a valid RDF object`, or predicate, or subject."""
    word, role = found[1], found[2]
    if word in (".", ";", ",", "]", ")"):
        missing = {"RDF object": "A value", "predicate": "A property and its value"}.get(role)
        return (
            f"{missing} is missing before this '{word}'. Write it, or remove what stands alone."
            if missing
            else f"This '{word}' ends nothing. Remove it."
        )
    if word in ("True", "False", "TRUE", "FALSE"):
        return f"'{word}' is no value. Write '{word.lower()}'."
    if role == "predicate":
        return f"'{word}' is no property. Write one behind its prefix, as schema:name."
    if role == "RDF object":
        return f"'{word}' is no value. Write {TERM}."
    return (
        f"Nothing can begin with '{word}' here. A thing begins with its address, as "
        "<people/ada#it>; what is said before must be whole."
    )


def letter(found: re.Match[str], *_: object) -> str:
    if found[1] in QUOTES:
        return f'{found[1]} is no quote of Turtle. Write ".'
    return f"Nothing can begin with '{found[1]}'. Write {TERM}; a remark begins with '#'."


def says(words: str) -> Explain:
    return lambda found, *_: words.format(*found.groups())


SLIPS: dict[str, Explain] = {
    r"The prefix (.*): has not been declared": undeclared,
    r"Triples should be followed by a dot|A dot is expected": says(
        "The '.' is missing that ends what is said here. Write it."
    ),
    r"Line jumps are not allowed": says(
        "This text goes on behind its line. Close it with a quote, or write it in three quotes "
        "before and behind."
    ),
    r"Unexpected end of file": says(
        "This is not closed before the end of the file. Close it: a text with a quote, an address "
        "with '>', all that is said with '.'."
    ),
    r"Invalid IRI code point '(.)'": says(
        "An address cannot hold '{}'. Close it with '>', or write the character as % and its "
        "number, a space as %20."
    ),
    r"Invalid IRI percent encoding '(.*)'": says(
        "'{}' in an address is no number of a character. Write two hexadecimal digits behind "
        "'%', or '%25' for a '%'."
    ),
    r"Unexpected escape character '(.*)'": says(
        "'{0}' stands for nothing. Write '\\{0}' for a backslash."
    ),
    r"blank node property lists should end": says("The ']' is missing before this. Write it."),
    r"The PREFIX (?:keyword|declaration)": says(
        "This is no declaration of a prefix. Write it as '@prefix schema: <http://schema.org/> .'."
    ),
    r"Expecting a datatype IRI after \^\^": says(
        "Behind '^^' stands a type. Write one such as xsd:date, without quotes."
    ),
    r"(?s)(.*) is not a valid (RDF object|predicate|subject)": not_here,
    r"'(.)' is not allowed at the beginning of a prefix": letter,
}
