"""Plain texts are written at once, with the bytes that PyYAML would write."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from kg.plugins.exchange.yaml_text import YamlText, block

SIGNS = st.text("ab Zé,.;:()'\"/+-#?[]{}&*!|>%@`=0~\n\t…中", max_size=9)


class EverySign(YamlText):
    """Checks and writes each character, as PyYAML does."""

    analyze_scalar = yaml.SafeDumper.analyze_scalar
    write_plain = yaml.SafeDumper.write_plain


def written(value: object) -> str:
    return str(
        yaml.dump(
            value,
            Dumper=EverySign,
            allow_unicode=True,
            default_flow_style=False,
            sort_keys=False,
            width=10_000,
        )
    )


@pytest.mark.fuzz
@given(SIGNS, st.lists(SIGNS, max_size=3))
def test_any_text_is_written_as_pyyaml_writes_it(text: str, texts: list[str]) -> None:
    value = {"title": text, "authors": texts, "also": {"text": f"Ice {text}"}}
    assert block(value) == written(value)


def test_a_text_beyond_the_widest_line_is_broken_as_before() -> None:
    value = {"abstract": "ice " * 3000 + "melts"}
    assert block(value) == written(value)
