"""Generator of `shapes/profile.ttl`, the shapes for the terms and addresses of a site.

Run `python -m kg.check.term_shapes`. The sources are `kg/vocab.py`, `kg/terms/cv.ttl` and the
registries.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import cache

from pyoxigraph import RdfFormat, parse

from kg.facts.models import REGISTRIES
from kg.facts.values.text import SLUG
from kg.graph.handwritten import OUR_TERMS
from kg.settings import Vocabulary, shipped
from kg.vocab import EXTERNAL, VOCABULARY, cut, cv, foaf, rdfs, schema

FILE = "profile.ttl"
TEXT = '''\
# Terms and addresses: the terms of schema.org and FOAF that the site uses, and its documents.
# Generated from kg/vocab.py and kg/terms/ by `python -m kg.check.term_shapes`; do not edit.
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix s: <shapes#> .

s:unknown-property a sh:NodeShape ; sh:targetNode <> ;
  sh:sparql [ a sh:SPARQLConstraint ;
    sh:message "{?path} is not a property that this site uses. \
Check the spelling, or declare it under 'vocabularies' in data/site.yaml." ;
    sh:select """SELECT $this ?value ?path WHERE {
      ?value ?path ?object FILTER(REGEX(STR(?path), "%(namespaces)s") && !REGEX(STR(?path), \
"%(properties)s")) }""" ] .

s:unknown-class a sh:NodeShape ; sh:targetNode <> ;
  sh:sparql [ a sh:SPARQLConstraint ;
    sh:message "{?class} is not a class that this site uses. \
Check the spelling, or declare it under 'vocabularies' in data/site.yaml." ;
    sh:select """SELECT $this ?value ?class (rdf:type AS ?path) WHERE {
      ?value a ?class FILTER(REGEX(STR(?class), "%(namespaces)s") && !REGEX(STR(?class), \
"%(classes)s")) }""" ] .

s:role-kind a sh:NodeShape ; sh:targetNode <> ;
  sh:sparql [ a sh:SPARQLConstraint ;
    sh:message "this role has no kind, or an unknown one. \
Use a class of the vocabulary, e.g. cv:Employment." ;
    sh:select """SELECT DISTINCT $this ?value (rdf:type AS ?path) WHERE {
      ?value a schema:Role FILTER NOT EXISTS { ?value a schema:ListItem }  # signatures
      OPTIONAL { ?value a ?kind FILTER(STRSTARTS(STR(?kind), STR(cv:))) }
      FILTER(!BOUND(?kind) || ?kind NOT IN (%(roles)s)) }""" ] .

s:address a sh:NodeShape ; sh:targetNode <> ;
  sh:sparql [ a sh:SPARQLConstraint ;
    sh:message "this address does not match the addresses of this site. Write it in lower case, \
below one of its folders, e.g. people/ada-berg#medal." ;
    sh:select """SELECT $this ?value WHERE {
      ?value a ?class FILTER(isIRI(?value) && !STRSTARTS(STR(?value), STR(cv:)) \
&& (!STRSTARTS(STR(?value), STR($this)) || \
!REGEX(SUBSTR(STR(?value), STRLEN(STR($this)) + 1),
        "%(addresses)s"))) }""" ] .
'''


def text(vocabularies: Sequence[Vocabulary] = ()) -> str:
    """The content of the file; for a site, with the terms of its own vocabularies."""
    slug = SLUG.pattern.replace("?:", "")
    documents = f"({'|'.join(sorted(REGISTRIES))})/({slug})?(#{slug})?"
    own = {f"{each.namespace}{term}" for each in vocabularies for term in each.terms}
    limited = closed(vocabularies)
    return TEXT % {
        "namespaces": f"^({'|'.join(map(plain, limited))})",
        "properties": one_of(limited, own, str.islower),
        "classes": one_of(limited, own, str.isupper),
        "roles": ", ".join(f"cv:{kind}" for kind in kinds_of_role()),
        "addresses": f"^({documents}|{VOCABULARY})?$",
    }


@cache
def kinds_of_role() -> tuple[str, ...]:
    """Our classes that are subclasses of a schema.org role, directly or indirectly."""
    quads = parse(path=str(OUR_TERMS), format=RdfFormat.TURTLE, base_iri="https://site.example/")
    above = {
        cut(quad.subject.value)[1]: cut(quad.object.value)[1]
        for quad in quads
        if quad.predicate.value == rdfs.subClassOf
        and quad.object.value.startswith((str(schema), str(cv)))
    }

    def is_role(name: str) -> bool:
        return name.endswith("Role") or (name in above and is_role(above[name]))

    return tuple(filter(is_role, above))


def closed(vocabularies: Sequence[Vocabulary] = ()) -> dict[str, list[str]]:
    """Namespaces of which only some terms may be used, with these terms: ours, and the site's
    own.
    """
    limited = {str(each): [*each] for each in (schema, foaf)}
    ours = {str(each): [*each] for each in EXTERNAL.values()}
    for each in vocabularies:
        if each.terms:
            limited[each.namespace] = [*ours.get(each.namespace, []), *each.terms]
        else:
            limited.pop(each.namespace, None)
    return limited


def one_of(
    limited: Mapping[str, Iterable[str]], own: Container[str], is_ours: Callable[[str], bool]
) -> str:
    """A pattern of the terms in lower case (properties) or upper case (classes). A site's own terms
    are in both, whatever their case.
    """
    found = []
    for namespace, names in limited.items():
        fit = sorted({name for name in names if is_ours(name[0]) or f"{namespace}{name}" in own})
        found += [f"{plain(namespace)}({'|'.join(fit)})"] if fit else []
    return f"^({'|'.join(found)})$"


def plain(namespace: str) -> str:
    """A namespace as a literal pattern. Brackets are used because backslashes would have to be
    doubled for SPARQL and again for Turtle.
    """
    return re.sub(r"[.?+*()|$]", r"[\g<0>]", namespace)


if __name__ == "__main__":
    (shipped("shapes") / FILE).write_text(text(), encoding="utf-8")
