"""Sites that lie, never end, or send what could do harm: each is bounded and reported, and the
others are joined as ever.
"""

from __future__ import annotations

import gzip
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from kg.plugins.join import checking, facts, fetching
from kg.plugins.join.facts import LeftOut
from kg.plugins.join.fetching import CheckedNetwork, Described, NotJoined, fetch, redirected
from kg.settings import Joined
from tests.kinds import starts
from tests.plugins.join.conftest import Members
from tests.plugins.join.member_sites import (
    Handler,
    Host,
    build,
    full_name,
    hosted,
    join,
    key,
    orcid,
    people,
    publish,
    select,
    works,
)

NAME = "http://schema.org/name"
TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
PERSON = f"{TYPE} <http://schema.org/Person>"
OWNER = f" ; {TYPE} <https://w3id.org/cv-kg/terms#Owner>"


@contextmanager
def liar(folder: Path, dump: str | bytes, base: str = "", dumps: str = "dump.nq") -> Iterator[Host]:
    """A host whose description and dump say what they like."""
    public = folder / "liar"
    (public / ".well-known").mkdir(parents=True)
    with hosted(public) as host:
        own = base or host.url
        (public / ".well-known/void").write_text(
            f'<{own}void#it> <http://rdfs.org/ns/void#uriSpace> "{own}" ; '
            f"<http://rdfs.org/ns/void#dataDump> <{own}{dumps}> ; "
            '<http://purl.org/dc/terms/title> "Liar" .\n'
        )
        body = dump.replace("BASE", host.url).encode() if isinstance(dump, str) else dump
        (public / dumps).write_bytes(body)
        yield host


def person(name: str = "Mallory", more: str = "", slug: str = "mallory") -> str:
    """A person in N-Triples; `more` are further properties, each after a semicolon."""
    foaf = "http://xmlns.com/foaf/0.1/"
    text = f'{PERSON} ; {TYPE} <{foaf}Person> ; <{NAME}> "{name}" ; <{foaf}name> "{name}" {more}'
    return "".join(f"<BASEpeople/{slug}#it> {each.strip()} .\n" for each in text.split(" ; "))


@dataclass(frozen=True)
class Crowd:
    """Three good sites and many others that one run of `kg join` visited."""

    union: Path
    said: str
    public: Path
    good: list[str]
    hosts: dict[str, Host]

    def of(self, name: str) -> str:
        """What the run said about a host."""
        url = self.hosts[name].url
        return "\n".join(line for line in self.said.split("\n") if url in line)


def answering(status: int, **headers: str) -> Callable[[Handler], None]:
    return lambda handler: handler.answer(status, **headers)


BROKEN = {"end": "<BASEpeople/x#it> <broken", "bytes": "\x00\x01", "depth": "<<" * 5000}
ELSEWHERE = ("http://127.0.0.1:1/", "http://169.254.169.254/", "file:///x")
VICTIM = "https://victim.example/"


@pytest.fixture(scope="module")
@starts("server")
def crowd(three_hosts: Members, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crowd]:
    three_hosts.reset()
    folder, hosts = tmp_path_factory.mktemp("crowd"), dict[str, Host]()
    with ExitStack() as stack, pytest.MonkeyPatch.context() as patch:
        patch.setattr(fetching, "DUMP_BYTES", 3_000_000)
        patch.setattr(facts, "MAX_DOCUMENTS", 200)

        def add(name: str, dump: str | bytes, base: str = "", dumps: str = "dump.nq") -> Host:
            host = stack.enter_context(liar(folder / name, dump, base, dumps))
            hosts[name] = host
            return host

        ada = f"<{three_hosts.urls[0]}people/{key(0)}#it>"
        slander = f'{ada} <http://schema.org/award> "Fraud of the year" .\n'
        add("slander", slander + person("Slander"))
        add("added", person(full_name(0), ADDED, "ada"))
        add("victim", person("Victim"), VICTIM)
        add("scripts", person(SCRIPT, SCRIPTS))
        for name, dump in BROKEN.items():
            add(name, dump)
        add("shapes", WRONG_SHAPES + person("Shapes"))
        add("many", "".join(person(f"P {number}", slug=f"p-{number}") for number in range(201)))
        add("large", b"\n" * 3_000_001)
        add("bomb", gzip.compress(b"\n" * 30_000_000, 1), dumps="dump.nq.gz")
        add("unmodified", person()).answers["*"] = answering(304)
        for number, target in enumerate(ELSEWHERE):
            host = add(f"elsewhere-{number}", person())
            host.answers["*"] = answering(302, Location=target)
        host = add("moved", person("Moved"))
        text = (folder / "moved/liar/.well-known/void").read_bytes()
        host.answers[".well-known/void"] = answering(301, Location="/moved/void")
        host.answers["moved/void"] = lambda handler: handler.answer(200, text)
        host = add("described", person("Described"))
        void = folder / "described/liar/.well-known/void"
        void.write_text(
            void.read_text().replace('"Liar"', f'"Liar\\" .\\n{HARM}"')
            + f'<{host.url}void#it> <http://purl.org/dc/terms/license> "https://x/{HARM}" .\n'
        )
        add("robots", person("Robots"))
        (folder / "robots/liar/robots.txt").write_text("User-agent: cv-kg-join\nDisallow: /\n")
        addresses = [host.url for host in hosts.values()]
        host, mallory = neighbour(stack, folder / "neighbour")
        hosts["neighbour"] = host
        union, public = folder / "union", folder / "public"
        done = join(union, *three_hosts.urls, *addresses, mallory)
        build(union, public)
        yield Crowd(union, done.output, public, [*three_hosts.urls], hosts)


def neighbour(stack: ExitStack, folder: Path) -> tuple[Host, str]:
    """A host with a folder for each person, and the address of one who lies about another."""
    host = stack.enter_context(liar(folder, person("Neighbour")))
    ada = f"{host.url}~ada/"
    void = (folder / "liar/.well-known/void").read_text().replace(host.url, ada)
    (folder / "liar/~mallory/.well-known").mkdir(parents=True)
    (folder / "liar/~mallory/.well-known/void").write_text(void)
    return host, f"{host.url}~mallory/"


def joined_with(three: Members, host: Host, folder: Path, *options: str) -> str:
    """The output of a run with three good sites and one other; the good ones are joined."""
    done = join(folder, *three.urls, host.url, *options)
    names = people(folder)
    assert {full_name(each) for each in range(3)} <= {*names}
    assert works(folder) == [f"Results of experiment {number}" for number in range(3)]
    return done.output


def test_the_good_sites_are_joined_as_ever(crowd: Crowd) -> None:
    assert {full_name(each) for each in range(3)} <= {*people(crowd.union)}
    assert works(crowd.union) == [f"Results of experiment {number}" for number in range(3)]
    assert not [line for url in crowd.good for line in crowd.said.split("\n") if f"{url} " in line]


def test_statements_about_other_sites_are_left_out(crowd: Crowd) -> None:
    url, good = crowd.hosts["slander"].url, crowd.good[0]
    assert f"1 × statement about an address outside {url}, e.g. {good}" in crowd.said
    assert "Fraud" not in everything(crowd.union)
    assert "Slander" in people(crowd.union)


ADDED = (
    f" ; <http://schema.org/sameAs> <https://orcid.org/{orcid(0)}>"
    ' ; <http://schema.org/award> "Forged medal"'
    ' ; <http://schema.org/birthDate> "1950-01-01"^^<http://www.w3.org/2001/XMLSchema#date>'
)


def test_nothing_is_added_to_a_person_with_a_site(crowd: Crowd) -> None:
    """Not even with their ORCID iD: only the name is joined."""
    assert "Forged" not in everything(crowd.union)
    assert "1950" not in everything(crowd.union)
    assert people(crowd.union).count(full_name(0)) == 1


def test_a_cv_with_the_orcid_of_another_is_not_that_person(three: Members, tmp_path: Path) -> None:
    """Even if the site comes first in the order of trust."""
    more = f" ; <http://schema.org/sameAs> <{orcid_of(0)}>{OWNER}"
    union = tmp_path / "union"
    with liar(tmp_path, person("Mallory", more)) as host:
        done = join(union, host.url, *three.urls)
    assert "both have a CV and their names differ" in done.output
    owners = select(union, "SELECT ?n { ?p a cv:Owner ; schema:name ?n }")
    assert owners == sorted([("Mallory",), *((full_name(each),) for each in range(3))])
    papers = select(union, "SELECT ?w { ?w schema:author ?p . ?p schema:name 'Mallory' }")
    assert papers == []


def test_another_base_needs_permission(crowd: Crowd) -> None:
    assert f"says that its base is {VICTIM}" in crowd.of("victim")
    assert f"add 'base: {VICTIM}'" in crowd.of("victim")
    assert crowd.hosts["victim"].requests["dump.nq"] == 0


def test_a_neighbour_on_the_host_is_another_base(crowd: Crowd) -> None:
    """Universities give each person a folder on one host."""
    host = crowd.hosts["neighbour"]
    said = f"its base is {host.url}~ada/, which is not below {host.url}~mallory/"
    assert said in crowd.of("neighbour")
    assert host.requests["~mallory/.well-known/void"] == 1
    assert host.requests["~ada/dump.nq"] == 0
    assert "Neighbour" not in people(crowd.union)


def test_a_dump_of_another_base_needs_permission(three: Members, tmp_path: Path) -> None:
    with liar(tmp_path, person().replace("BASE", "https://victim.example/")) as host:
        union = tmp_path / "union"
        said = join(union, f"{host.url}dump.nq", *three.urls).output
        assert "its base is https://victim.example/" in said
        assert "Mallory" not in people(union)
        site = union / "data/site.yaml"
        line = f'- {{site: "{host.url}dump.nq", base: "https://victim.example/"}}'
        site.write_text(site.read_text().replace(f'- "{host.url}dump.nq"', line))
        assert "1 new" in join(union).output
    assert "Mallory" in people(union)


def test_two_sites_cannot_have_one_base(three: Members, tmp_path: Path) -> None:
    with liar(tmp_path, person(), base=three.urls[0]) as host:
        union = tmp_path / "union"
        join(union, three.urls[0])
        site = union / "data/site.yaml"
        entry = f"  - {{site: '{host.url}', base: '{three.urls[0]}'}}\n"
        site.write_text(site.read_text() + entry)
        said = join(union).output
    assert f"has the base {three.urls[0]}, as {three.urls[0]} has" in said
    assert "Mallory" not in people(union)


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        (" ; <http://schema.org/url> <javascript:alert(1)>", "link with the scheme 'javascript'"),
        (" ; <http://schema.org/image> <data:text/html,x>", "link with the scheme 'data'"),
        (" ; <http://schema.org/url> <file:///etc/passwd>", "link with the scheme 'file'"),
        (" ; <http://schema.org/knows> _:b", "link to a blank node or a triple"),
    ],
)
def test_links_that_run_scripts_are_left_out(more: str, reason: str) -> None:
    left_out = LeftOut()
    dump = person("Mallory", more).replace("BASE", "https://m.example/").encode()
    lines = facts.read(dump, fetching.syntax_of("x.nq"), "https://m.example/", left_out)
    assert len(lines) == 4, "the classes and the names"
    assert [*left_out.counts] == [reason]


SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(1)>"
SCRIPTS = ' ; <http://schema.org/description> "[here](javascript:alert(2)) <b onclick=x>"'


def test_scripts_in_names_are_text_on_pages(crowd: Crowd) -> None:
    pages = [page.read_text() for page in crowd.public.rglob("*.html")]
    assert any("&lt;script&gt;alert(1)" in page for page in pages)
    harm = ("<script>alert(1)", "<img src=x", 'href="javascript', "<b onclick")
    assert not [each for each in harm for page in pages if each in page]


@pytest.mark.parametrize("name", BROKEN)
def test_broken_rdf_is_reported(crowd: Crowd, name: str) -> None:
    said = f"{crowd.hosts[name].url} sent a dump that is not valid N-Quads"
    assert said in crowd.of(name)


WRONG_SHAPES = (
    f"<BASEpeople/nobody#it> {PERSON} .\n"
    '<BASEpeople/mallory#it> <http://schema.org/birthDate> "yesterday"^^'
    "<http://www.w3.org/2001/XMLSchema#date> .\n"
)


def test_facts_that_fail_the_shapes_are_left_out(crowd: Crowd) -> None:
    """A person without a name, a date that is none, and the rest is used."""
    assert "'yesterday' is not a valid xsd:date" in crowd.of("shapes")
    assert "people/nobody#it" in crowd.of("shapes")
    assert "Shapes" in people(crowd.union)
    assert "people/nobody" not in everything(crowd.union)


def test_the_shapes_of_the_joining_site_apply(three: Members, tmp_path: Path) -> None:
    union = tmp_path / "union"
    (union / "shapes").mkdir(parents=True)
    (union / "shapes/affiliated.ttl").write_text(
        "@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix schema: <http://schema.org/> .\n"
        "@prefix cv: <https://w3id.org/cv-kg/terms#> .\n"
        "<shapes#affiliated> a sh:NodeShape ; sh:targetClass cv:Owner ; sh:property [\n"
        '  sh:path schema:affiliation ; sh:minCount 1 ; sh:message "has no affiliation." ] .\n'
    )
    with liar(tmp_path, person("Mallory", OWNER)) as host:
        said = joined_with(three, host, union)
    assert "has no affiliation" in said
    assert "Mallory" not in people(union)


def test_too_many_documents_are_refused(crowd: Crowd) -> None:
    assert f"{crowd.hosts['many'].url} has more than 200 documents" in crowd.said


@pytest.mark.proof
def test_a_hundred_thousand_documents_are_refused_soon(three: Members, tmp_path: Path) -> None:
    dump = "".join(person(f"Person {number}", slug=f"p-{number}") for number in range(100_000))
    with liar(tmp_path, dump) as host:
        started = time.monotonic()
        said = joined_with(three, host, tmp_path / "union")
    assert f"{host.url} has more than 20,000 documents" in said
    assert time.monotonic() - started < 30


@pytest.mark.proof
def test_facts_that_take_too_long_to_check_are_refused(
    three: Members, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rules that compare pairs of works take hours for 20,000 works with one title."""
    monkeypatch.setattr(checking, "SECONDS", 5)
    headline = '<http://schema.org/headline> "Same"'
    kinds = [f"{TYPE} <http://schema.org/{each}>" for each in ("ScholarlyArticle", "Article")]
    author = "<http://schema.org/author> <BASEpeople/mallory#it>"
    works = (
        f"<BASEpublications/w-{number}#it> {each} .\n"
        for number in range(19_000)
        for each in (*kinds, headline, author)
    )
    with liar(tmp_path, person() + "".join(works)) as host:
        said = joined_with(three, host, tmp_path / "union")
    assert f"{host.url} takes more than 5 s to check" in said


@pytest.mark.proof
def test_facts_that_need_too_much_memory_are_refused(
    three: Members, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "MEMORY", 300 << 20)
    aliases = (f' ; <http://schema.org/alternateName> "{each}"' for each in range(200_000))
    with liar(tmp_path, person("Mallory", "".join(aliases))) as host:
        said = joined_with(three, host, tmp_path / "union")
    assert f"{host.url} needs more than 300 MB of memory to check" in said


def test_of_a_dump_of_everything_the_facts_are_read(tmp_path: Path) -> None:
    base, it = "https://m.example/", "<https://m.example/people/mallory#it>"
    dump = person().replace("BASE", base)
    page = f"{it} <http://schema.org/mainEntityOfPage> <{base}people/mallory> <{base}pages> .\n"
    syntax = fetching.syntax_of("all.nq")
    lines = facts.read(f"{dump}{page}".encode(), syntax, base, LeftOut())
    assert lines == sorted(dump.splitlines(keepends=True))


def test_a_name_of_many_entries_is_left_out(tmp_path: Path) -> None:
    left_out = LeftOut()
    dump = "".join(person("Bo Ek", slug=f"p-{number}") for number in range(102))
    base = "https://m.example/"
    data = dump.replace("BASE", base).encode()
    lines = facts.read(data, fetching.syntax_of("x.nq"), base, left_out)
    assert left_out.counts == {"name or identifier of more than 100 entries": 2}
    assert len(lines) == 4 * 102 - 2


@pytest.mark.parametrize("name", ["large", "bomb"])
def test_a_dump_that_is_or_unpacks_to_too_much_is_refused(crowd: Crowd, name: str) -> None:
    assert f"{crowd.hosts[name].url} sent more than 3 MB" in crowd.said


def test_not_modified_is_no_first_answer(crowd: Crowd) -> None:
    assert f"{crowd.hosts['unmodified'].url} returned HTTP 304" in crowd.said


def test_a_slow_site_is_given_up(three: Members, tmp_path: Path) -> None:
    over = threading.Event()

    def drip(handler: Handler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "100000")
        handler.end_headers()
        while not over.wait(0.2):
            try:
                handler.wfile.write(b"#")
            except OSError:
                return

    with liar(tmp_path, person()) as host:
        host.answers["*"] = drip
        started = time.monotonic()
        said = joined_with(three, host, tmp_path / "union", "--timeout", "2")
        over.set()
    assert f"{host.url} did not answer within 2 s" in said
    assert time.monotonic() - started < 30


@pytest.mark.parametrize("number", range(len(ELSEWHERE)))
def test_redirects_lead_nowhere_else(crowd: Crowd, number: int) -> None:
    name, target = f"elsewhere-{number}", ELSEWHERE[number]
    assert f"redirects to {target}, which was not contacted" in crowd.of(name)


def test_redirects_to_an_unencrypted_address_are_not_followed() -> None:
    address = "https://lab.example/dump.nq"
    assert redirected(address, "/b/dump.nq", "lab.example") == "https://lab.example/b/dump.nq"
    with pytest.raises(NotJoined, match="was not contacted"):
        redirected(address, "http://lab.example/dump.nq", "lab.example")
    address = address.replace("https", "http")
    assert redirected(address, "https://lab.example/", "lab.example") == "https://lab.example/"


def test_redirects_within_the_host_are_followed(crowd: Crowd) -> None:
    assert crowd.hosts["moved"].requests["moved/void"] == 1
    assert "Moved" in people(crowd.union)


def test_a_name_of_a_private_address_is_not_contacted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The name server of the other site decides where its name leads."""

    def resolve(host: str, port: int, **_: object) -> list[tuple[object, ...]]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    with pytest.raises(NotJoined, match=r"leads to the private address 127\.0\.0\.1"):
        fetch(Joined("http://lab.example/"), Described(), Path())


def test_the_network_check_is_used() -> None:
    client = fetching.MemberClient("http://lab.example/")
    try:
        pool = getattr(client.http._transport, "_pool", None)
        assert isinstance(getattr(pool, "_network_backend", None), CheckedNetwork)
    finally:
        client.close()


HARM = '> <http://schema.org/name> \\"Harm\\" .\\n<x'


def test_descriptions_cannot_add_statements(crowd: Crowd) -> None:
    """Title and licence are written into the Turtle of the union."""
    url = crowd.hosts["described"].url
    assert select(crowd.union, "SELECT ?s { ?s schema:name 'Harm' }") == []
    [(title,)] = select(crowd.union, f"SELECT ?n {{ ?s schema:url <{url}> ; schema:name ?n }}")
    assert title.startswith('Liar" .')


def test_a_site_cannot_make_one_person_of_two_on_other_sites(tmp_path: Path) -> None:
    """By one entry with the identifiers of both. The most trusted site may."""
    orcids = [f" ; <http://schema.org/sameAs> <{orcid_of(number)}>" for number in (0, 1)]
    with (
        liar(tmp_path / "1", person("Ada", orcids[0])) as one,
        liar(tmp_path / "2", person("Bo", orcids[1])) as two,
        liar(tmp_path / "3", person("Ada", "".join(orcids))) as three,
    ):
        done = join(tmp_path / "union", one.url, two.url, three.url)
        assert people(tmp_path / "union") == ["Ada", "Bo"]
        assert "only a less trusted site says so, and their names differ" in done.output
        join(tmp_path / "trusting", three.url, one.url, two.url)
        assert len(people(tmp_path / "trusting")) == 1


CLAIMS = {
    "address": 'mbox_sha1sum> "7e4339f62ea5908af74d13203a0d31465c9c23d2"',
    "homepage": "homepage> <https://ada.example/>",
}


@dataclass(frozen=True)
class Claimed:
    """A run with sites that claim what is of another person."""

    union: Path
    said: str
    hosts: dict[str, Host]


@pytest.fixture(scope="module", params=[False, True], ids=["last", "first"])
def claimed(
    request: pytest.FixtureRequest, three_hosts: Members, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Claimed]:
    """The e-mail address and the homepage of a person, whose own site has both."""
    three_hosts.reset()
    folder = tmp_path_factory.mktemp("claimed")
    cv = three_hosts.folder / f"site-0/data/cv/{key(0)}.yaml"
    own = "basics:\n  email: ada@ada.example\n  url: https://ada.example/\n"
    cv.write_text(cv.read_text().replace("basics:\n", own))
    publish(three_hosts.folder / "site-0", three_hosts.hosts[0].public)
    with ExitStack() as stack:
        hosts = {
            name: stack.enter_context(
                liar(
                    folder / name,
                    person(f"Aaa {name}", f" ; <http://xmlns.com/foaf/0.1/{claim}", "aaa"),
                )
            )
            for name, claim in CLAIMS.items()
        }
        urls = [host.url for host in hosts.values()]
        sites = [*urls, *three_hosts.urls] if request.param else [*three_hosts.urls, *urls]
        yield Claimed(folder / "union", join(folder / "union", *sites).output, hosts)


@pytest.mark.parametrize("name", CLAIMS)
def test_claims_to_what_is_of_another_harm_nobody_else(claimed: Claimed, name: str) -> None:
    """Rules about pairs report the person; what is left out is the other entry."""
    union = claimed.union
    assert f"{claimed.hosts[name].url}: left out: 1 × " in claimed.said
    assert len(select(union, "SELECT ?p { ?p a cv:Owner }")) == 3
    assert works(union) == [f"Results of experiment {number}" for number in range(3)]
    mine = f"<https://union.example.org/people/{key(0)}#it>"
    of_ada = [line for line in everything(union).split("\n") if line.startswith(mine)]
    assert len([line for line in of_ada if "mbox_sha1sum" in line]) == 1
    assert len([line for line in of_ada if "homepage" in line]) == 1
    assert everything(union).count(CLAIMS[name]) == 1


def test_a_work_without_an_author_in_common_is_another(three: Members, tmp_path: Path) -> None:
    """Even with the DOI, and first in the order of trust."""
    work, foaf = "<BASEpublications/stolen#it>", "http://xmlns.com/foaf/0.1/"
    s = "http://schema.org/"
    dump = person("Mallory", OWNER) + "".join(
        f"{each} .\n"
        for each in (
            f"{work} {TYPE} <{s}ScholarlyArticle>",
            f"{work} {TYPE} <{s}Article>",
            f"{work} {TYPE} <{s}CreativeWork>",
            f"{work} {TYPE} <{foaf}Document>",
            f'{work} <{s}headline> "Mine"',
            f'{work} <{s}name> "Mine"',
            f"{work} <{s}sameAs> <https://doi.org/10.1234/exp.0>",
            f"{work} <{s}author> <BASEpeople/mallory#it>",
            f"{work} <{s}creator> <BASEpublications/stolen#author-1>",
            f"<BASEpublications/stolen#author-1> {TYPE} <{s}ListItem>",
            f'<BASEpublications/stolen#author-1> <{s}alternateName> "Mallory"',
            f'<BASEpublications/stolen#author-1> <{s}position> "1"^^'
            "<http://www.w3.org/2001/XMLSchema#integer>",
            f"<BASEpublications/stolen#author-1> <{s}creator> <BASEpeople/mallory#it>",
            f"<BASEpublications/stolen#author-1> <{s}item> <BASEpeople/mallory#it>",
        )
    )
    union = tmp_path / "union"
    with liar(tmp_path, dump) as host:
        said = join(union, host.url, *three.urls).output
    assert "but they have no author in common" in said
    doi = "<https://doi.org/10.1234/exp.0>"
    assert select(union, f"SELECT ?n {{ ?w schema:sameAs {doi} ; schema:headline ?n }}") == [
        ("Results of experiment 0",)
    ]
    authors = "SELECT ?n { ?w schema:headline 'Results of experiment 0' ; schema:author ?a "
    assert select(union, f"{authors} . ?a schema:name ?n }}") == sorted(
        (full_name(each),) for each in range(3)
    )


def test_robots_can_refuse(crowd: Crowd) -> None:
    host = crowd.hosts["robots"]
    assert f"{host.url} refuses cv-kg-join in its robots.txt" in crowd.said
    assert host.requests["dump.nq"] == 0
    assert "Robots" not in people(crowd.union)


def everything(folder: Path) -> str:
    """All that was written for publication."""
    return "".join(file.read_text() for file in (folder / "data").glob("*.ttl"))


def orcid_of(number: int) -> str:
    return f"https://orcid.org/{orcid(number)}"
