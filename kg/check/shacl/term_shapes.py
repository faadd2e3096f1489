"""Generates `shapes/profile.ttl`, the shapes of our terms and addresses, from `kg/vocab.py`,
`kg/terms/cv.ttl` and the registries: `python -m kg.check.shacl.term_shapes`.
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
from kg.vocab import EXTERNAL, cut, cv, foaf, measures, rdfs, schema

FILE = "profile.ttl"
TEXT = '''\
# Terms and addresses: those of schema.org and FOAF that this site uses, and the documents it has.
# Written by `python -m kg.check.shacl.term_shapes` from kg/vocab.py and kg/terms/; change it there.
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix s: <shapes#> .

s:unknown-property a sh:NodeShape ; sh:targetNode <> ;
  sh:sparql [ a sh:SPARQLConstraint ;
    sh:message "{?path} is not a property of this site's profile, so nothing here asks for it. \
Check its spelling, or declare it under 'vocabularies' in data/site.yaml." ;
    sh:select """SELECT $this ?value ?path WHERE {
      ?value ?path ?object FILTER(REGEX(STR(?path), "%(namespaces)s") && !REGEX(STR(?path), \
"%(properties)s")) }""" ] .

s:unknown-class a sh:NodeShape ; sh:targetNode <> ;
  sh:sparql [ a sh:SPARQLConstraint ;
    sh:message "{?class} is not a class of this site's profile, so nothing here asks for it. \
Check its spelling, or declare it under 'vocabularies' in data/site.yaml." ;
    sh:select """SELECT $this ?value ?class (rdf:type AS ?path) WHERE {
      ?value a ?class FILTER(REGEX(STR(?class), "%(namespaces)s") && !REGEX(STR(?class), \
"%(classes)s")) }""" ] .

s:role-kind a sh:NodeShape ; sh:targetNode <> ;
  sh:sparql [ a sh:SPARQLConstraint ;
    sh:message "this role has no kind, or an unknown one. Take its class from terms/cv." ;
    sh:select """SELECT DISTINCT $this ?value (rdf:type AS ?path) WHERE {
      ?value a schema:Role FILTER NOT EXISTS { ?value a schema:ListItem }  # as a signature is
      OPTIONAL { ?value a ?kind FILTER(STRSTARTS(STR(?kind), STR(cv:))) }
      FILTER(!BOUND(?kind) || ?kind NOT IN (%(roles)s)) }""" ] .

s:address a sh:NodeShape ; sh:targetNode <> ;
  sh:sparql [ a sh:SPARQLConstraint ;
    sh:message "this address is not like those of this site. Write it in lower case, below one \
of its folders: people/ada-berg#medal." ;
    sh:select """SELECT $this ?value WHERE {
      ?value a ?class FILTER(isIRI(?value) && (!STRSTARTS(STR(?value), STR($this)) || \
!REGEX(SUBSTR(STR(?value), STRLEN(STR($this)) + 1),
        "%(addresses)s"))) }""" ] .
'''


def text(vocabularies: Sequence[Vocabulary] = ()) -> str:
    """The file as it should be; of a site, with the terms that it uses beside ours."""
    slug = SLUG.pattern.replace("?:", "")
    documents = f"({'|'.join(sorted(REGISTRIES))})/({slug})?(#{slug})?"
    terms = f"({'|'.join(str(own).rstrip('#') for own in (cv, measures))})(#[A-Za-z0-9-]+)?"
    own = {f"{each.namespace}{term}" for each in vocabularies for term in each.terms}
    limited = closed(vocabularies)
    return TEXT % {
        "namespaces": f"^({'|'.join(map(plain, limited))})",
        "properties": one_of(limited, own, str.islower),
        "classes": one_of(limited, own, str.isupper),
        "roles": ", ".join(f"cv:{kind}" for kind in kinds_of_role()),
        "addresses": f"^({documents}|{terms})?$",
    }


@cache
def kinds_of_role() -> tuple[str, ...]:
    """Our classes that are below a role of schema.org, as they say of themselves."""
    quads = parse(
        path=str(OUR_TERMS / "cv.ttl"), format=RdfFormat.TURTLE, base_iri="https://site.example/"
    )
    above = {
        cut(quad.subject.value)[1]: cut(quad.object.value)[1]
        for quad in quads
        if quad.predicate.value == rdfs.subClassOf
    }

    def is_role(name: str) -> bool:
        return name.endswith("Role") or (name in above and is_role(above[name]))

    return tuple(filter(is_role, above))


def closed(vocabularies: Sequence[Vocabulary] = ()) -> dict[str, list[str]]:
    """The namespaces of which only some terms may be used, and these: ours, and a site's own."""
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
    """A pattern of the terms whose first letter is a small one, for properties, or a capital, for
    classes; the terms of a site's own may be either.
    """
    found = []
    for namespace, names in limited.items():
        fit = sorted({name for name in names if is_ours(name[0]) or f"{namespace}{name}" in own})
        found += [f"{plain(namespace)}({'|'.join(fit)})"] if fit else []
    return f"^({'|'.join(found)})$"


def plain(namespace: str) -> str:
    """A namespace inside a pattern, where other characters than letters have a meaning; a backslash
    would have to be doubled for SPARQL and for Turtle.
    """
    return re.sub(r"[.?+*()|$]", r"[\g<0>]", namespace)


if __name__ == "__main__":
    (shipped("shapes") / FILE).write_text(text(), encoding="utf-8")
