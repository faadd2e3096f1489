"""A draft as the text of a YAML file: in the order of the fields, one field a line."""

from __future__ import annotations

from typing import Any

import yaml

from kg.plugins.exchange.draft import Value

WIDEST = 100  # columns, for lists that stand on one line
HEAD = "# yaml-language-server: $schema={up}.schema/{kind}.json\n"


class YamlText(yaml.SafeDumper):
    """Every value is a text for our reader, so only the syntax of YAML asks for quotes."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        super().increase_indent(flow, False)


def as_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    is_long = "\n" in text and not any(line.endswith(" ") for line in text.split("\n"))
    style = "|" if is_long else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", str(text), style=style)


def as_list(dumper: yaml.SafeDumper, items: list[Any]) -> yaml.SequenceNode:
    """Short texts stand on one line."""
    is_short = all(isinstance(item, str) and "\n" not in item for item in items)
    is_short = is_short and sum(len(item) + 2 for item in items) < WIDEST - 30
    return dumper.represent_sequence("tag:yaml.org,2002:seq", items, flow_style=is_short)


YamlText.yaml_implicit_resolvers = {}
YamlText.add_representer(str, as_text)
YamlText.add_representer(Value, as_text)
YamlText.add_representer(list, as_list)


def block(value: Any) -> str:
    """A value as YAML in block style, which our reader reads as the same value."""
    return yaml.dump(
        value,
        Dumper=YamlText,
        allow_unicode=True,
        default_flow_style=False,
        sort_keys=False,
        width=10_000,
    )


def file_text(kind: str, content: Any) -> str:
    """A file of `data/`, or one below it where the kind has a folder."""
    return HEAD.format(up="../" if kind == "cv" else "", kind=kind) + block(content)
