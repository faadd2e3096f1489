"""Each rule of the plugin finds its bad example, and leaves its good one alone."""

from pathlib import Path

import pytest

from kg.check.report.explain import plugin_explanations
from tests.cases import example_site, found

RULES = plugin_explanations()


def test_the_plugin_is_installed() -> None:
    assert {"impossible-date", "own-question", "pasted-text", "private-named"} <= RULES.keys()


@pytest.mark.corpus
@pytest.mark.sample(test=0.3)
@pytest.mark.parametrize("rule", RULES)
def test_a_rule_finds_its_bad_example_and_not_its_good_one(rule: str, tmp_path: Path) -> None:
    reported = [
        {problem.rule for problem in found(example_site(example, tmp_path / name))}
        for name, example in (("bad", RULES[rule].bad), ("good", RULES[rule].good))
    ]
    assert [rule in rules for rules in reported] == [True, False]
