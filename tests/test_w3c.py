"""The runner of the W3C's suite can fail: tried on a tiny suite of our own. The suite itself is run
by `make w3c`.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from pyoxigraph import BlankNode, Literal, NamedNode

from kg.sparql.reading.guard import MAX_CHARACTERS
from tests.w3c.__main__ import main
from tests.w3c.compare import by_value, same
from tests.w3c.results import CSV, JSON, TURTLE, Row, Table, Triples, read
from tests.w3c.shacl import FOLDER

pytestmark = [pytest.mark.proof, pytest.mark.corpus]

PREFIXES = """
PREFIX : <https://example.org/tests#>
PREFIX mf: <http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#>
PREFIX qt: <http://www.w3.org/2001/sw/DataAccess/tests/test-query#>
"""
INTEGER = NamedNode("http://www.w3.org/2001/XMLSchema#integer")
FILES = {
    "sparql10/manifest.ttl": """
        <> mf:entries (:good :bad :change) .
        :good a mf:PositiveSyntaxTest ; mf:action <good.rq> .
        :bad a mf:NegativeSyntaxTest ; mf:action <bad.rq> .
        :change a mf:UpdateEvaluationTest ; mf:action <change.ru> .
        """,
    "sparql10/good.rq": "SELECT * WHERE { ?s <p> 'SERVICE' }",
    "sparql10/bad.rq": "SELECT * WHERE { ?s <p> }",
    "sparql11/manifest-all.ttl": "<> mf:include (<ages/manifest.ttl>) .",
    "sparql11/ages/manifest.ttl": """
        [] mf:entries (:right :wrong :written :graph :elsewhere) .
        :right a mf:QueryEvaluationTest ; mf:action [ qt:query <ages.rq> ; qt:data <data.ttl> ] ; mf:result <right.srj> .
        :wrong a mf:QueryEvaluationTest ; mf:action [ qt:query <ages.rq> ; qt:data <data.ttl> ] ; mf:result <wrong.srj> .
        :written a mf:QueryEvaluationTest ; mf:action [ qt:query <ages.rq> ; qt:data <data.ttl> ] ; mf:result <written.srj> .
        :graph a mf:QueryEvaluationTest ; mf:action [ qt:query <from.rq> ] ; mf:result <from.ttl> .
        :elsewhere a mf:QueryEvaluationTest ; mf:action [ qt:query <service.rq> ; qt:data <data.ttl> ] ; mf:result <right.srj> .
        """,  # noqa: E501
    "sparql11/ages/data.ttl": "<ada> <age> 36 .",
    "sparql11/ages/ages.rq": "SELECT ?age WHERE { <ada> <age> ?age }",
    "sparql11/ages/from.rq": (
        "CONSTRUCT { ?g <has> [ <age> ?age ] } FROM NAMED <data.ttl> WHERE { GRAPH ?g { ?s <age> "
        "?age } }"
    ),
    "sparql11/ages/from.ttl": "<data.ttl> <has> [ <age> 36 ] .",
    "sparql11/ages/service.rq": "SELECT ?age WHERE { SERVICE <https://example.org/> { ?s <age> ?age } }",  # noqa: E501
}
AGE = '{"head":{"vars":["age"]},"results":{"bindings":[{"age":{"type":"literal","value":"%s","datatype":"%s"}}]}}'  # noqa: E501


DRAFTS = {
    "sparql/sparql12/manifest.ttl": "<> mf:include (<terms/manifest.ttl>) .",
    "sparql/sparql12/terms/manifest.ttl": """
        [] mf:entries (:term :short :change) .
        :term a mf:PositiveSyntaxTest ; mf:action <term.rq> .
        :short a mf:PositiveSyntaxTest ; mf:action <short.rq> .
        :change a mf:PositiveUpdateSyntaxTest ; mf:action <change.ru> .
        """,
    "sparql/sparql12/terms/term.rq": "SELECT * { ?s ?p <<( ?a ?b ?c )>> }",
    "sparql/sparql12/terms/short.rq": "SELECT * { ?s ?p <<( ?a ?b )>> }",
    "sparql/sparql12/terms/change.ru": "CLEAR ALL",
    "rdf/rdf12/rdf-turtle/manifest.ttl": """
        @prefix rdft: <http://www.w3.org/ns/rdftest#> .
        [] mf:entries (:read :other :bad :worse) .
        :read a rdft:TestTurtleEval ; mf:action <read.ttl> ; mf:result <read.nt> .
        :other a rdft:TestTurtleEval ; mf:action <read.ttl> ; mf:result <other.nt> .
        :bad a rdft:TestTurtleNegativeSyntax ; mf:action <bad.ttl> .
        :worse a rdft:TestTurtlePositiveSyntax ; mf:action <bad.ttl> .
        """,
    "rdf/rdf12/rdf-turtle/read.ttl": "[ <http://x/a> <<( <http://x/a> <http://x/b> 1 )>> ] .",
    "rdf/rdf12/rdf-turtle/read.nt": (
        f'_:n <http://x/a> <<( <http://x/a> <http://x/b> "1"^^{INTEGER} )>> .'
    ),
    "rdf/rdf12/rdf-turtle/other.nt": f'_:n <http://x/a> "1"^^{INTEGER} .',
    "rdf/rdf12/rdf-turtle/bad.ttl": "<http://x/a> <<( 1 )>> .",
}


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    ages = {"right": "36", "wrong": "37", "written": "036"}
    expected = {
        f"sparql11/ages/{name}.srj": AGE % (age, INTEGER.value) for name, age in ages.items()
    }
    for name, text in {**FILES, **expected}.items():
        path = tmp_path / "sparql" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(PREFIXES + text if "manifest" in name else text, encoding="utf-8")
    return tmp_path


@pytest.mark.process
def test_what_is_right_passes_and_what_is_wrong_fails(
    suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(suite), "--in-process"]) == 1
    said = capsys.readouterr().out
    table = [
        line.split()
        for line in said.splitlines()
        if line.startswith(("sparql10 ", "sparql11/ages ", "all "))
    ]
    assert table == [
        ["sparql10", "2", "2", "0"],
        ["sparql11/ages", "4", "3", "1"],
        ["all", "6", "5", "1"],
    ]
    failed = said.partition("Failed, pyoxigraph: 1\n")[2]
    assert (
        failed.startswith("  sparql11/ages/wrong: expected ?age=")
        and '"37"' in failed
        and '"36"' in failed
    )
    assert (
        "by value, pyoxigraph: 1 (a number, truth or date is written otherwise than "
        "expected)\n  sparql11/ages/written\n"
    ) in said
    assert said.endswith(
        "Left out: 2\n     1 federation: SERVICE is refused by design\n     1 update: the "
        "endpoint only reads\n"
    )


@pytest.mark.process
def test_drafts_have_rows_of_their_own(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, text in DRAFTS.items():
        path = suite / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(PREFIXES + text if "manifest" in name else text, encoding="utf-8")
    assert main([str(suite)]) == 0
    said = capsys.readouterr().out
    lines = [" ".join(line.split()) for line in said.splitlines()]
    assert "all 6 5 1 5 1" in lines
    assert "SPARQL 1.2, all 2 1 1 1 1" in lines
    assert "RDF 1.2, all 4 2 2" in lines
    failed = said.partition("Failed, RDF 1.2: 2\n")[2]
    assert "  rdf12/rdf-turtle/other: another graph\n  rdf12/rdf-turtle/worse: " in failed
    assert "  sparql12/terms/short [pyoxigraph fails too]: 400 " in said


@pytest.mark.process
def test_only_some_tests_are_asked(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(suite), "--in-process", "--only", "graph|good"]) == 0
    assert "Failed, pyoxigraph: 0\n" in capsys.readouterr().out


@pytest.mark.process
def test_bad_syntax_that_is_accepted_and_good_syntax_that_is_refused_fail(
    suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = suite / "sparql/sparql10/good.rq", suite / "sparql/sparql10/bad.rq"
    good.rename(suite / "other"), bad.rename(good), (suite / "other").rename(bad)
    assert main([str(suite), "--in-process", "--only", "sparql10"]) == 1
    said = capsys.readouterr().out
    assert "sparql10/good: 400 error at 1:" in said
    assert "sparql10/bad: should be refused, but: 200" in said


@pytest.mark.process
def test_what_the_engine_fails_may_fail_over_http(
    suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(suite)]) == 0
    said = capsys.readouterr().out
    assert [line.split() for line in said.splitlines() if line.startswith("all ")] == [
        ["all", "6", "5", "1", "5", "1"]
    ]
    assert (
        "Failed, over HTTP: 1\n  sparql11/ages/wrong [pyoxigraph fails too]: expected ?age=" in said
    )
    assert said.endswith("\n0 tests fail over HTTP that pyoxigraph passes.\n")


@pytest.mark.process
def test_what_the_engine_passes_must_pass_over_http(
    suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    query = suite / "sparql/sparql11/ages/ages.rq"
    query.write_text(f"{query.read_text()} # {'x' * MAX_CHARACTERS}")
    assert main([str(suite), "--only", "right|wrong"]) == 1
    said = capsys.readouterr().out
    assert "  sparql11/ages/right [pyoxigraph passes]: 400 The query has " in said
    assert said.endswith("\n1 tests fail over HTTP that pyoxigraph passes.\n")


@pytest.mark.process
@pytest.mark.parametrize("wrong", [["nowhere"], [".", "--only", "nothing"]])
def test_wrong_use_ends_with_2(
    suite: Path, wrong: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([str(suite / wrong[0]), *wrong[1:]])
    assert ended.value.code == 2
    assert (
        "w3c/rdf-tests" if wrong == ["nowhere"] else "No test matches 'nothing'"
    ) in capsys.readouterr().err


def table(*rows: Row, ordered: bool = False) -> Table:
    return Table(frozenset("ab"), list(rows), ordered)


def blanks(*names: str) -> Row:
    return {place: BlankNode(name) for place, name in zip("ab", names, strict=False)}


def test_blank_nodes_may_have_other_names_but_not_other_places() -> None:
    ring = table(blanks("x", "y"), blanks("y", "x"), blanks("z", "z"))
    assert same(ring, table(blanks("2", "2"), blanks("1", "3"), blanks("3", "1")))
    assert not same(ring, table(blanks("1", "2"), blanks("2", "3"), blanks("3", "1")))
    assert not same(table(blanks("x", "y")), table(blanks("x", "x")))
    assert not same(table(blanks("x", "x")), table(blanks("x", "y")))
    assert not same(table(blanks("x")), table({"a": NamedNode("https://example.org/x")}))


def test_rows_are_counted() -> None:
    one, two = {"a": Literal("1")}, {"a": Literal("2")}
    assert same(table(one, two, one), table(one, one, two))
    assert not same(table(one, two, one), table(one, two, two))
    assert same(table(one, two, one), table(two, one), lax=True)
    assert not same(table(one, two, one), table(one), lax=True)
    assert not same(table(one, two), table(one, two, one), lax=True)


def test_the_order_counts_where_it_is_expected() -> None:
    one, two = {"a": Literal("1")}, {"a": Literal("2")}
    assert same(table(one, two), table(two, one))
    assert same(table(one, two, ordered=True), table(one, two))
    assert not same(table(one, two, ordered=True), table(two, one))


@pytest.mark.parametrize(
    ("wanted", "found", "kind"),
    [
        ("01", "1", "integer"),
        ("1.50", "1.5", "decimal"),
        ("1.0E3", "1000", "double"),
        ("1", "true", "boolean"),
        ("NaN", "NaN", "float"),
    ],
)
def test_numbers_are_the_same_by_value(wanted: str, found: str, kind: str) -> None:
    datatype = NamedNode(INTEGER.value.replace("integer", kind))
    tables = (
        table({"a": Literal(wanted, datatype=datatype)}),
        table({"a": Literal(found, datatype=datatype)}),
    )
    assert same(*tables, by_value)
    assert same(*tables) == (wanted == found)
    assert not same(tables[0], table({"a": Literal("7", datatype=datatype)}), by_value)
    assert not same(tables[0], table({"a": Literal(found)}), by_value)


def test_forms_and_variables_are_not_mixed_up() -> None:
    assert same(True, True) and not same(True, False)
    assert not same(True, table()) and not same(table(), Triples([]))
    assert not same(table(), Table(frozenset("abc"), []))


DAWG = """
@prefix rs: <http://www.w3.org/2001/sw/DataAccess/tests/result-set#> .
[] a rs:ResultSet ; rs:resultVariable "a", "b" ;
   rs:solution [ rs:index 2 ; rs:binding [ rs:variable "a" ; rs:value <x> ] ],
               [ rs:index 1 ; rs:binding [ rs:variable "a" ; rs:value "x" ], [ rs:variable "b" ; rs:value _:y ] ] .
"""  # noqa: E501


def test_each_format_is_read() -> None:
    found = read(DAWG.encode(), TURTLE, "https://example.org/")
    assert isinstance(found, Table) and found.ordered and found.variables == {"a", "b"}
    assert found.rows[0]["a"] == Literal("x") and found.rows[1] == {
        "a": NamedNode("https://example.org/x")
    }
    assert (
        read(DAWG.partition("[]")[0].encode() + b"[] a rs:ResultSet ; rs:boolean true .", TURTLE)
        is True
    )
    assert read(b'{"head":{},"boolean":false}', JSON) is False
    assert read(b'a,b\r\n"x,1",\r\n_:n,2\r\n', CSV) == table(
        {"a": Literal("x,1")}, {"a": BlankNode("n"), "b": Literal("2")}
    )


SHACL = """
@prefix mf: <http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix sht: <http://www.w3.org/ns/shacl-test#> .
@prefix x: <https://example.org/> .
x:ada a x:Person .
x:S a sh:NodeShape ; sh:targetClass x:Person ; sh:property [ sh:path x:name ; sh:minCount 1 ] .
<right> a sht:Validate ; mf:action [ sht:dataGraph <> ; sht:shapesGraph <> ] ; mf:result
  [ a sh:ValidationReport ; sh:result [ sh:focusNode x:ada ; sh:resultPath x:name ;
    sh:resultSeverity sh:Violation ] ] .
<wrong> a sht:Validate ; mf:action [ sht:dataGraph <> ; sht:shapesGraph <> ] ;
  mf:result [ a sh:ValidationReport ] .
"""


@pytest.mark.process
def test_shapes_are_judged_both_ways_and_against_what_is_expected(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / FOLDER / "core" / "node"
    folder.mkdir(parents=True)
    (folder / "test.ttl").write_text(SHACL, encoding="utf-8")
    assert main([str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert ["core/node", "2", "2", "1"] in [line.split() for line in said.splitlines()]
    assert "  core/node/wrong: missing [], besides" in said
