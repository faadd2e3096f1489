"""Writes a draft as YAML text, in field order, one field per line."""

from __future__ import annotations

import re
from typing import Any

import yaml
from yaml.emitter import ScalarAnalysis

from kg.plugins.exchange.draft import Value

WIDEST = 100  # columns for lists on one line
LONGEST_LINE = 10_000
# Text that needs no quotes in block style; checked at once, because PyYAML checks each character.
PLAIN = re.compile(r"[^\W\d_](?:[^\W_]|[ ,;.()'\"/+-])*[^\W_.]")
HEAD = "# yaml-language-server: $schema={up}.schema/{kind}.json\n"


class YamlText(yaml.SafeDumper):
    """A dumper that quotes only where YAML syntax requires it: our reader reads all as text."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)

    def analyze_scalar(self, scalar: str) -> ScalarAnalysis:
        if not PLAIN.fullmatch(scalar):
            return super().analyze_scalar(scalar)
        return ScalarAnalysis(scalar, False, False, "," not in scalar, True, True, True, True)

    def write_plain(self, text: str, split: bool = True) -> None:
        if self.column + len(text) < LONGEST_LINE and PLAIN.fullmatch(text):
            self.write_indicator(text, True)
        else:
            super().write_plain(text, split)


def as_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    is_long = "\n" in text and not any(line.endswith(" ") for line in text.split("\n"))
    style = "|" if is_long else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", str(text), style=style)


def as_list(dumper: yaml.SafeDumper, items: list[Any]) -> yaml.SequenceNode:
    """Writes short lists of short texts on one line."""
    is_short = all(isinstance(item, str) and "\n" not in item for item in items)
    is_short = is_short and sum(len(item) + 2 for item in items) < WIDEST - 30
    return dumper.represent_sequence("tag:yaml.org,2002:seq", items, flow_style=is_short)


YamlText.yaml_implicit_resolvers = {}
YamlText.add_representer(str, as_text)
YamlText.add_representer(Value, as_text)
YamlText.add_representer(list, as_list)


def block(value: Any) -> str:
    """Dumps a value in block style; our reader reads it back unchanged."""
    return yaml.dump(
        value,
        Dumper=YamlText,
        allow_unicode=True,
        default_flow_style=False,
        sort_keys=False,
        width=LONGEST_LINE,
    )


def file_text(kind: str, content: Any) -> str:
    """The text of a data file, with the comment that points editors to its schema."""
    return HEAD.format(up="../" if kind == "cv" else "", kind=kind) + block(content)
