"""The documents that an answer rests on."""

from kg.sparql.reading.outline import outline
from kg.store.memory import Memory
from kg.vocab import dcterms, schema

BASE = "https://lab.example.org/"
ADA, PROVENANCE = f"<{BASE}people/ada>", f"<{BASE}provenance>"
FACTS = "".join(
    f'<{BASE}people/ada#{fact}> <{schema.roleName}> "{fact}" {ADA} .\n'
    f"<{BASE}people/ada#{fact}> <{dcterms.source}> <{BASE}sources/{source}#it> {PROVENANCE} .\n"
    f'<{BASE}sources/{source}#it> <{schema.name}> "{source}" <{BASE}sources/{source}> .\n'
    for fact, source in (("job", "cv"), ("talk", "homepage"), ("award", "letter"))
)


def cited(query: str) -> list[str]:
    rows = Memory(BASE, FACTS.encode()).select(outline(query).evidence())
    return [row["kgName"].value for row in rows]


def test_only_what_a_pattern_matches_is_cited() -> None:
    """A variable that is bound in one of two patterns stands for nothing in the other."""
    query = f"""SELECT ?name WHERE {{
      {{ ?job <{schema.roleName}> "job" BIND("a job" AS ?name) }}
      UNION {{ ?talk <{schema.roleName}> "talk" BIND("a talk" AS ?name) }}
      OPTIONAL {{ ?other <{schema.roleName}> "nothing" }} }}"""
    assert cited(query) == ["cv", "homepage"]


def test_nothing_is_cited_where_nothing_matches() -> None:
    assert cited(f'SELECT ?job WHERE {{ ?job <{schema.roleName}> "none" }}') == []
