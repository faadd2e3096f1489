"""Generates `shapes/profile.ttl`, the shapes of our terms and addresses, from `kg/vocab.py` and the
registries: `python -m kg.check.shacl.term_shapes`.
"""

from __future__ import annotations

from collections.abc import Callable

from kg.facts.models import REGISTRIES
from kg.facts.values.text import SLUG
from kg.settings import shipped
from kg.vocab import Namespace, cv, foaf, measures, schema

FILE = "profile.ttl"
TEXT = '''\
# Terms and addresses: those of schema.org and FOAF that this site uses, and the documents it has.
# Written by `python -m kg.check.shacl.term_shapes` from kg/vocab.py; change it there.
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix s: <shapes#> .

s:unknown-property a sh:NodeShape ; sh:targetNode <> ;
  sh:sparql [ a sh:SPARQLConstraint ;
    sh:message "{?path} is not a property of this site's profile, so nothing here asks for it. \
Check its spelling, or use one that is." ;
    sh:select """SELECT $this ?value ?path WHERE {
      ?value ?path ?object FILTER(REGEX(STR(?path), "%(namespaces)s") && !REGEX(STR(?path), \
"%(properties)s")) }""" ] .

s:unknown-class a sh:NodeShape ; sh:targetNode <> ;
  sh:sparql [ a sh:SPARQLConstraint ;
    sh:message "{?class} is not a class of this site's profile, so nothing here asks for it. \
Check its spelling, or use one that is." ;
    sh:select """SELECT $this ?value ?class (rdf:type AS ?path) WHERE {
      ?value a ?class FILTER(REGEX(STR(?class), "%(namespaces)s") && !REGEX(STR(?class), \
"%(classes)s")) }""" ] .

s:address a sh:NodeShape ; sh:targetNode <> ;
  sh:sparql [ a sh:SPARQLConstraint ;
    sh:message "this address is not like those of this site. Write it in lower case, below one \
of its folders: people/ada-berg#medal." ;
    sh:select """SELECT $this ?value WHERE {
      ?value a ?class FILTER(isIRI(?value) && (!STRSTARTS(STR(?value), STR($this)) || \
!REGEX(SUBSTR(STR(?value), STRLEN(STR($this)) + 1),
        "%(addresses)s"))) }""" ] .
'''


def text() -> str:
    """The file as it should be."""
    slug = SLUG.pattern.replace("?:", "")
    documents = f"({'|'.join(sorted(REGISTRIES))})/({slug})?(#{slug})?"
    terms = f"({'|'.join(str(own).rstrip('#') for own in (cv, measures))})(#[A-Za-z0-9-]+)?"
    return TEXT % {
        "namespaces": f"^({plain(schema)}|{plain(foaf)})",
        "properties": one_of(str.islower),
        "classes": one_of(str.isupper),
        "addresses": f"^({documents}|{terms})?$",
    }


def one_of(is_ours: Callable[[str], bool]) -> str:
    """A pattern of the terms whose first letter is a small one, for properties, or a capital, for
    classes.
    """
    found = (
        f"{plain(vocabulary)}({'|'.join(sorted(term for term in vocabulary if is_ours(term[0])))})"
        for vocabulary in (schema, foaf)
    )
    return f"^({'|'.join(found)})$"


def plain(vocabulary: Namespace) -> str:
    """A namespace inside a pattern, where a dot would be any letter; a backslash would have to be
    doubled for SPARQL and for Turtle.
    """
    return str(vocabulary).replace(".", "[.]")


if __name__ == "__main__":
    (shipped("shapes") / FILE).write_text(text(), encoding="utf-8")
