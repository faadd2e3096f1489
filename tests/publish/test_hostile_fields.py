"""Values that mean harm, in each field of each kind of entry: the check refuses them on their line,
or they come out as the text that they are, in whatever is published, exported and printed.

The models tell which fields there are, and the site which files: a kind of field that no value is
made for fails here, and so does a kind of file that nobody reads.

`python -m tests.publish.test_hostile_fields` reads every file and every CV, in some minutes.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from pydantic_core import PydanticCustomError
from pyoxigraph import Literal, RdfFormat, parse

from kg import doors
from kg.facts.load import load
from kg.facts.values.social_networks import NETWORKS, page_of
from kg.facts.values.text import SLUG
from kg.plugins.exchange.writers.public_cv import export_cv
from kg.publish.formats.media import HTML
from kg.text.normalize import squeeze
from tests.cli.test_cli import run
from tests.cli.test_cli_harmless import commanding
from tests.cli.test_cli_terminal import as_seen, at_terminal
from tests.graph.test_fields import MARK as PUBLISHED
from tests.publish.harmless import (
    BY_EXPORT,
    EMPTY,
    NAME,
    harm_in,
    harm_in_header,
    of_browsed_page,
)
from tests.publish.hostile_fields import (
    BASE,
    BIBLIOGRAPHIES,
    OF_SITE,
    PLACES,
    WALK,
    Published,
    Sheet,
    Trial,
    as_yaml,
    publish,
    publish_some,
    some_places,
    taken,
)
from tests.publish.hostile_values import HARM, MADE_FOR, MARK, NEVER, SHAPES, kinds_in

pytestmark = pytest.mark.fuzz


@pytest.fixture(scope="module")
def some(tmp_path_factory: pytest.TempPathFactory) -> Published:
    return publish_some(tmp_path_factory.mktemp("some"))


def harm_of(published: Published, share: int = 1) -> Iterator[str]:
    """What of a published file is more than the text that it came from. Of those in folders one of
    `share` is read, in turn of all forms, and a tenth of the pages as browsers do.
    """
    documents = published.documents
    for number, (path, (_, media_type)) in enumerate(documents.files.items()):
        if "/" in path and number % share:
            continue
        document = documents.get(path)
        assert document is not None
        readers = EMPTY if number % 10 else {HTML: of_browsed_page}
        yield from harm_in(path, media_type, document.body, readers)
        header = documents.link_header(path)
        yield from (f"{path}: a header {each}" for each in harm_in_header(header))


def harm_of_exports(published: Published, people: Iterable[str]) -> Iterator[str]:
    for slug in people:
        for name in doors.installed("kg.exporters"):
            exported = export_cv(published.facts, published.documents.graph, slug, name)
            for file, body in exported.files.items():
                yield from (f"{slug} {name} {file}: {each}" for each in BY_EXPORT[name](body))
                if file and not NAME.fullmatch(file):
                    yield f"{slug} {name}: a file {file!r}"


def lost_from(published: Published) -> list[Trial]:
    """Texts that are published, but not as they were written; names have one kind of space."""
    quads = parse(published.documents.graph.nquads, format=RdfFormat.N_QUADS)
    literals = {quad.object.value for quad in quads if isinstance(quad.object, Literal)}
    found = {re.sub(r"(?<=zqx)\d+", "", each, count=1) for each in literals}
    texts = [each for each in published.trials if (each.place, each.field) in TEXTS]
    assert len(texts) > len(published.trials) / 10
    return [each for each in texts if not {each.value.strip(), squeeze(each.value)} & found]


WITHHELD = ("note", "disputed", "accept")  # which are looked for wherever something is published
# Fields whose value is a literal of the graph as it is.
TEXTS = {
    key
    for key, written in WALK.items()
    if key[0] != OF_SITE and any(sign == PUBLISHED for _, sign in written.values)
}


def test_each_kind_of_field_has_values_that_are_made_for_it() -> None:
    kinds = {
        kind
        for written in WALK.values()
        for kind in kinds_in(written.info.annotation, written.info.metadata)
    }
    assert kinds - {*SHAPES} == MADE_FOR.keys() - {"Words"}
    assert {*MADE_FOR.values()} <= HARM.keys()
    assert len(PLACES) > 850


@pytest.mark.proof
def test_some_values_come_out_as_text(some: Published) -> None:
    assert len(some.trials) > 70
    assert [*harm_of(some, share=4)] == []
    assert [*harm_of_exports(some, ["author"])] == []
    assert lost_from(some) == []


def test_what_is_said_of_values_that_are_refused_commands_nothing(tmp_path: Path) -> None:
    trials = [Trial(*key, NEVER, " ".join(HARM[NEVER])) for key in some_places()]
    trials += [Trial(*key, "directions", " ".join(HARM["directions"])) for key in some_places()]
    Sheet(trials).write(tmp_path / "site")
    result = run("check", tmp_path / "site")
    assert result.exit_code == 1
    assert len(result.output.splitlines()) > len(some_places())
    assert commanding(result.output + result.stderr) == set()


@pytest.mark.process
@pytest.mark.proof
def test_what_is_told_of_values_that_are_published_commands_nothing(
    some: Published, tmp_path: Path
) -> None:
    Sheet([]).write(tmp_path / "site")
    for words in (
        ("why", "people/author", "--site", some.folder),
        ("diff", tmp_path / "site", some.folder),
        ("who", "zqx", "--site", some.folder),
    ):
        result = run(*words)
        assert MARK in result.output, words
        assert commanding(result.output + result.stderr) == set(), words
    shown, _ = at_terminal("diff", some.folder, tmp_path / "site", "--triples")
    assert f'"{MARK}' in shown.decode()
    assert commanding("\n".join(as_seen(shown))) == set()


def values_alone(trials: Iterable[Trial]) -> Iterator[Trial]:
    """Each value of trials that were refused, for one field of each kind."""
    seen = set()
    for trial in trials:
        written = WALK.get((trial.place, trial.field))
        kinds = kinds_in(written.info.annotation, written.info.metadata) if written else ()
        key = (trial.harm, trial.field if trial.place in BIBLIOGRAPHIES else frozenset(kinds))
        if key not in seen and len(HARM[trial.harm]) > 1:
            seen.add(key)
            yield from (trial._replace(value=value) for value in HARM[trial.harm])


def publish_whole(folder: Path) -> Published:
    """All values are tried in all fields. Each field is published with some of those that it takes,
    by turns; and each value alone that a kind of field takes.
    """
    places = [each for each in PLACES if each != BASE]
    takes: dict[tuple[str, str], list[str]] = defaultdict(list)
    wrong = list[Trial]()
    for harm, values in HARM.items():
        tried = [each for each in places if harm != NEVER or each[0] not in BIBLIOGRAPHIES]
        trials = [Trial(*key, harm, " ".join(values)) for key in tried]
        good = dict.fromkeys(taken(trials))
        assert harm != NEVER or not good
        for each in good:
            takes[each.place, each.field].append(each.value)
        wrong += [each for each in trials if each not in good]
    alone = [each for each in values_alone(wrong) if each.place != OF_SITE and MARK in each.value]
    turns = (
        Trial(*key, "turn", " ".join(values[(turn + step) % len(values)] for step in (0, 7, 14)))
        for turn, (key, values) in enumerate(takes.items())
        if key[1].rpartition(".")[2] not in WITHHELD
    )
    return publish(taken([*turns, *alone]), folder)


@pytest.mark.proof
def test_all_values_in_all_fields_come_out_as_text(tmp_path: Path) -> None:
    whole = publish_whole(tmp_path)
    assert len(whole.trials) > 500
    assert [*harm_of(whole, share=3)] == []
    assert [*harm_of_exports(whole, ["author", "p9"])] == []
    assert lost_from(whole) == []


def test_a_key_or_the_name_of_a_file_that_is_no_slug_is_refused(tmp_path: Path) -> None:
    values = [each for group in HARM.values() for each in group]
    lines = [f"{as_yaml(each)}: {{name: Some One {number}}}" for number, each in enumerate(values)]
    Sheet([]).write(tmp_path)
    (tmp_path / "data" / "people.yaml").write_text("\n".join(lines), encoding="utf-8")
    names = [each for each in values if not re.search(r"/|\0|^\.", each) and len(each) < 100]
    for name in names:
        path = tmp_path / "data" / "cv" / f"{name}.yaml"
        path.write_text("basics: {name: Ada Berg}", encoding="utf-8")
    problems = [each.place for each in load(tmp_path).problems if each.severity == "error"]
    told = {each.line for each in problems if each.file == "data/people.yaml"}
    keys = {number for number, each in enumerate(values, 1) if not SLUG.fullmatch(each)}
    assert told >= keys and len(keys) > 100
    files = {f"data/cv/{name}.yaml" for name in names if not SLUG.fullmatch(name)}
    assert {each.file for each in problems} >= files and len(files) > 50


def test_a_user_name_leads_to_no_other_host() -> None:
    pages = 0
    for name, network in NETWORKS.items():
        host = urlsplit(network.page.format("x", user="x", host="zqx.example")).hostname
        for value in (each for group in HARM.values() for each in group):
            with suppress(PydanticCustomError):
                page = urlsplit(page_of(name, value))
                assert (page.hostname, page.username) == (host, None), value
                pages += 1
    assert pages > 1000


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        everything = publish_whole(Path(temporary))
        people = sorted(everything.facts.owners)
        for found in chain(harm_of(everything), harm_of_exports(everything, people)):
            sys.stdout.write(f"{found}\n")
        files, tried = len(everything.documents.files), len(everything.trials)
        sys.stdout.write(f"{files} files, {len(people)} CVs, {tried} values: read\n")
