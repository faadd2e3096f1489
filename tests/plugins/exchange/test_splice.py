"""Edits of YAML text: the value becomes what a plain edit makes of it, and no other line moves."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.facts.yaml.rows import flow
from kg.plugins.exchange.edits.splice import CannotSplice, Edits, YamlNode, compose

WORDS = st.text(
    st.characters(
        exclude_categories=("Cs", "Cc", "Cn", "Co"), exclude_characters="\ufeff\u2028\u2029"
    ),
    min_size=1,
    max_size=12,
).filter(lambda text: text.strip() == text)
NAMES = st.text("abcdefgh", min_size=1, max_size=4)
VALUES = st.recursive(
    WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
TREES = st.dictionaries(NAMES, VALUES, min_size=1, max_size=4)


@st.composite
def texts(draw: st.DrawFn) -> str:
    """A mapping as somebody may have written it: in braces or not, with comments and blank lines,
    lists indented or not, and any line breaks.
    """
    lines = [*written(draw, draw(TREES), 0), *draw(st.sampled_from([[""], []]))]
    return "\n".join(lines).replace("\n", draw(st.sampled_from(["\n", "\r\n"])))


def written(draw: st.DrawFn, value: Any, column: int) -> list[str]:
    pad, lines = " " * column, list[str]()
    pairs = value.items() if isinstance(value, dict) else [("", item) for item in value]
    for name, item in pairs:
        if draw(st.integers(0, 4)) == 0:
            lines.append(draw(st.sampled_from(["", "# note: - {", f"{pad}# [more]"])))
        head = f"{pad}{name}:" if name else f"{pad}-"
        tail = draw(st.sampled_from(["", "", "", "  # why: this"]))
        if not item or isinstance(item, str) or draw(st.booleans()):
            lines.append(f"{head} {in_brackets(draw, item, column)}{tail}")
            continue
        step = draw(st.sampled_from([2, 4])) if name else 2
        step = 0 if name and isinstance(item, list) and draw(st.booleans()) else step
        inner = written(draw, item, column + step)
        first = inner[0]
        if not name and isinstance(item, dict) and first.strip() and "#" not in first.split(":")[0]:
            inner[0], head, tail = f"{head} {first.lstrip()}", "", ""
        if head:
            lines.append(head + tail)
        lines += inner
    return lines


def in_brackets(draw: st.DrawFn, value: Any, column: int) -> str:
    """A value on one line, or on several."""
    text = flow(value)
    if isinstance(value, str) or not value or draw(st.booleans()):
        return text
    pad = f"\n{' ' * (column + 3)}"
    inner = (
        [f"{name}: {flow(item)}" for name, item in value.items()]
        if isinstance(value, dict)
        else [flow(item) for item in value]
    )
    comma = draw(st.sampled_from([",", ", # one"]))
    body = f"{comma}{pad}".join(inner) + draw(st.sampled_from(["", ",", pad]))
    return f"{text[0]}{body}{text[-1]}"


def nodes(node: YamlNode, path: tuple[Any, ...] = ()) -> list[tuple[tuple[Any, ...], YamlNode]]:
    steps = [*node.fields.items(), *enumerate(node.items)]
    return [(path, node), *(found for step, each in steps for found in nodes(each, (*path, step)))]


def inside(value: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        value = value[step]
    return value


def edit(
    draw: Callable[[Any], Any], edits: Edits, path: tuple[Any, ...], node: YamlNode, value: Any
) -> Any:
    """Makes one edit of the text, and the same of the data."""
    data = deepcopy(edits.root.plain)
    there, new = inside(data, path), value
    what = draw(st.sampled_from(["append", "put", "replace", "remove"]))
    if what == "append" and isinstance(there, list):
        edits.append(node, [new, "last"])
        there += [new, "last"]
    elif what == "put" and isinstance(there, dict):
        edits.put(node, "zz", new)
        there["zz"] = new
    elif what == "remove" and isinstance(there, list) and there:
        numbers = sorted(draw(st.sets(st.integers(0, len(there) - 1), min_size=1)))
        edits.remove_items(node, numbers)
        there[:] = [item for number, item in enumerate(there) if number not in numbers]
    elif what == "remove" and isinstance(there, dict) and there:
        name = draw(st.sampled_from(sorted(there)))
        edits.remove_field(node, name)
        del there[name]
    elif path:
        edits.replace(node, new)
        inside(data, path[:-1])[path[-1]] = new
    return data


@pytest.mark.fuzz
@pytest.mark.proof
@settings(deadline=None, max_examples=400, derandomize=True)
@given(st.data())
def test_an_edit_of_the_text_is_that_of_the_data_and_other_lines_stay(data: st.DataObject) -> None:
    text = data.draw(texts())
    edits = Edits(text)
    path, node = data.draw(st.sampled_from(nodes(edits.root)))
    try:
        wanted = edit(data.draw, edits, path, node, data.draw(VALUES))
        result, _ = edits.result()
    except CannotSplice:
        return
    assert compose(result).plain == wanted
    first = text.count("\n", 0, min((each.start for each in edits.splices), default=0))
    last = text.count("\n", 0, max((each.end for each in edits.splices), default=0)) + 1
    old, new = text.split("\n"), result.split("\n")
    assert new[:first] == old[:first]
    assert not old[last:] or new[len(new) - len(old[last:]) :] == old[last:]
    breaks = result.replace("\r\n", "")
    assert "\r" not in breaks and ("\r" not in text or "\n" not in breaks)


def test_few_edits_are_refused() -> None:
    """Those are about anchors, and comments within what goes."""
    text = "a: &x {b: 1}\nc: *x\nd:\n  - e: 1\n    # why\n    f: 2\n"
    edits = Edits(text)
    refused: list[Callable[[], None]] = [
        lambda: edits.replace(edits.root.fields["a"], "1"),
        lambda: edits.put(edits.root.fields["a"], "g", "1"),
        lambda: edits.remove_field(edits.root, "a"),
        lambda: edits.remove_field(edits.root.fields["d"].items[0], "e"),
    ]
    for each in refused:
        with pytest.raises(CannotSplice):
            each()
    assert edits.result()[0] == text


CV = """\
# about me
basics:
  name: 'Ada'   # my name
work:
  - {organization: A, position: B}  # long ago

talks: []   # none yet
# the end
"""


def spliced(text: str, *what: tuple[Any, ...]) -> str:
    edits = Edits(text)
    for verb, *arguments in what:
        getattr(edits, verb)(*(each(edits.root) if callable(each) else each for each in arguments))
    return edits.result()[0]


def test_an_entry_stands_behind_the_others_as_they_are_written() -> None:
    new = {"organization": "C, Inc.", "position": "D"}
    assert spliced(CV, ("append", lambda root: root.fields["work"], [new])) == CV.replace(
        "long ago\n", 'long ago\n  - {organization: "C, Inc.", position: D}\n'
    )


def test_an_empty_list_is_filled_and_its_comment_stays() -> None:
    new = {"title": "Ice", "date": "2024"}
    assert spliced(CV, ("append", lambda root: root.fields["talks"], [new])) == CV.replace(
        "talks: []   # none yet\n", "talks:   # none yet\n  - title: Ice\n    date: 2024\n"
    )


def test_quotes_stay_as_they_are() -> None:
    name = lambda root: root.fields["basics"].fields["name"]  # noqa: E731
    assert spliced(CV, ("replace", name, "Ada L.")) == CV.replace("'Ada' ", "'Ada L.' ")


def test_a_part_of_the_file_stands_behind_another() -> None:
    root = lambda root: root  # noqa: E731
    assert spliced(CV, ("put", root, "skills", ["Go"], "basics")) == CV.replace(
        "work:\n", "skills: [Go]\nwork:\n"
    )


def test_line_breaks_and_a_missing_last_one_stay() -> None:
    text = CV.replace("\n", "\r\n").removesuffix("\r\n")
    new = spliced(text, ("append", lambda root: root.fields["work"], ["x"]))
    assert new.replace("\r\n", "").count("\n") == 0
    assert new.endswith("# the end")


def test_several_edits_are_made_at_once() -> None:
    new = spliced(
        CV,
        ("append", lambda root: root.fields["work"], ["x", "y"]),
        ("put", lambda root: root.fields["work"].items[0], "endDate", "2020"),
        ("remove_field", lambda root: root, "talks"),
        ("put", lambda root: root.fields["basics"], "email", "a@example.org"),
    )
    assert new == (
        "# about me\nbasics:\n  name: 'Ada'   # my name\n  email: a@example.org\n"
        "work:\n  - {organization: A, position: B, endDate: 2020}  # long ago\n"
        "  - x\n  - y\n\n# the end\n"
    )


def test_an_empty_file_is_filled() -> None:
    put = ("put", lambda root: root, "basics", {"name": "Ada"})
    assert spliced("", put) == "basics:\n  name: Ada\n"
    assert spliced("# mine\n", put) == "# mine\nbasics:\n  name: Ada\n"


def test_a_part_goes_where_a_comment_invites_it_and_comments_stay_with_theirs() -> None:
    text = (
        "basics:\n  name: Ada\n  # label: Lecturer\n\n# work:   # or so\n#   - {position: A}\n\n"
        "# skills: [Go]\n"
    )
    work = ("put", lambda root: root, "work", ["x"], "basics")
    assert spliced(text, work) == text.replace("# work:", "work: [x]\n\n# work:")
    talks = ("put", lambda root: root, "talks", ["x"], "basics")
    assert spliced(text, talks) == text.replace("Lecturer\n", "Lecturer\ntalks: [x]\n")
    both = spliced(text, ("put", lambda root: root.fields["basics"], "url", "u"), talks)
    assert both == text.replace("Ada\n", "Ada\n  url: u\n").replace(
        "Lecturer\n", "Lecturer\ntalks: [x]\n"
    )
