"""Plain RDF files: every syntax, with the same endpoint as a site, and nothing else."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPRedirectHandler, Request, build_opener

import pytest
from click.testing import CliRunner
from pyoxigraph import RdfFormat, parse

from kg.cli import main
from kg.errors import ProblemsFound
from kg.graph.rdf_files import DEEPEST, SUFFIXES, read, refuse_unbounded
from kg.publish.hosting.query_only import title
from tests.kinds import starts
from tests.web.serving import KG, Server, serving

BASE = "http://127.0.0.1:8000/"
XML = (
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
    'xmlns:s="http://schema.org/">{}</rdf:RDF>'
)
ABOUT = XML.format('<rdf:Description rdf:about="{}"><s:name>{}</s:name></rdf:Description>')
LD = '{{"@context": {{"@vocab": "http://schema.org/"}}, "@id": "{}", "name": "{}"}}'
SYNTAXES = {  # each says that the thing named for its suffix has that name, in the default graph
    ".ttl": "PREFIX s: <http://schema.org/> <{}> s:name '{}' .",
    ".n3": "@prefix s: <http://schema.org/> . <{}> s:name '{}' .",
    ".trig": "PREFIX s: <http://schema.org/> <{}> s:name '{}' .",
    ".nt": f'<{BASE}{{}}> <http://schema.org/name> "{{}}" .',
    ".nq": f'<{BASE}{{}}> <http://schema.org/name> "{{}}" .',
    ".jsonld": LD,
    ".json": LD,
    ".rdf": ABOUT,
    ".owl": ABOUT,
    ".xml": ABOUT,
}
NAMES = "SELECT ?thing ?name { ?thing <http://schema.org/name> ?name }"
IN_GRAPHS = "SELECT ?graph ?thing { GRAPH ?graph { ?thing <http://schema.org/name> ?name } }"
HTML = {"Accept": "text/html"}


class Stay(HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


def get(
    server: Server, path: str, headers: Mapping[str, str] = {}
) -> tuple[int, Mapping[str, str], str]:
    try:
        with build_opener(Stay()).open(
            Request(server.address + path, headers=dict(headers)), timeout=20
        ) as answer:
            return answer.status, answer.headers, answer.read().decode(errors="replace")
    except HTTPError as error:
        with error:
            return error.code, error.headers, error.read().decode()


def ask(server: Server, query: str) -> list[dict[str, str]]:
    status, _, text = get(
        server, f"sparql?{urlencode({'query': query})}", {"Accept": "application/json"}
    )
    assert status == 200, text
    return [
        {name: term["value"] for name, term in row.items()}
        for row in json.loads(text)["results"]["bindings"]
    ]


def files(folder: Path, **texts: str) -> list[Path]:
    """Files of these texts; `__` in a name stands for the dot."""
    for name, text in texts.items():
        (folder / name.replace("__", ".")).write_text(text, encoding="utf-8")
    return [folder / name.replace("__", ".") for name in texts]


def start(*arguments: str | Path, folder: Path, **environment: str) -> Any:
    return serving(folder, command=[KG, "serve", *arguments, "--port", "0"], **environment)


def run(*arguments: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [KG, "serve", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("secret-folder")


@pytest.fixture(scope="module")
def every(folder: Path) -> list[Path]:
    """A file of each syntax, one that is packed, and one with named graphs beside its default
    graph.
    """
    for suffix, text in SYNTAXES.items():
        (folder / f"a{suffix}").write_text(text.format(suffix[1:], suffix[1:]), encoding="utf-8")
    (folder / "a.ttl.gz").write_bytes(gzip.compress(SYNTAXES[".ttl"].format("gz", "gz").encode()))
    more = (
        "PREFIX s: <http://schema.org/> <outside> s:name 'outside' . <graphs/one> { <inside> "
        "s:name 'inside' }"
    )
    return [
        *sorted(folder.iterdir()),
        *files(folder, b__trig=more, empty__jsonld=" \n", empty__ttl=""),
    ]


@pytest.fixture(scope="module")
@starts("server")
def plain(folder: Path, every: list[Path]) -> Iterator[Server]:
    with start(*every, folder=folder) as server:
        yield server


@pytest.fixture(scope="module")
@starts("server")
def united(folder: Path, every: list[Path]) -> Iterator[Server]:
    with start(*every, folder=folder, KG_SERVE_UNION="1") as server:
        yield server


def test_each_syntax_is_read_and_its_triples_are_the_default_graph(plain: Server) -> None:
    expected = {*(suffix[1:] for suffix in SUFFIXES), "gz", "outside"}
    assert {row["name"]: row["thing"] for row in ask(plain, NAMES)} == {
        name: BASE + name for name in expected
    }


def test_named_graphs_are_kept(plain: Server, united: Server) -> None:
    inside = [{"graph": f"{BASE}graphs/one", "thing": f"{BASE}inside"}]
    assert ask(plain, IN_GRAPHS) == ask(united, IN_GRAPHS) == inside


def test_the_union_holds_the_default_graph_and_the_named_ones(
    plain: Server, united: Server
) -> None:
    alone, together = ([row["name"] for row in ask(server, NAMES)] for server in (plain, united))
    assert sorted(together) == sorted([*alone, "inside"])


def test_a_query_can_choose_its_graphs(plain: Server) -> None:
    chosen = NAMES.replace("{", "FROM <graphs/one> {", 1)
    assert [row["name"] for row in ask(plain, chosen)] == ["inside"]


def test_there_is_the_form_for_questions_and_nothing_else(plain: Server) -> None:
    status, headers, _ = get(plain, "")
    assert (status, headers["Location"]) == (302, "./sparql")
    status, _, page = get(plain, "sparql", HTML)
    assert status == 200
    assert "a.json, a.jsonld, a.n3 and 11 more" in page
    assert not re.search(r"dump|people|<nav", page)
    for path in ("healthz", "readyz", *re.findall(r'"\./(static/[^"]+)"', page)):
        assert get(plain, path)[0] == 200
    for path in (
        "console",
        "dump.nq",
        "people/",
        "shapes.ttl",
        "format.html",
        "sparql.html",
        "static/",
        "static/none.css",
        "a.ttl",
        "x/y",
    ):
        status, _, page = get(plain, path, HTML)
        assert status == 404
        assert f"/{path} does not exist." in page
        assert "<nav" not in page


def test_the_place_of_the_files_is_never_told(plain: Server, folder: Path) -> None:
    everything = "SELECT * { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } }"
    queries = [
        everything,
        "DESCRIBE <ttl>",
        "SELECT <",
        "SELECT * FROM <a.ttl> { ?s ?p ?o }",
        "SELECT (<x> AS ?y) {}",
    ]
    answers = [
        get(plain, path, HTML)
        for path in (
            "",
            "sparql",
            "none",
            *(f"sparql?{urlencode({'query': query})}" for query in queries),
        )
    ]
    assert [status for status, _, _ in answers] == [302, 200, 404, 200, 200, 400, 200, 200]
    for _, headers, text in answers:
        assert folder.name not in f"{headers}{text}"
        assert "file:" not in f"{headers}{text}"


@pytest.mark.server
def test_blank_nodes_of_two_files_are_kept_apart(tmp_path: Path) -> None:
    paths = files(
        tmp_path,
        a__ttl=(
            '_:x <p:name> "a" ; <p:knows> _:x , [ <p:name> "[]" ] ; <p:text> "_:x" ; <p:see> '
            "<http://x/_:x> ."
        ),
        b__trig='_:x <p:name> "b" . _:x { _:x <p:name> "b" }',
        c__nq='_:x <p:name> "c \\" _:x" .\n<a:a> <p:is> <<( _:x <p:name> "_:x" )>> .',
    )
    with start(*paths, folder=tmp_path) as server:
        assert sorted(row["n"] for row in ask(server, "SELECT ?n { ?x <p:name> ?n }")) == [
            "[]",
            "a",
            "b",
            'c " _:x',
        ]
        assert ask(server, "SELECT (COUNT(DISTINCT ?x) AS ?n) { ?x <p:name> ?n }") == [{"n": "4"}]
        assert ask(server, "SELECT ?n { ?x <p:knows> ?x ; <p:name> ?n }") == [{"n": "a"}]
        assert ask(server, "SELECT ?n { GRAPH ?x { ?x <p:name> ?n } ?x <p:name> ?n }") == [
            {"n": "b"}
        ]
        assert ask(server, "SELECT ?text ?see { ?x <p:text> ?text ; <p:see> ?see }") == [
            {"text": "_:x", "see": "http://x/_:x"}
        ]
        assert ask(server, "SELECT ?n { ?a <p:is> <<( ?x <p:name> ?y )>> . ?x <p:name> ?n }") == [
            {"n": 'c " _:x'}
        ]


def test_the_same_files_give_the_same_bytes(every: list[Path], tmp_path: Path) -> None:
    nested = (
        '{"@context": {"@vocab": "a:"}, "@graph": [{"x": {"y": [{"z": 1}, {"z": 2}]}}, {"@id": '
        '"_:n", "y": {"@list": [{}, {}]}}]}'
    )
    paths = [
        *every,
        *files(tmp_path, n__jsonld=nested, o__ttl="[] <p:p> (1 [] 2), [<p:q> [], _:b] ."),
    ]
    first = read(paths, BASE)
    assert first == read(paths, BASE)
    assert b"_:f" in first.nquads
    assert first.triples == len(list(parse(first.nquads, RdfFormat.N_QUADS)))


@pytest.mark.server
def test_relative_addresses_begin_at_the_base_of_ones_choice(tmp_path: Path) -> None:
    [path] = files(tmp_path, a__ttl="<a> <http://schema.org/name> 'a' .")
    with start(path, "--base", "https://example.org/x/", folder=tmp_path) as server:
        assert ask(server, NAMES) == [{"thing": "https://example.org/x/a", "name": "a"}]
        assert ask(server, "SELECT ?name { <a> <http://schema.org/name> ?name }") == [{"name": "a"}]


@pytest.mark.server
def test_what_was_read_is_told_and_ctrl_c_ends_it(tmp_path: Path) -> None:
    paths = files(
        tmp_path,
        a__trig="<a> <b> <c> . <g> { <a> <b> <c>, <d> } _:x { <a> <b> <c> }",
        b__trig="_:x { <a> <b> <c> }",
    )
    assert read(paths, BASE).counts == "5 triples, 3 named graphs"
    assert read(paths[1:], BASE).counts == "1 triple, 1 named graph"
    with start(paths[1], folder=tmp_path) as server:
        assert server.interrupt() == (130, "Stopped.\n")


@pytest.mark.process
def test_all_broken_files_are_told_at_once_and_nothing_is_served(tmp_path: Path) -> None:
    files(
        tmp_path,
        good__ttl="<a> <b> <c> .",
        prefix__ttl="<a> <b>\n  c:d .",
        rules__n3="{ <a> <b> ?x } => { <c> <d> <e> } .",
        object__trig="<g> {\n <a> <b> }",
        relative__nt="<a> <b> <c> .",
        comma__json='{"@id": "a:a",\n}',
        remote__jsonld='{\n  "@id": "a:a", "@context": "https://schema.org/",\n  "name": "a"\n}',
        address__rdf=XML.format('\n<rdf:Description rdf:about="a b"/>\n'),
    )
    (tmp_path / "half.ttl.gz").write_bytes(gzip.compress(b"<a> <b> <c> .")[:-4])
    (tmp_path / "bytes.ttl").write_bytes(b"<a> <b> '\xff' .")
    result = run(*sorted(path.name for path in tmp_path.iterdir()), "--port", "0", folder=tmp_path)
    assert (result.returncode, result.stdout) == (1, "")
    *told, last = result.stderr.splitlines()
    expected = {  # the place, what is said there by us, and a word of the parser's
        "address.rdf:2:1": ("This is not RDF/XML: ", "'a b'"),
        "bytes.ttl:1:10": ("This is not Turtle: ", "UTF-8"),
        "comma.json:2:1": ("This is not JSON-LD: ", "omma"),
        "half.ttl.gz:1:1": ("This gzip file is damaged: ", "end"),
        "object.trig:2:10": ("This is not TriG: ", "}"),
        "prefix.ttl:2:3": ("This is not Turtle: ", "c:"),
        "relative.nt:1:1": ("This is not N-Triples: ", "scheme"),
        "remote.jsonld:2:17": (
            "The @context is on another server and is not fetched.",
            "Copy the context into the file.",
        ),
        "rules.n3:1:1": ("This is not Turtle: ", "{"),
    }
    assert [line.split()[0] for line in told] == list(expected)
    for line, (ours, theirs) in zip(told, expected.values(), strict=True):
        assert f"  error    {ours}" in line
        assert theirs in line.partition(ours)[2]
        assert line.endswith(".  [syntax]")
    assert last == "The data has errors. Fix them and run the command again."


@pytest.mark.server
@pytest.mark.parametrize(
    ("entities", "is_read"),
    [
        ('<!ENTITY e "https://e.example/">', True),
        ('<!ENTITY a "aaaaaaaaaa"><!ENTITY e "&a;&a;">', False),
        ('<!ENTITY e SYSTEM "file:///etc/hostname">', False),
        (f'<!ENTITY e "{"e" * 600}">', False),
    ],
)
def test_entities_are_short_names_and_nothing_that_grows(
    entities: str, is_read: bool, tmp_path: Path
) -> None:
    text = XML.format('<rdf:Description rdf:about="https://e.example/x">&e;</rdf:Description>')
    start = text.index("<rdf:RDF")
    (tmp_path / "a.rdf").write_text(f"{text[:start]}<!DOCTYPE r [\n{entities}]>{text[start:]}")
    if is_read:
        refuse_unbounded((tmp_path / "a.rdf").read_bytes(), SUFFIXES[".rdf"])
    else:
        with pytest.raises(ProblemsFound, match=r"a\.rdf:2:.*the entity 'e' is not a namespace"):
            read([tmp_path / "a.rdf"], "https://e.example/")


@pytest.mark.server
@pytest.mark.parametrize(
    ("suffix", "start", "inner", "middle", "outer"),
    [
        (".ttl", "<a> <b> ", "<<( <a> <b> ", "'<<'", " )>>"),
        (".nt", "<a:a> <a:b> ", "<<( <a:a> <a:b> ", "<a:c>", " )>>"),
        (".rdf", "", "<e:a xmlns:e='http://e/'>", "", "</e:a>"),
    ],
)
def test_what_is_nested_too_deeply_is_refused_before_it_is_read(
    suffix: str, start: str, inner: str, middle: str, outer: str, tmp_path: Path
) -> None:
    """A parser ends with the stack, and all that it runs in."""
    path = tmp_path / f"a{suffix}"
    for depth, is_read in ((DEEPEST // 2, True), (100_000, False)):
        text = f"{start}{inner * depth}{middle}{outer * depth}"
        end = " # <<" * 300 + "\n.\n" if suffix == ".ttl" else " .\n"
        path.write_text(XML.format(text) if suffix == ".rdf" else text + end, encoding="utf-8")
        if is_read:
            refuse_unbounded(path.read_bytes(), SUFFIXES[suffix])
        else:
            with pytest.raises(ProblemsFound, match="nested more than 200 levels deep"):
                read([path], "https://e.example/")


def test_a_mark_of_the_byte_order_does_no_harm(tmp_path: Path) -> None:
    paths = [tmp_path / f"a{suffix}" for suffix in SYNTAXES]
    for path in paths:
        path.write_text(SYNTAXES[path.suffix].format("a", "a"), encoding="utf-8-sig")
    assert set(read(paths, BASE).nquads.splitlines()) == {
        f'<{BASE}a> <http://schema.org/name> "a" .'.encode()
    }


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["a.ttl", "a.pdf"],
            ("a.pdf: unknown suffix. Known: .ttl, .n3, .trig, .nt, .nq, .jsonld, .json, .rdf,"),
        ),
        (["a.ttl", "none.ttl"], "Path 'none.ttl' does not exist"),
        ([".", "a.ttl"], "Give one folder (SITE or FOLDER), or any number of FILEs"),
        ([".", "."], "Give one folder (SITE or FOLDER), or any number of FILEs"),
        (["a.ttl", "--watch"], "--watch works only with a SITE"),
        (["a.ttl", "--today", "2026-01-01"], "--today works only with a SITE"),
        ([".", "--base", "http://example.org/"], "--base works only with FILEs"),
        (["a.ttl", "--base", "example"], "'example' is not a valid base"),
    ],
)
def test_wrong_use_is_2_and_says_what_would_be_right(
    arguments: list[str], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files(tmp_path, a__ttl="", a__pdf="")
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["serve", *arguments])
    assert (result.exit_code, result.stdout) == (2, "")
    assert words in re.sub(r"\s+", " ", result.stderr)


@pytest.mark.server
@pytest.mark.proof
def test_a_site_can_be_asked_without_the_union(example: Path) -> None:
    count = "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"
    with serving(example, KG_SERVE_UNION="0") as server:
        assert ask(server, count) == [{"n": "0"}]
        assert int(ask(server, count.replace("?s ?p ?o", "GRAPH ?g { ?s ?p ?o }"))[0]["n"]) > 1000


@pytest.mark.process
def test_only_what_is_needed_is_loaded(tmp_path: Path) -> None:
    [path] = files(tmp_path, a__ttl="")
    program = """
import sys
from kg.web import serve
serve.serve = lambda stage, *_: print(*sys.modules)
from kg.cli import main
main(["serve", sys.argv[1]], standalone_mode=False)
"""
    shown = subprocess.run(
        [sys.executable, "-c", program, path], capture_output=True, text=True, check=True
    ).stdout.split()
    assert "kg.web.app" in shown
    assert not {"rdflib", "pyshacl", "pydantic", "yaml", "kg.facts", "kg.publish.site"} & set(shown)


def test_the_title_names_some_files_without_their_folders() -> None:
    assert title([Path("/some/where/a.ttl")]) == "a.ttl"
    assert (
        title([Path(f"/some/where/{name}.nq") for name in "abcde"]) == "a.nq, b.nq, c.nq and 2 more"
    )
