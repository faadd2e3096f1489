"""The proof passes on what the build writes, and finds each thing that somebody did to a copy of
it, where it was done.
"""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from kg.errors import KgError
from kg.plugins.verify.private_values import Private
from kg.plugins.verify.published_site import verify_site
from kg.publish.export.folder import MARKER
from kg.publish.formats.media import DATA_SUFFIXES, JSONLD
from kg.publish.site import Documents
from kg.publish.verify import graphs
from kg.publish.verify.markup import Markup
from kg.publish.verify.source import Directory
from kg.publish.verify.verify import choose

ADA, NOOR = "people/ada-lindqvist", "people/noor-haddad"
MORE = b'<https://lab.example.org/people/ada-lindqvist#it> <http://schema.org/name> "Nobody" .\n'
FOUND = set[tuple[str, str]]


def put(folder: Path, path: str, body: bytes) -> None:
    """A file and its packed copy, as a build would write them."""
    (folder / path).write_bytes(body)
    if (folder / f"{path}.gz").exists():
        (folder / f"{path}.gz").write_bytes(gzip.compress(body))


def change(folder: Path, path: str, old: bytes, new: bytes) -> None:
    body = (folder / path).read_bytes()
    assert old in body
    put(folder, path, body.replace(old, new, 1))


def lose(folder: Path, path: str) -> None:
    for each in (path, f"{path}.gz"):
        (folder / each).unlink(missing_ok=True)
    lines = (folder / MARKER).read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / MARKER).write_text(
        "".join(line for line in lines if line.strip() not in (path, f"{path}.gz")),
        encoding="utf-8",
    )


def drop_line(folder: Path, path: str, part: bytes) -> None:
    lines = (folder / path).read_bytes().splitlines(keepends=True)
    [lost] = [number for number, line in enumerate(lines) if part in line]
    put(folder, path, b"".join(lines[:lost] + lines[lost + 1 :]))


def swap(folder: Path) -> None:
    one, other = (folder / f"{page}.html" for page in (ADA, NOOR))
    first, second = one.read_bytes(), other.read_bytes()
    put(folder, f"{ADA}.html", second)
    put(folder, f"{NOOR}.html", first)


def truncate(folder: Path) -> None:
    body = (folder / f"{ADA}.html").read_bytes()
    start = body.index(b'<script type="application/ld+json"')
    end = body.index(b"</script>", start)
    put(folder, f"{ADA}.html", body[: (start + end) // 2] + body[end:])


def list_addresses(folder: Path, without: str, more: str = "") -> None:
    base = "https://lab.example.org/"
    pages = sorted(
        str(path.relative_to(folder).with_suffix(""))
        for path in folder.rglob("*.jsonld")
        if path.name != "index.jsonld"
    )
    addresses = [
        base,
        *(base + page for page in pages if page not in (without, "dump")),
        *([base + more] if more else []),
    ]
    put(folder, "addresses.txt", "".join(f"{address}\n" for address in addresses).encode())


UNSEEN = b'"@type":"Person","identifier":"not here",'
UNTRUE = b'"@type":"Person","givenName":"Northfjord",'
LINK = b'href="../orgs/northfjord.html"'
TAMPERINGS: dict[str, tuple[Callable[[Path], None], FOUND]] = {
    "a triple changed in one twin": (
        lambda at: change(at, f"{ADA}.ttl", b"Lindqvist", b"Lindquist"),
        {("graph", f"{ADA}.ttl")},
    ),
    "a triple more in another": (
        lambda at: put(at, f"{ADA}.nt", (at / f"{ADA}.nt").read_bytes() + MORE),
        {("graph", f"{ADA}.nt")},
    ),
    "a value changed in the JSON-LD": (
        lambda at: change(at, f"{ADA}.jsonld", b"hydrology", b"geology"),
        {("graph", f"{ADA}.jsonld")},
    ),
    "a value changed in the page's data": (
        lambda at: change(at, f"{ADA}.html", b'"name":"Ada Lindqvist"', b'"name":"Ada Lindquist"'),
        {("graph", f"{ADA}.html"), ("unseen", f"{ADA}.html")},
    ),
    "a fact that the page does not show in its data": (
        lambda at: change(at, f"{ADA}.html", b'"@type":"Person",', UNSEEN),
        {("unseen", f"{ADA}.html")},
    ),
    "a fact that is true of nobody in the page's data": (
        lambda at: change(at, f"{ADA}.html", b'"@type":"Person",', UNTRUE),
        {("graph", f"{ADA}.html")},
    ),
    "a step without its place in the page's data": (
        lambda at: change(at, f"{ADA}.html", b'"position":1,', b""),
        {("incomplete", f"{ADA}.html")},
    ),
    "an event in the page's data": (
        lambda at: change(at, f"{ADA}.html", b'"@type":"Person",', b'"@type":"ConferenceEvent",'),
        {("graph", f"{ADA}.html"), ("incomplete", f"{ADA}.html")},
    ),
    "very large data in a page": (
        lambda at: change(at, f"{ADA}.html", b'{"@context"', b"{" + b" " * 8000 + b'"@context"'),
        {("embed-size", f"{ADA}.html")},
    ),
    "a breadcrumb in a twin": (
        lambda at: change(
            at,
            f"{ADA}.jsonld",
            b'"name": "Ada Lindqvist",',
            b'"name": "Ada Lindqvist", "breadcrumb": {"@id": "https://lab.example.org/"},',
        ),
        {("graph", f"{ADA}.jsonld")},
    ),
    "another's name changed in a page's data": (
        lambda at: change(
            at,
            f"{ADA}.html",
            b'"name":"Northfjord University"',
            b'"name":"Southfjord University"',
        ),
        {("label", f"{ADA}.html"), ("unseen", f"{ADA}.html")},
    ),
    "a fact of another told in a page's data": (
        lambda at: change(
            at, f"{ADA}.html", b'"name":"Northfjord University"', b'"email":"x@example.org"'
        ),
        {("label", f"{ADA}.html"), ("unseen", f"{ADA}.html")},
    ),
    "data that want the network": (
        lambda at: put(at, f"{ADA}.jsonld", b'{"@context": "https://schema.org/", "name": "x"}'),
        {("unreadable", f"{ADA}.jsonld")},
    ),
    "a thing without an address": (
        lambda at: put(
            at, f"{ADA}.ttl", (at / f"{ADA}.ttl").read_bytes() + b"[] a <https://example.org/x> ."
        ),
        {("unreadable", f"{ADA}.ttl")},
    ),
    "an embed truncated": (truncate, {("unreadable", f"{ADA}.html")}),
    "an embed taken away": (
        lambda at: change(at, f"{ADA}.html", JSONLD.encode() + b'">', b'text/plain">'),
        {("embed", f"{ADA}.html")},
    ),
    "a twin removed": (
        lambda at: (at / f"{ADA}.nt").unlink(),
        {("missing", f"{ADA}.nt"), ("link", f"{ADA}.html")},
    ),
    "a twin removed and no longer listed": (
        lambda at: lose(at, f"{ADA}.nt"),
        {("missing", f"{ADA}.nt"), ("link", f"{ADA}.html")},
    ),
    "a twin no longer announced": (
        lambda at: change(
            at,
            f"{ADA}.html",
            b'rel="alternate describedby" type="text/turtle"',
            b'rel="other" type="text/turtle"',
        ),
        {("twin", f"{ADA}.html")},
    ),
    "a page in Markdown that says something else": (
        lambda at: change(at, f"{ADA}.md", b"# Ada", b"# Eda"),
        {("twin", f"{ADA}.md")},
    ),
    "a page in Markdown with a broken link": (
        lambda at: change(at, f"{ADA}.md", b"(../orgs/northfjord.md)", b"(../orgs/southfjord.md)"),
        {("link", f"{ADA}.md"), ("twin", f"{ADA}.md")},
    ),
    "a page in Markdown with a link to another page": (
        lambda at: change(at, f"{ADA}.md", b"(../orgs/northfjord.md)", b"(../orgs/delta-works.md)"),
        {("twin", f"{ADA}.md")},
    ),
    "a page swapped with another": (
        swap,
        {
            (rule, page + suffix)
            for rule, suffix in (("canonical", ".html"), ("twin", ".html"), ("twin", ".md"))
            for page in (ADA, NOOR)
        },
    ),
    "a link broken": (
        lambda at: change(at, f"{ADA}.html", LINK, b'href="../orgs/southfjord.html"'),
        {("link", f"{ADA}.html"), ("twin", f"{ADA}.md")},
    ),
    "a link out of the site": (
        lambda at: change(at, f"{ADA}.html", LINK, b'href="../../x.html"'),
        {("link", f"{ADA}.html"), ("twin", f"{ADA}.md")},
    ),
    "a link to the top of the host": (
        lambda at: change(at, f"{ADA}.html", LINK, b'href="/orgs/"'),
        {("link", f"{ADA}.html"), ("twin", f"{ADA}.md")},
    ),
    "a fragment that names nothing": (
        lambda at: change(at, f"{ADA}.html", LINK, b'href="../orgs/northfjord.html#nothing"'),
        {("link", f"{ADA}.html"), ("twin", f"{ADA}.md")},
    ),
    "a link broken in the form for questions": (
        lambda at: change(at, "sparql.html", b'href="./people/"', b'href="./peoples/"'),
        {("link", "sparql.html")},
    ),
    "an answer changed": (
        lambda at: change(at, "queries/papers-per-year.csv", b"2", b"3"),
        {("answer", "queries/papers-per-year.csv")},
    ),
    "an answer removed": (
        lambda at: lose(at, "queries/papers-per-year.json"),
        {("link", "queries/papers-per-year.html")},
    ),
    "an asset removed": (lambda at: lose(at, "static/icon.svg"), {("link", "*")}),
    "a listed file removed": (lambda at: (at / "void.ttl").unlink(), {("missing", "void.ttl")}),
    "HTML malformed": (
        lambda at: change(at, f"{ADA}.html", b"</section>", b""),
        {("html", f"{ADA}.html")},
    ),
    "a page that is not UTF-8": (
        lambda at: change(at, "format.html", b"</main>", b"\xff</main>"),
        {("html", "format.html")},
    ),
    "a packed copy that differs": (
        lambda at: (
            (at / f"{ADA}.html.gz").write_bytes((at / f"{NOOR}.html.gz").read_bytes()) and None
        ),
        {("packed", f"{ADA}.html.gz")},
    ),
    "a packed copy that cannot be unpacked": (
        lambda at: (at / "dump.nq.gz").write_bytes(b"x") and None,
        {("packed", "dump.nq.gz")},
    ),
    "a line of the dump lost": (
        lambda at: drop_line(at, "dump.nq", b'foaf/0.1/name> "Ada Lindqvist"'),
        {("graph", "dump.nq"), ("dump", "all.nq")},
    ),
    "a line about a page lost": (
        lambda at: drop_line(at, "all.nq", b"/people/> <http://schema.org/name>"),
        {("graph", "dump.nq")},
    ),
    "a line about a page that cannot be read": (
        lambda at: change(at, "all.nq", b"/people/> <", b"/people/> ? <"),
        {("unreadable", "all.nq")},
    ),
    "a line of another graph among the pages": (
        lambda at: put(at, "all.nq", (at / "all.nq").read_bytes() + MORE),
        {("dump", "all.nq")},
    ),
    "a fact lost in the file with everything": (
        lambda at: drop_line(at, "all.nq", b'foaf/0.1/name> "Ada Lindqvist"'),
        {("dump", "all.nq")},
    ),
    "a line of the description lost in the file with everything": (
        lambda at: drop_line(at, "all.nq", b"/void#it> <http://rdfs.org/ns/void#triples>"),
        {("dump", "all.nq")},
    ),
    "a line of another dump lost": (
        lambda at: drop_line(at, "dump.nt", b'foaf/0.1/name> "Ada Lindqvist"'),
        {("dump", "dump.nt")},
    ),
    "a line more in a dump": (
        lambda at: put(at, "dump.ttl", (at / "dump.ttl").read_bytes() + MORE),
        {("dump", "dump.ttl")},
    ),
    "a dump removed": (lambda at: lose(at, "dump.jsonld"), {("missing", "dump.jsonld")}),
    "a dump that cannot be read": (
        lambda at: change(at, "dump.nq", b"> <", b"> ? <"),
        {("unreadable", "dump.nq"), ("dump", "all.nq")},
    ),
    "hidden files that were not uploaded": (
        lambda at: lose(at, ".well-known/void"),
        {("missing", ".well-known/void")},
    ),
    "a page of the host instead of the description": (
        lambda at: put(at, ".well-known/void", b"<!doctype html><title>Not found</title>"),
        {("description", ".well-known/void")},
    ),
    "a line of the dump without a document": (
        lambda at: put(at, "dump.nq", (at / "dump.nq").read_bytes() + MORE),
        {("dump", "dump.nq"), ("dump", "all.nq")},
    ),
    "a line of addresses.txt dropped": (
        lambda at: list_addresses(at, NOOR),
        {("address", "addresses.txt")},
    ),
    "an address that leads nowhere": (
        lambda at: list_addresses(at, "", "people/left"),
        {("address", "addresses.txt")},
    ),
    "a sitemap that leads nowhere": (
        lambda at: put(
            at,
            "sitemap.xml",
            b"<urlset><url><loc>https://lab.example.org/people/left</loc></url></urlset>",
        ),
        {("link", "sitemap.xml")},
    ),
}


def proved(folder: Path) -> FOUND:
    return {
        (each.rule, each.place.file) for each in verify_site(Directory(folder, Path())).problems
    }


@pytest.fixture
def copy(built: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(built, tmp_path / "copy"))


def test_what_was_built_is_proved(built: Path, small: Documents) -> None:
    proof = verify_site(Directory(built))
    assert proof.problems == ()
    assert proof.good
    assert (proof.documents, proof.read) == (len(small.addresses), len(small.addresses))
    assert proof.triples == small.graph.nquads.count(b"\n")
    assert [f".{form}" for form in proof.forms] == [*DATA_SUFFIXES]
    assert proof.links > 500
    assert f"{len(small.addresses)} documents: all {len(proof.forms)} formats agree" in str(proof)


def test_nothing_went_missing_here() -> None:
    assert len(TAMPERINGS) >= 30


@pytest.mark.corpus
@pytest.mark.sample(test=0.05)
@pytest.mark.parametrize("what", TAMPERINGS)
def test_who_tampers_is_found_where_it_was_done(copy: Path, what: str) -> None:
    tamper, expected = TAMPERINGS[what]
    tamper(copy)
    found = proved(copy)
    if any(rule == "missing" for rule, _ in expected):
        found = {
            (rule, file) for rule, file in found if rule != "link" or (rule, file) in expected
        }  # much leads there
    if ("link", "*") in expected:
        assert {rule for rule, _ in found} == {"link"}
    else:
        assert found == expected


@pytest.mark.proof
def test_a_page_removed_is_named_and_so_are_the_links_to_it(copy: Path) -> None:
    lose(copy, f"{NOOR}.html")
    found = proved(copy)
    assert ("missing", f"{NOOR}.html") in found
    assert {("link", "index.html"), ("link", "index.md")} <= found
    assert {rule for rule, _ in found} == {"missing", "link"}


def test_a_dump_that_names_files_elsewhere_is_not_followed(copy: Path) -> None:
    (copy.parent / "secret.html").write_text("<p>mine</p>")
    paths = ("../secret", "people/../../secret")
    lines = "".join(
        f'<https://lab.example.org/{path}> <http://schema.org/name> "x" '
        f"<https://lab.example.org/{path}> .\n"
        for path in paths
    )
    put(copy, "dump.nq", (copy / "dump.nq").read_bytes() + lines.encode())
    assert {("missing", str(Path(f"{path}.html"))) for path in paths} <= proved(copy)


def test_a_fault_names_its_line(copy: Path) -> None:
    lines = (copy / f"{ADA}.html").read_bytes().splitlines()
    [heading] = [number for number, line in enumerate(lines, 1) if line.startswith(b"<h1")]
    change(copy, f"{ADA}.html", b"</h1>", b" < </h1>")
    [data] = [number for number, line in enumerate(lines, 1) if line.startswith(b'{"@context"')]
    change(copy, f"{ADA}.html", b'"name":"Ada Lindqvist",', b'"name":"Ada Lindqvist"')
    found = {each.rule: each.place.line for each in verify_site(Directory(copy)).problems}
    assert found.keys() == {"html", "unreadable"}
    assert found["html"] == heading
    assert found["unreadable"] == data


def test_a_document_that_the_dump_forgot_is_missed_there(copy: Path) -> None:
    for path, part in (
        ("dump.nq", b"/places/northfjord-no> ."),
        ("all.nq", b"/places/northfjord-no> ."),
        ("all.nq", b"<https://lab.example.org/places/northfjord-no> <"),
        (
            "all.nq",
            b"<https://lab.example.org/places/northfjord-no#it> <http://purl.org/dc/terms/s",
        ),
    ):
        lines = (copy / path).read_bytes().splitlines(keepends=True)
        put(copy, path, b"".join(line for line in lines if part not in line))
    list_addresses(copy, "")
    found = proved(copy)
    assert {
        ("address", "addresses.txt"),
        ("dump", "dump.nt"),
        ("label", "orgs/northfjord.jsonld"),
    } <= found
    assert {file for rule, file in found if rule == "address"} == {"addresses.txt"}


@pytest.mark.proof
def test_who_knows_the_facts_finds_what_is_private(copy: Path, small: Documents) -> None:
    """In a page, in a file that every site has, and in one that somebody else put there."""
    change(copy, f"{ADA}.html", b"<body>", b"<body><p>ada@example.org</p>")
    style = (copy / "static/style.css").read_bytes()
    put(copy, "static/style.css", style + b"/* ada@example.org */")
    put(copy, "notes.txt", b"write to ada@example.org")
    private = Private(small)
    proof = verify_site(Directory(copy, Path(), private.look), besides=private.faults)
    files = [f"{ADA}.html", "notes.txt", "static/style.css"]
    assert sorted(each.place.file for each in proof.problems) == sorted(files)
    assert {each.rule for each in proof.problems} == {"leak"}
    assert all("data/cv/ada-lindqvist.yaml:" in each.message for each in proof.problems)


@pytest.mark.proof
def test_nothing_private_is_found_where_nothing_is(built: Path, small: Documents) -> None:
    private = Private(small)
    assert verify_site(Directory(built, look=private.look), besides=private.faults).problems == ()
    assert len(private.found) > len(small.files)


def test_a_sample_is_always_the_same_and_says_what_it_left_out(copy: Path, built: Path) -> None:
    addresses = [f"people/{number}" for number in range(100)]
    assert choose(["", *addresses], 10) == choose(["", *addresses], 10)
    assert choose(["", *addresses], 10)[0] == ""
    assert len(choose(["", *addresses], 10)) == 10
    assert choose(addresses, 0) == choose(addresses, 1000) == addresses
    put(copy, "dump.ttl", (copy / "dump.ttl").read_bytes() + MORE)
    proof = verify_site(Directory(copy), sample=12)
    assert (proof.read, proof.problems) == (12, ())
    assert f"a sample of 12 of {proof.documents} documents" in str(proof)
    assert "(dumps not compared)" in str(proof)


def test_a_sample_finds_what_is_in_it(copy: Path) -> None:
    change(copy, "index.ttl", b"A small laboratory", b"A large laboratory")
    assert {
        (each.rule, each.place.file)
        for each in verify_site(Directory(copy, Path()), sample=5).problems
    } == {("graph", "index.ttl")}


def test_many_of_a_kind_are_counted() -> None:
    many = [
        graphs.fault("link", f"page-{number:03}.html", "It is broken.") for number in range(100)
    ]
    told = list(graphs.limited([*many, graphs.fault("html", "x.html", "It is not.")]))
    assert len(told) == graphs.MAX_PER_RULE + 1
    assert told[graphs.MAX_PER_RULE - 1].message == "It is broken. And 80 more like this."


def test_a_folder_that_is_no_site_is_wrong_use(tmp_path: Path) -> None:
    with pytest.raises(KgError, match="is not a built site"):
        verify_site(Directory(tmp_path))
    with pytest.raises(KgError, match="is not a folder"):
        Directory(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("<p>x</p>", ""),
        ("<p>x", "<p> is never closed"),
        ("<p><b>x</p></b>", "</p> comes before <b> of line 1 is closed"),
        ("<p>x</p></p>", "</p> has no opening tag"),
        ("<p><div></div></p>", "<div> is not allowed in a paragraph"),
        ("<div/>", "<div/> is not self-closing in HTML"),
        ("<svg><path d='M0'/></svg>", ""),
        ("<img src='x'><br>", ""),
        ("<a id='x'></a><b id='x'></b>", "the id 'x' is used twice"),
        ("<a href='x' href='y'></a>", "<a> has a duplicate attribute"),
        ("<p>1 < 2</p>", "there is a bare '<' in the text"),
        ("<p>1 &lt; 2 &amp; so on</p><style>a < b {}</style>", ""),
        ("<svg><title>A &amp; B</title></svg><!-- x -->", ""),
        ("<p <b>x</p>", "<p> is written ambiguously"),
        ('<p a"b>x</p>', "<p> is written ambiguously"),
        ("<p>x</p><!-- y", "<!-- y… is not valid HTML"),
        ("<p><![CDATA[x]]></p>", "<![CDATA[x]]>… is not valid HTML"),
    ],
)
def test_html_is_well_formed_or_not(body: str, said: str) -> None:
    found = [message for _, message in Markup(f"<!doctype html>{body}".encode()).faults]
    assert said in found if said else found == []
