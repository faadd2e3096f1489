"""Prose and titles as HTML: what an author wrote is escaped, the elements around it are ours."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from markdown_it.token import Token
from markupsafe import Markup, escape

from kg.facts.values.prose import MARKS, READER, TITLE_TAG, has_whole_tags

Resolve = Callable[[str], str]  # an address as it is written -> the link on a page

ELEMENTS = ("p", "ul", "ol", "li", "em", "strong", "a", "i", "b", "sub", "sup")
TAGS = {
    f"<{end}{name}>": Markup("<{}{}>").format(end, name) for name in ELEMENTS for end in ("", "/")
}
BREAKS = {"softbreak": Markup("\n"), "hardbreak": Markup("<br>")}


class Prose(Markup):
    """Paragraphs and lists as HTML. `parts` are each of their paragraphs and items, without the
    element around it.
    """

    parts: tuple[Markup, ...]


def prose_html(text: str, resolve: Resolve) -> Prose:
    """Paragraphs and lists; `resolve` makes the links."""
    if not MARKS.search(text):
        whole = Prose(Markup("<p>{}</p>").format(text))
        whole.parts = (escape(text),)
        return whole
    tokens = READER.parse(text)
    whole = Prose(Markup("").join(pieces(tokens, resolve)))
    whole.parts = tuple(Markup("").join(pieces(part, resolve)) for part in parts(tokens))
    return whole


def parts(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """What is in each paragraph and in each item, but for those within items; and blocks of
    code.
    """
    start = 0
    for place, token in enumerate(tokens):
        if (token.tag, token.level) not in (("p", 0), ("li", 1)):
            if token.type == "fence" and token.level == 0:
                yield [token]
        elif token.nesting > 0:
            start = place + 1
        else:
            yield tokens[start:place]


def pieces(tokens: Iterable[Token], resolve: Resolve) -> Iterator[Markup]:
    for token in tokens:
        match token.type:
            case "inline":
                yield from pieces(token.children or (), resolve)
            case "text":
                yield escape(token.content)
            case "softbreak" | "hardbreak":
                yield BREAKS[token.type]
            case "code_inline":
                yield Markup("<code>{}</code>").format(token.content)
            case "fence":
                yield Markup("<pre><code>{}</code></pre>").format(token.content)
            case "link_open":
                yield Markup('<a href="{}">').format(resolve(str(token.attrGet("href"))))
            case "ordered_list_open" if token.attrGet("start"):
                yield Markup('<ol start="{}">').format(token.attrGet("start"))
            case _ if not token.hidden:  # as the paragraphs of a tight list are
                yield TAGS[f"<{'/' if token.nesting < 0 else ''}{token.tag}>"]


def title_html(text: str) -> str:
    """A title with its four elements; one whose tags do not fit together is shown as written."""
    if "<" not in text or not has_whole_tags(text):
        return text
    texts_and_tags = enumerate(TITLE_TAG.split(text))
    return Markup("").join(TAGS[each] if at % 2 else escape(each) for at, each in texts_and_tags)
