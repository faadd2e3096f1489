"""Reads Hugo Blox sites (formerly Wowchemy and Academic).

Reads the front matter of author and publication pages, and the author files of newer versions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kg.facts.bibliography.correspondence import correspondence
from kg.facts.models.publications import KINDS
from kg.facts.values.social_networks import NETWORKS, network_of, user_in
from kg.facts.values.text import is_web_address, slugify
from kg.facts.yaml.rows import Row
from kg.plugins.bibliography.bib_file import decoded_name
from kg.plugins.bibliography.venue_kinds import NO_NAME
from kg.plugins.bibliography.venue_titles import JOURNAL_NUMBERS, read_title
from kg.plugins.bibliography.work_records import year_of
from kg.plugins.exchange.author_names import is_same_name, names_in, words
from kg.plugins.exchange.draft import (
    OWNER,
    UNTITLED,
    Draft,
    Format,
    SourceRecord,
    Value,
    join_values,
    parse_date,
    values_in,
    without_empty,
)
from kg.plugins.exchange.edits.entry_matching import have_like_titles, share_author
from kg.plugins.exchange.edits.joined_entries import Joining
from kg.plugins.exchange.fields import (
    fill,
    host_of,
    mark_ongoing,
    one_or_all,
    place_work,
    public,
)
from kg.plugins.exchange.markup import plain, prose, summary_or_highlights, with_scheme
from kg.plugins.exchange.source_files import SourceFile
from kg.plugins.exchange.source_rows import page_of
from kg.plugins.exchange.tidy_works import EDITION, date_edition

SAMPLES = ("Nelson Bighetti", "吳恩達", "Robert Ford")  # people who come with the theme
EXAMPLE = re.compile(r"An example (?:conference paper|journal article|preprint)\b", re.IGNORECASE)
OF_BIOGRAPHY = re.compile(r"\A\s*#+ *(?:(?:Short )?Bio(?:graphy)?|About(?: me)?)[ #]*\n", re.I)
MOST_LETTERS = 300  # of a summary
OWNERS = ("admin", "me")  # folders of the site owner
AUTHOR = {"superuser", "user_groups", "highlight_name", "organizations", "first_name", "is_owner"}
SCHEMA = "hugoblox/author"
OLD_TYPES = {  # types of old versions, before the names of CSL
    "0": "other",
    "1": "conference",
    "2": "journal",
    "3": "preprint",
    "4": "report",
    "5": "book",
    "6": "book-chapter",
    "7": "thesis",
}
NO_JOURNAL = "no journal"
VENUE_FIELDS = {"journal": "journal", "conference": "conference", "book-chapter": "book"}
LINKS = {
    "url_code": "code",
    "url_dataset": "data",
    "url_poster": "poster",
    "url_slides": "slides",
    "url_video": "video",
    "url_pdf": "pdf",
}
TITLE = re.compile(r"(?:(?:Prof|Dr|Mr|Mrs|Ms)\b\.?(?:-Ing\.)? ?)+(?=\S)")
EXTERNAL = re.compile(r"https?://|www\.|[\w-]+(\.[\w-]+)+/")  # the scheme is often missing
EMPHASISED = re.compile(
    r"\W*(?:In:?\s+)?([*_]{1,3})(?P<name>[^*_]+)\1(?P<rest>[\s.]*[,;:(].*|[\s.]*)"
)
LAYOUT = (
    *("aliases", "categories", "commentable", "cover", "design", "editable", "featured", "header"),
    *("highlight", "image", "lastmod", "layout", "math", "projects", "publishDate", "reading_time"),
    *("sections", "share", "show_date", "slides", "slug", "toc", "type", "weight", "diagram"),
    *("avatar", "avatar_filename", "authors", "email_hash", "highlight_name", "icon", "icon_pack"),
    *("is_owner", "schema", "status", "superuser", "user_groups", "view", "cms_exclude"),
    "gravatar",
)
JOB = {
    "role": "position",
    "position": "position",
    "title": "position",
    "org": "organization",
    "company_name": "organization",
    "company": "organization",
    "company_url": "url",
    "location": "location",
    "start": "startDate",
    "date_start": "startDate",
    "end": "endDate",
    "date_end": "endDate",
}
STUDY = {
    "degree": "studyType",
    "course": "studyType",
    "area": "area",
    "institution": "institution",
    "start": "startDate",
    "date_start": "startDate",
    "end": "endDate",
    "date_end": "endDate",
}
ENDS = ("end", "date_end")
AWARD = {"title": "title", "awarder": "awarder", "date": "date", "url": "url", "summary": "summary"}


def fields_of(source: SourceFile) -> tuple[Row, Value | None] | None:
    """The fields and text of a page, or the fields of an author file."""
    if source.suffix == ".md":
        page = page_of(source)
        return (page.fields, page.body) if page else None
    tree = source.tree if source.suffix in (".yaml", ".yml") else None
    return (tree, None) if isinstance(tree, Row) else None


def matches(source: SourceFile) -> bool:
    if (found := fields_of(source)) is None:
        return False
    return is_author(source, found[0]) or is_work(found[0])


def is_author(source: SourceFile, fields: Mapping[str, Any]) -> bool:
    if source.suffix != ".md":
        return str(fields.get("schema", "")).startswith(SCHEMA)
    inline = re.search(r"(^|/)authors?/[^/]+/_?index\.md$", source.path)
    return bool(inline and AUTHOR & {*fields}) or len(AUTHOR & {*fields}) > 1


def is_work(fields: Mapping[str, Any]) -> bool:
    return "publication_types" in fields or ("publication" in fields and "authors" in fields)


def read(source: SourceFile) -> Iterator[Draft]:
    fields, body = fields_of(source) or (Row(source.name), None)
    draft, root = Draft(), SourceRecord(fields)
    if is_work(fields) and EXAMPLE.match(str(fields.get("title"))):
        draft.leave(root.texts("title"), "sample entry of the theme")
        root.skip(*root)
    elif is_work(fields):
        read_work(draft, root, body)
    elif is_owner(source, fields):
        read_owner(draft, root, body)
    else:
        read_other(draft, root, source)
    root.skip(*LAYOUT)
    draft.leave_rest(root)
    yield draft


def is_owner(source: SourceFile, fields: Mapping[str, Any]) -> bool:
    """Whether the author owns the site; an author file imported alone is the owner's."""
    folder = source.path.split("/")[-2:][0]
    marked = str(fields.get("superuser") or fields.get("is_owner")).lower() == "true"
    named = folder in OWNERS or source.path.rpartition("/")[2].partition(".")[0] in OWNERS
    return marked or named or "/" not in source.path


def is_owner_file(source: SourceFile) -> bool:
    found = fields_of(source)
    return found is not None and is_owner(source, found[0]) and not is_work(found[0])


def file_key(source: SourceFile) -> str:
    """How works name an author: by the name of the file, or of the folder of a page."""
    folder, _, file = source.path.rpartition("/")
    return file.partition(".")[0] if source.suffix != ".md" else folder.rpartition("/")[2]


def keys_of(source: SourceFile) -> set[str]:
    """How works name the owner of a site."""
    fields, _ = fields_of(source) or (Row(source.name), None)
    return {*OWNERS, file_key(source), str(fields.get("slug"))}


def author_name(source: SourceFile) -> str:
    found = fields_of(source)
    return str(name_of(SourceRecord(found[0])) or "") if found else ""


def name_of(root: SourceRecord) -> Value | None:
    shown = root.record("name").text("display") or root.text("title", "name")
    names = join_values(root.texts("first_name", "last_name"), " ")
    return shown or names


def read_owner(draft: Draft, root: SourceRecord, body: Value | None) -> None:
    name, named = name_of(root), root.record("name")
    other = named.text("alternate")
    title = TITLE.match(name) if name else None
    bare, degrees = TITLE.sub("", name or ""), root.texts("postnominals")
    for degree in degrees[::-1]:
        bare = bare.removesuffix(f" {degree}").rstrip(",")
    parts = {
        "givenName": root.text("first_name") or named.text("given"),
        "familyName": root.text("last_name") or named.text("family"),
    }
    other_names = [each for each in parts.values() if each and not {*words(each)} & {*words(bare)}]
    draft.leave(other_names, "no part of the name")
    draft.basics(
        name=plain(name.with_text(bare)) if name else None,
        honorific=name.with_text(title[0].strip()) if name and title else None,
        **{part: each for part, each in parts.items() if each not in other_names},
        pronouns=named.text("pronouns") or root.text("pronouns"),
        honorificSuffix=join_values(degrees, ", "),
        alternateNames=[other] if other else None,
        label=root.text("role"),
        summary=prose(root.text("bio", "description")),
    )
    if body:
        text = prose(without_shortcodes(body.with_text(OF_BIOGRAPHY.sub("", body))))
        if text and "summary" in draft.cv["basics"]:
            draft.put_free("Biography", text)
        elif text:
            draft.basics(summary=text)
    named.skip("pronunciation")
    root.skip("name_pronunciation")
    read_links(draft, root.records("social", "profiles", "links"), root.texts("email"))
    for each in root.records("organizations", "affiliations"):
        name, address = each.text("name", UNTITLED), with_scheme(each.text("url", "link"))
        draft.put_free("Affiliations", {"name": name, "url": address})
    draft.cv.update(without_empty({"interests": [plain(each) for each in root.texts("interests")]}))
    read_sections(draft, root)


def read_links(draft: Draft, records: list[SourceRecord], emails: Iterable[Value] = ()) -> None:
    """Reads accounts and addresses; an email address in a link is shown to everyone."""
    accounts: list[dict[str, Any]] = []
    shown: list[Value] = []
    for record in records:
        record.skip("icon", "icon_pack", "display")
        icon = str(record.row.get("icon", "")).rpartition("/")[2]
        address, label = record.text("link", "url"), record.text("label", "name")
        if address is None:
            continue
        if address.startswith("mailto:"):
            shown.append(address.with_text(address.removeprefix("mailto:").partition("?")[0]))
        elif "orcid.org/" in address:
            draft.basics(orcid=address.with_text(address.rpartition("/")[2].rpartition("=")[2]))
        elif not EXTERNAL.match(address) or not is_web_address(str(with_scheme(address))):
            draft.leave([address], "link within the imported site")
        elif network := network_at(str(with_scheme(address)), icon):
            accounts.append({"network": address.with_text(network), "url": with_scheme(address)})
        else:
            named = "CV" if icon == "cv" else host_of(str(with_scheme(address)))
            called = label or address.with_text(named)
            accounts.append({"label": called, "url": with_scheme(address)})
    mails = [*map(public, dict.fromkeys(shown)), *(each for each in emails if each not in shown)]
    draft.basics(email=one_or_all(mails), profiles=accounts)


def network_at(address: str, icon: str) -> str:
    at = (key for key, network in NETWORKS.items() if user_in(network, address))
    return next(at, "") or (slugify(icon) if network_of(icon) else "")


def read_sections(draft: Draft, root: SourceRecord) -> None:
    for record in [*root.records("work"), *root.records("experience")]:
        add_entry(draft, record, "work", JOB)
    courses = root.record("education").records("courses")
    for record in courses or root.records("education"):
        add_entry(draft, record, "education", {**STUDY, "year": "dates"})
    for record in root.records("awards", "accomplishments"):
        record.skip("icon")
        draft.put("awards", fill(draft, record, "awards", AWARD))
    for group in root.records("skills"):
        read_skills(draft, group)
    for record in root.records("languages"):
        level = record.text("label") or record.text("level")
        record.skip("level", "icon")
        draft.put("languages", {"language": record.text("name", UNTITLED), "level": level})


def add_entry(draft: Draft, record: SourceRecord, section: str, known: dict[str, str]) -> None:
    record.skip("company_logo", "institution_logo", "logo")
    text = record.text("summary", "description")
    entry = fill(draft, record, section, known) | summary_or_highlights(text)
    if section == "education" and "studyType" not in entry and "area" in entry:
        entry["studyType"] = entry.pop("area")
    if section == "education" and entry.get("startDate") == entry.get("endDate"):
        entry.pop("startDate", None)  # a single year is that of the degree
    if not any(name in record for name in ENDS):  # an unclear end is not the present
        mark_ongoing(entry)
    draft.put(section, entry)


def read_skills(draft: Draft, group: SourceRecord) -> None:
    """Reads a group of skills; their levels, which the theme shows as bars, are listed."""
    names: list[Value] = []
    for each in group.records("items"):
        each.skip("icon", "icon_pack")
        names += each.texts("label", "name", UNTITLED)
    group.skip("color", "color_border", "icon")
    if name := group.text("name", UNTITLED):
        draft.put("skills", {"name": plain(name), "keywords": [plain(each) for each in names]})


def read_other(draft: Draft, root: SourceRecord, source: SourceFile) -> None:
    """Adds another author of the site to the registry of people."""
    inner = Draft()
    read_links(inner, root.records("social", "profiles", "links"))
    name, known = name_of(root), inner.cv.get("basics", {})
    organizations = root.records("organizations", "affiliations")
    where = next((each.text("name", UNTITLED) for each in organizations), None)
    if name:
        key = slugify(file_key(source)) or slugify(name)
        shared = {each: known[each] for each in ("orcid", "profiles") if each in known}
        more = {"organization": where, "position": root.text("role") if where else None, **shared}
        draft.entries["people"] = {key: without_empty({"name": plain(name), **more})}


def read_work(draft: Draft, root: SourceRecord, body: Value | None) -> None:
    types = root.texts("publication_types")
    known = [each for each in types if kind_of(each)]
    kind = kind_of(known[0]) if known else "other"
    draft.leave([each for each in types if each not in known])
    part = root.record("publication")
    short = root.text("publication_short") or part.text("short", "short_name")
    where = root.text("publication") or part.text("name")
    draft.leave(known[:1] if kind == "journal" and not where else [], NO_JOURNAL)
    ids = root.record("hugoblox").record("ids")
    title, is_draft = root.text("title"), str(root.row.get("draft")).lower() == "true"
    entry: dict[str, Any] = {
        "kind": "other" if kind in ("journal", "conference") and not where else kind,
        "title": plain(title, is_title=True),
        "authors": read_authors(draft, root),
        "date": parse_date(root.text("date")),
        **{name: part.text(name) for name in ("volume", "issue", "pages", "publisher")},
        "doi": root.text("doi") or ids.text("doi"),
        "arxiv": ids.text("arxiv"),
        **abstract_and_summary(draft, root),
        "keywords": [plain(each) for each in root.texts("tags")],
        "visibility": title.with_text("private") if title and is_draft else None,
    }
    if where:
        where = venue_of(draft, where, kind)
        name = "" if NO_NAME.fullmatch(where) else VENUE_FIELDS.get(kind, "")
        placed = place_work(without_other(entry), where, "annotation")
        entry = {**entry, name: where} if name else placed
    if short and letters(re.sub(r"^\W*In:? ", "", short)) not in letters(where or ""):
        draft.leave([short], "short name of the venue")
        year = read_title(plain(short)).year
        if year and "conference" in entry and not read_title(entry["conference"]).year:
            date_edition(entry, short.with_text(year))
    if not entry["date"]:
        draft.leave(root.texts("publishDate"), "the day of the page, not of the work")
    root.skip("draft")
    read_addresses(draft, root, entry)
    if body and (text := without_shortcodes(body)):
        draft.leave([text], "text of the page, not imported")
    draft.put("publications", {"kind": "other", **entry})


def letters(text: str) -> str:
    return re.sub(r"[\W_]", "", text).lower()


def without_other(work: dict[str, Any]) -> dict[str, Any]:
    """A work without a kind that says nothing."""
    return {name: work[name] for name in work if (name, work[name]) != ("kind", "other")}


def abstract_and_summary(draft: Draft, root: SourceRecord) -> dict[str, Value | None]:
    """A summary that is as long as an abstract is one."""
    abstract, summary = prose(root.text("abstract", "Abstract")), prose(root.text("summary"))
    if summary is None or len(summary) <= MOST_LETTERS:
        return {"abstract": abstract, "summary": summary}
    draft.leave([summary] if abstract and abstract != summary else [], "longer than a sentence")
    return {"abstract": abstract or summary}


def join_citation(drafts: list[Draft], page: list[Draft], owner: str) -> None:
    """Joins the work of a citation file into that of the page in its folder.

    They are one work if their titles are alike, or all their authors are the same, as for a title
    in another language. Of two titles, the shorter is kept if the longer extends it.
    """
    works = [
        [work for draft in each for work in draft.cv.get("publications", ())]
        for each in (drafts, page)
    ]
    if any(len(each) != 1 or not each[0].get("title") for each in works):
        return
    cited, shown = works[0][0], works[1][0]
    short, long = sorted((cited["title"], shown["title"]), key=len)
    if slugify(long).startswith(slugify(short)):
        cited["title"] = shown["title"] = short
    authors = [work.get("authors", ()) for work in (cited, shown)]
    is_signed_alike = 1 < len(authors[0]) == len(authors[1]) and share_author(cited, shown)
    if not have_like_titles([long], [short]) and not is_signed_alike:
        return
    venues = [
        read_title(str(work.get("conference", "")), year_of(work)).name for work in (cited, shown)
    ]
    if venues[0].lower() != venues[1].lower() and all(venues):
        drafts[0].leave(values_in(cited.pop(EDITION, {})), "of another conference than the page's")
    if OWNER in names_in(authors[1]):
        cited["authors"] = [as_owner(each, owner) for each in authors[0]]
    joining = Joining()
    work = joining.fields(shown, cited)
    page[0].cv["publications"] = [work]
    settle_article(page[0], work, cited)
    for draft in drafts:
        draft.cv.pop("publications", None)
    drafts[0].left += joining.unplaced()


def settle_article(draft: Draft, work: dict[str, Any], cited: dict[str, Any]) -> None:
    """An article without a journal is one if both the page and the citation call it so."""
    said = next((each for each in draft.left if each.why == NO_JOURNAL), None)
    is_article = any(each.path.lower().startswith("@article{") for each in values_in(cited))
    if said and is_article and (said.value, work["kind"]) == ("article-journal", "other"):
        work["kind"] = said.value.with_text("journal")
    if said and work["kind"] != "other":
        draft.left.remove(said)


def as_owner(author: Any, owner: str) -> Any:
    """An author, by the placeholder of the owner if it is their name."""
    fields = author if isinstance(author, dict) else {"as": author}
    if "as" not in fields or not is_same_name(fields["as"], owner):
        return author
    name = fields["as"].with_text(OWNER)
    return {**fields, "as": name} if isinstance(author, dict) else name


def kind_of(written: Value) -> str:
    """The kind that a type says: a number, a word of CSL, or ours; empty for another word."""
    word = written.lower()
    return OLD_TYPES.get(word) or correspondence("csl").types.get(word, word * (word in KINDS))


def read_authors(draft: Draft, root: SourceRecord) -> list[Any]:
    """The authors of a work, with the notes from the parallel list `author_notes`.

    The site owner is named by their folder (`admin`).
    """
    notes = root.row.get("author_notes")
    found: list[Any] = []
    for number, author in enumerate(root.texts("authors") or root.texts("author")):
        spelt = decoded_name(author) if "\\" in author else author
        name = author.with_text(OWNER) if author in OWNERS else plain(author.with_text(spelt))
        note = str(notes[number]).lower() if isinstance(notes, list) and number < len(notes) else ""
        marks = {
            mark: name.with_text("true") for mark in ("equal", "corresponding") if mark in note
        }
        found.append({"as": name, **marks} if marks else name)
    for note in root.texts("author_notes"):
        if not re.search("equal|corresponding", note, re.IGNORECASE):
            draft.leave([note])
    return found


def venue_of(draft: Draft, value: Value, kind: str) -> Value:
    """The name of a venue: in a periodical or a book, the emphasised part before a mark, as in
    `In *Journal of Stones*, Oslo`.
    """
    whole = plain(value.with_text(re.sub(r"^\W*In:? ", "", value)))
    marked = EMPHASISED.fullmatch(value)
    if kind == "conference" or not marked or JOURNAL_NUMBERS.fullmatch(whole):
        return whole
    if rest := marked["rest"].strip(" .,;:"):
        draft.leave([value.with_text(rest)])
    return plain(value.with_text(marked["name"]))


def read_addresses(draft: Draft, root: SourceRecord, entry: dict[str, Any]) -> None:
    """Reads links from their own fields and from `links`; lists files of the imported site."""
    for theirs, ours in LINKS.items():
        if value := root.text(theirs):
            if is_web_address(value):
                entry[ours] = value
            else:
                draft.leave([value], "file of the imported site")
    links: list[dict[str, Any]] = []
    for each in root.records("links"):
        address, label = each.text("url"), each.text("name", "label", "type")
        each.skip("icon", "icon_pack", "type", "label")
        if address and is_web_address(address):
            links.append(without_empty({"url": address, "label": label}))
        elif address:
            draft.leave([address], "file of the imported site")
    for theirs in ("url_project", "url_source", "url_preprint", "url_main", "url_arXiv"):
        if (value := root.text(theirs)) and is_web_address(value):
            links.append({"url": value})
    entry["links"] = links


def without_shortcodes(value: Value) -> Value:
    """Removes Hugo shortcodes, which call templates."""
    return value.with_text(re.sub(r"\{\{[<%].*?[%>]\}\}", "", value, flags=re.DOTALL).strip())


FORMAT = Format("hugo-blox", "Hugo Blox", matches, read, priority=30)
