"""`kg topics`: only the words of a name count as naming a topic."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kg.cli import main
from kg.facts.load import load
from kg.files.atomic import replace_files
from kg.plugins.registry.title_topics import pattern
from tests.cases import base_site


def run(*words: str) -> Result:
    return CliRunner().invoke(main, words)


@pytest.mark.parametrize(
    ("name", "title", "is_named"),
    [
        ("Nearest neighbor search", "GraSP: Graph-based Nearest Neighbor Search", True),
        ("Mixture of experts", "Advancing Mixture-of-Experts Inference", True),
        ("MPI", "Communication in MPI-Based Applications", True),
        ("LLMs", "Memorization in Generative LLMs", True),
        ("ANN", "HM-ANN: Billion-Point Search", False),
        ("ANN", "A Letter to Ann", False),
        ("C", "Vitamin C in Apples", False),
        ("C++", "Templates in C++", True),
        ("Java", "JavaScript in Browsers", False),
        ("Transformers", "Transformer-Based Language Models", False),
        ("Neighbor search", "Search of a Neighbor", False),
    ],
)
def test_a_title_names_a_topic_by_its_words_in_order(name: str, title: str, is_named: bool) -> None:
    found = pattern(name)
    assert bool(found and found.search(title)) is is_named


@pytest.fixture
def site(tmp_path: Path) -> Path:
    base_site(tmp_path)
    replace_files(
        tmp_path,
        {
            "data/topics.yaml": (
                "sand: {name: Moving sand}\nice: {name: Ice, alternateNames: [Sea ice]}\n"
            ),
            "data/publications.yaml": (
                "one:\n  title: >-\n    Moving Sand\n    under Sea Ice\n  kind: preprint\n"
                "  authors: [Ada Berg]\n  url: https://example.org/1\n"
                "two:\n  title: Sand that is Moving\n  kind: preprint\n  authors: [Ada Berg]\n"
                "  url: https://example.org/2\n"
                "six: {title: Moving sand again, kind: preprint, authors: [Ada Berg], "
                "url: 'https://example.org/6'}\n"
            ),
        },
    )
    return tmp_path


def test_titles_are_listed_with_their_topics_and_written_on_request(site: Path) -> None:
    found = json.loads(run("topics", "--format", "json", str(site)).stdout)
    assert [(each["work"], each["topic"]) for each in found] == [
        ("one", "sand"),
        ("one", "ice"),
        ("six", "sand"),
    ]
    before = (site / "data/publications.yaml").read_text()
    assert "keywords" not in before, "a list changes nothing"
    result = run("topics", "--write", str(site))
    assert "six: the title names 'Moving sand'. Add keywords: [sand]" in result.stdout
    assert "2 written" in result.stderr
    after = (site / "data/publications.yaml").read_text()
    kind = "  kind: preprint\n"
    assert after == before.replace(kind, f"  keywords: [sand, ice]\n{kind}", 1)
    facts = load(site)
    (one,) = [each.fact for each in facts.loaded if each.slug == "one"]
    assert [keyword.topic.slug for keyword in one.keywords] == ["sand", "ice"]
    assert "1 topic in titles" in run("topics", str(site)).stderr
