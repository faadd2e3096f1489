"""The shapes that are generated say what kg/vocab.py and the registries say now, and every special
class knows its family.
"""

import re

from kg.check import term_shapes
from kg.settings import shipped
from kg.vocab import cv, schema
from tests.test_structure import FAMILIES, ancestors, vocabulary


def test_the_generated_shapes_are_fresh() -> None:
    committed = (shipped("shapes") / term_shapes.FILE).read_text(encoding="utf-8")
    assert committed == term_shapes.text(), "run `python -m kg.check.term_shapes`"


def test_the_kinds_of_role_are_our_classes_below_a_role() -> None:
    kinds = term_shapes.kinds_of_role()
    assert {"Employment", "DoctoralStudy", "Reviewing"} <= {*kinds} <= {*cv}
    assert not {"Talk", "Owner", "Section", "News"} & {*kinds}
    assert {each for each in cv if each.endswith(("Study", "Skill"))} <= {*kinds}


def test_a_property_and_a_class_are_told_apart() -> None:
    properties, classes = (
        re.compile(term_shapes.one_of(term_shapes.closed(), (), kind))
        for kind in (str.islower, str.isupper)
    )
    assert properties.match(schema.name)
    assert not properties.match(schema.Person)
    assert classes.match(schema.Person)
    assert not classes.match(schema.name)
    assert not classes.match(schema.Person + "s")
    assert not classes.match(schema.Person.replace(".", "x"))


def test_the_shapes_know_the_family_of_every_special_class() -> None:
    """Whoever writes Turtle must give the class of the family beside the special one, as our facts
    do.
    """
    terms = vocabulary("schemaorg-30.0.tsv")
    special = {term for term in schema if term[0].isupper() and ancestors(term, terms) & FAMILIES}
    special.discard("Project")  # kept apart from employers; schema.org calls it an organisation
    assert len(special) > 25
    rule = (
        (shipped("shapes") / "graph.ttl")
        .read_text(encoding="utf-8")
        .partition("s:family-class")[2]
        .partition("s:blank-node")[0]
    )
    assert [term for term in sorted(special) if not re.search(rf"schema:{term}\b", rule)] == []
