"""Queries that are too deep, too wide or too long, and those that are just not: the latter are
answered or stopped, but end no worker.

(What a worker dies of is a 503; here there must be none.)
"""

from __future__ import annotations

from tests.web.hostile.case import asks

ENDS = (200, 400, 504)
LEVELS, OPERATORS, PATTERNS, CHARACTERS = (
    "levels of brackets",
    "operators and clauses",
    "more than 500 patterns",
    "characters. At most",
)


def nested(opening: str, inside: str, closing: str, times: int) -> str:
    return opening * times + inside + closing * times


TOO_DEEP = {
    "groups": f"SELECT * {nested('{', '', '}', 5000)}",
    "groups that do not end": f"SELECT * {'{' * 60000}",
    "brackets": f"SELECT * {{ FILTER {nested('(', '1', ')', 5000)} }}",
    "collections": f"SELECT * {{ ?s ?p {nested('(', '1', ')', 5000)} }}",
    "property lists": f"SELECT * {{ {nested('[ <p> ', '1', ']', 5000)} }}",
    "paths": f"SELECT * {{ ?s {nested('(', '<p>', ')', 9000)} ?o }}",
    "paths the other way": f"SELECT * {{ ?s {nested('^(', '<p>', ')*', 5000)} ?o }}",
    "subqueries": f"SELECT * {{ {nested('{SELECT*{', '?s ?p ?o', '}}', 1000)} }}",
    "EXISTS": f"SELECT * {{ {nested('FILTER EXISTS {', '?s ?p ?o', '}', 1000)} }}",
    "OPTIONAL": f"SELECT * {{ {nested('OPTIONAL {', '?s ?p ?o', '}', 1000)} }}",
    "MINUS": f"SELECT * {{ {nested('?s ?p ?o MINUS {', '?s ?p ?o', '}', 1000)} }}",
    "functions": f"SELECT ({nested('ABS(', '1', ')', 5000)} AS ?x) {{}}",
    "IF": f"SELECT ({nested('IF(true,', '1', ',2)', 3000)} AS ?x) {{}}",
    "COALESCE": f"SELECT ({nested('COALESCE(1/0,', '1', ')', 900)} AS ?x) {{}}",
    "quoted terms": f"SELECT * {{ ?s ?p {nested('<<( ?s ?p ', '?o', ' )>>', 1000)} }}",
    "a graph to construct": f"CONSTRUCT {{ {nested('[ <p> ', '1', ']', 5000)} }} WHERE {{}}",
}
TOO_MANY = {
    "not": (f"ASK {{ FILTER({'!' * 30000}true) }}", OPERATORS),
    "minus": (f"ASK {{ FILTER({'- ' * 30000}1) }}", OPERATORS),
    "and": (f"ASK {{ FILTER(1{'&&1' * 15000}) }}", OPERATORS),
    "or": (f"ASK {{ FILTER(1{'||1' * 15000}) }}", OPERATORS),
    "steps": (f"ASK {{ ?s <p>{'/<p>' * 15000} ?o }}", OPERATORS),
    "alternatives": (f"ASK {{ ?s <p>{'|<p>' * 15000} ?o }}", OPERATORS),
    "steps back": (f"ASK {{ ?s {'^' * 30000}<p> ?o }}", OPERATORS),
    "UNIONs": (f"ASK {{ {{}} {'UNION {} ' * 7000} }}", OPERATORS),
    "OPTIONALs": (f"ASK {{ {'OPTIONAL {} ' * 5000} }}", OPERATORS),
    "FILTERs": (f"ASK {{ {'FILTER(1) ' * 5000} }}", OPERATORS),
    "patterns": (f"ASK {{ {'?s ?p ?o . ' * 5000} }}", PATTERNS),
    "objects": (f"ASK {{ ?s ?p {'?o , ' * 5000} ?o }}", PATTERNS),
    "predicates": (f"ASK {{ ?s {'?p ?o ; ' * 5000} }}", PATTERNS),
    "characters": (f"ASK {{ ?s ?p '{'a' * 1_000_100}' }}", CHARACTERS),
    "characters of the address": (f"ASK {{ <{'a' * 1_000_100}> ?p ?o }}", CHARACTERS),
}
JUST_NOT = {
    "brackets and nots": f"ASK {{ FILTER {nested('(!!!!!!!!!!!!!!!!!!!', '1', ')', 99)} }}",
    "UNIONs": f"SELECT * {{ {{}}{' UNION {}' * 1990} }}",
    "OPTIONALs": f"SELECT * {{ {'OPTIONAL{?s ?p ?o}' * 1990} }} LIMIT 1",
    "terms in a collection": f"SELECT * {{ ?s ?p ({'1 ' * 20000}) }}",
    "aggregates": f"SELECT {' '.join(f'(COUNT(?s)AS?n{n})' for n in range(2500))} {{}}",
    "conditions": f"SELECT (COUNT(*) AS ?n) {{}} HAVING {'(1)' * 20000}",
    "groups side by side": f"SELECT * {{ {'{}' * 30000} }}",
    "groups with patterns": f"SELECT * {{ {'{?s ?p ?o}' * 5000} }} LIMIT 1",
    "things to describe": f"DESCRIBE {' '.join(f'<a{n}>' for n in range(7000))}",
    "rows": f"SELECT (COUNT(*) AS ?n) {{ VALUES (?x ?y) {{ {'(1 2)' * 12000} }} }}",
    "items": f"SELECT (COUNT(*) AS ?n) {{ ?s ?p ?o FILTER(?o IN (1{',1' * 30000})) }}",
    "arguments": f"SELECT (CONCAT(1{',1' * 30000}) AS ?x) {{}}",
    "prefixes": " ".join(f"PREFIX p{n}: <a>" for n in range(3000)) + " ASK {}",
    "graphs": f"SELECT * {' '.join(f'FROM <g{n}>' for n in range(4000))} {{ ?s ?p ?o }}",
    "a long name": f"PREFIX p: <http://a/> ASK {{ p:{'a' * 60000} ?p ?o }}",
    "unknown functions": f"SELECT {' '.join(f'(<http://x/f{n}>(1) AS ?v{n})' for n in range(1200))} {{}}",  # noqa: E501
}
CASES = [
    *(asks(f"too deep: {name}", query, 400, says=LEVELS) for name, query in TOO_DEEP.items()),
    *(asks(f"too many: {name}", query, 400, says=says) for name, (query, says) in TOO_MANY.items()),
    *(asks(f"just not too many: {name}", query, *ENDS) for name, query in JUST_NOT.items()),
]
