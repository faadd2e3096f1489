"""Reads al-folio sites: `_data/cv.yml`, the accounts in `_data/socials.yml` and `_config.yml`, the
about page and the news.

The CV is a list of sections, each a time table, map, list or nested list. Newer versions of the
theme use RenderCV files instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kg.advice.other_words import field_meant
from kg.facts.values.social_networks import network_of
from kg.facts.values.text import slugify
from kg.facts.yaml.rows import Row, Rows
from kg.plugins.exchange.draft import (
    UNTITLED,
    Draft,
    Format,
    SourceRecord,
    Value,
    join_values,
    parse_date,
    parse_period,
    values_in,
    without_empty,
)
from kg.plugins.exchange.fields import UNCLEAR_DATE, fill, private, public
from kg.plugins.exchange.line_entries import add_line, language_of, split_list
from kg.plugins.exchange.markup import link_in, plain, prose
from kg.plugins.exchange.samples import SAMPLE
from kg.plugins.exchange.source_files import SourceFile
from kg.plugins.exchange.source_rows import page_of
from kg.plugins.exchange.titles import as_heading, section_for
from kg.text.person_names import TITLE_PART, without_titles

TOP = "cv"  # path of the top-level list in reports
TYPES = ("time_table", "map", "list", "nested_list", "pdf")
# Field mapping for rows of a time table, by section.
ROWS = {
    "education": {"title": "studyType", "degree": "studyType", "institution": "institution"},
    "work": {"title": "position", "position": "position", "institution": "organization"},
    "volunteer": {"title": "position", "institution": "organization"},
    "awards": {"title": "title", "institution": "awarder"},
    "certificates": {"title": "name", "institution": "issuer"},
    "projects": {"title": "name", "link": "url"},
}
WITH_HIGHLIGHTS = ("education", "work", "volunteer", "projects")
PERSON = ("name", "email", "phone", "location", "url", "birthDate", "nationality", "gender")
PRIVATE = ("phone", "birthDate", "nationality", "gender")
# Suffixes of account keys: `github_username`, `scholar_userid`.
ENDINGS = ("_username", "_userid", "_user_id", "_id", "_profile", "_url")
OTHER_NETWORKS = {
    "scholar": "google-scholar",
    "semanticscholar": "semantic-scholar",
    "inspirehep": "inspire",
    "research_gate": "researchgate",
}
NAME = ("first_name", "middle_name", "last_name")
PLACEHOLDER_NAME = "You R. Name"  # in an unedited configuration
# The sample email address and Albert Einstein's accounts, which come with the theme.
SAMPLES = ("you@example.com", "qc6CJjYAAAAJ", "1010907")
SAMPLE_TEXT = re.compile(
    r"Write your biography here|A (?:simple inline|long) announcement|555 your office number"
    r"|>Affiliations</a>\. Address\."
)
PAGES = re.compile(r"(?:.*/)?(?:_pages/about|_news/[^/]+)\.md")
LIQUID = re.compile(r"\{%.*?%\}|\{\{.*?\}\}|\{:.*?\}", re.DOTALL)
EMOJI = re.compile(r"\s*:[a-z]+(?:_[a-z]+)*:")
SEVERAL = re.compile(r"\d{4}(\s*(,|&|and)\s*\d{4})+")


def matches(source: SourceFile) -> bool:
    if PAGES.fullmatch(source.path):
        return page_of(source) is not None
    tree = source.tree
    if isinstance(tree, Rows):
        return bool(tree) and all(
            isinstance(each, Row) and "title" in each and each.get("type") in TYPES for each in tree
        )
    return isinstance(tree, Row) and (is_config(tree) or source.path.endswith("socials.yml"))


def is_config(tree: Mapping[str, Any]) -> bool:
    is_named = ("first_name" in tree and "last_name" in tree) or "name" in tree
    return is_named and "scholar" in tree


def read(source: SourceFile) -> Iterator[Draft]:
    draft, tree = Draft(), source.tree
    if page := page_of(source) if PAGES.fullmatch(source.path) else None:
        read_page(draft, SourceRecord(page.fields), page.body)
    elif isinstance(tree, Rows):
        root = SourceRecord(Row(source.name).fill(TOP, tree))
        linked = [address for each in root.left() if (address := link_in(each))]
        for section in root.records(TOP):
            read_section(draft, section)
        draft.keep_order()
        draft.leave_rest(root)
        kept = "\n".join([*values_in(draft.cv), *(each.value for each in draft.left)])
        draft.leave([each for each in linked if each not in kept], "link removed from a name")
    else:
        root = SourceRecord(source.root)
        read_accounts(draft, root)
        if not is_config(source.root):  # its other fields configure the website
            draft.leave_rest(root)
    yield draft


def read_page(draft: Draft, root: SourceRecord, body: Value) -> None:
    """Reads the about page or a news item, without the sample texts of the theme."""
    text = prose(body.with_text(EMOJI.sub("", LIQUID.sub("", body)).strip()))
    date, title, profile = root.text("date"), root.text("title"), root.record("profile")
    others = [*root.texts("subtitle"), *profile.texts("more_info")]
    paragraphs = [text.with_text(each) for each in text.split("\n\n")]
    samples = [each for each in (title, *paragraphs, *others) if each and SAMPLE_TEXT.search(each)]
    draft.leave(samples, SAMPLE)
    draft.leave([each for each in others if each not in samples])
    text = text.with_text("\n\n".join(each for each in paragraphs if each not in samples))
    if not text or title in samples:
        return
    if date:
        is_page = title is not None and str(root.text("inline")).lower() != "true"
        draft.leave([text] if is_page else [], "text of the page, not imported")
        day = parse_date(date.with_text(date[:10]))
        draft.put("news", {"date": day, "text": title if is_page else text})
    else:
        draft.basics(summary=text, image=profile.text("image"))


def site_address(config: Mapping[str, Any]) -> str:
    """The address at which the site is published; empty if the configuration does not say it."""
    url, base = str(config.get("url") or ""), str(config.get("baseurl") or "")
    return f"{url}/{base}".rstrip("/").replace("//", "/").replace(":/", "://") if url else ""


def bibliography(config: Mapping[str, Any]) -> str:
    """The name of the file whose works the site lists."""
    scholar = config.get("scholar")
    return str(scholar.get("bibliography")) if isinstance(scholar, Mapping) else ""


def read_section(draft: Draft, record: SourceRecord) -> None:
    title = record.text("title")
    heading = as_heading(plain(title)) if title else "Other"
    kind, section = str(record.text("type") or ""), section_for(heading)
    if kind == "pdf":
        record.skip("contents")
    for each in record.records("contents"):
        if UNTITLED in each:
            for value in each.texts(UNTITLED):
                add_line(draft, value, heading, section)
        elif line := each.line():
            add_line(draft, line, heading, section)
        elif kind == "map":
            read_fact(draft, each, heading)
        elif kind == "nested_list":
            read_group(draft, each, heading, section)
        else:
            read_row(draft, each, heading, section)


def read_fact(draft: Draft, record: SourceRecord, heading: str) -> None:
    """Reads a line of a map: a fact about the person, or a label with details."""
    name, value = record.text("name", "title"), record.text("value", "description")
    if name is None or value is None:
        return
    ours = field_meant(name, PERSON, "basics")
    if section_for(name) == "languages":
        for each in split_list(value):
            draft.put("languages", language_of(each))
    elif ours:
        found: Value | None = plain(value)
        if ours == "birthDate" and (found := parse_date(value)) is None:
            draft.leave([value], UNCLEAR_DATE)
        found = public(found) if ours == "email" else found
        draft.basics(**{ours: private(found) if ours in PRIVATE else found})
    else:
        draft.put_free(heading, {"label": plain(name), "details": prose(value)})


def read_group(draft: Draft, record: SourceRecord, heading: str, section: str) -> None:
    """Reads a group of a nested list: a title with items below it."""
    title, items = record.text("title"), record.texts("items")
    if title and section in ("skills", "interests"):
        draft.put(section, {"name": plain(title), "keywords": [plain(each) for each in items]})
    elif title and items:
        text = as_list(prose(each) for each in items)
        draft.put_free(heading, {"label": plain(title), "details": text})
    else:
        for each in [title, *items]:
            if each:
                add_line(draft, each, heading, section)


def read_row(draft: Draft, record: SourceRecord, heading: str, section: str) -> None:
    """Reads a row of a time table; a row can list several awards of its year."""
    record.skip("thumbnail", "image", "icon")
    lines = description_lines(record, "description") + description_lines(record, "maindescription")
    dates = award_dates(draft, record.text("year")) if section == "awards" else {}
    if section == "awards" and "title" not in record:
        for each in [*description_lines(record, "items"), *lines]:
            draft.put("awards", {"title": plain(each), **dates})
    elif section in ROWS:
        known = ROWS[section] if section == "awards" else {**ROWS[section], "year": "dates"}
        lines += description_lines(record, "items")
        entry = {**fill(draft, record, section, known), **dates}
        if lines and section in WITH_HIGHLIGHTS:
            entry["highlights"] = lines
        elif lines:
            entry["summary"] = join_values(lines)
        draft.put(section, entry, heading)
    else:
        read_other(draft, record, heading, lines + description_lines(record, "items"))


def read_other(draft: Draft, record: SourceRecord, heading: str, lines: list[Value]) -> None:
    """Reads a row of a section that we do not have."""
    name, year, where = record.text("title"), record.text("year"), record.text("institution")
    span = span_of(year)
    if year and not span:
        lines = [year, *lines]
    text = as_list(lines)
    if name is None and where is None:
        for each in lines:
            draft.put_free(heading, {"text": each, **span})
    else:
        # An institution can be anything here: journals that the person reviews for.
        text = join_values(each for each in (where if name else None, text) if each)
        more = {"location": record.text("location"), "url": record.text("link", "url")}
        draft.put_free(heading, {"name": plain(name or where), **span, "summary": text, **more})


def as_list(lines: Iterable[Value]) -> Value | None:
    found = [*lines]
    return join_values((each.with_text(f"{'- ' * (len(found) > 1)}{each}") for each in found), "\n")


def span_of(year: Value | None) -> dict[str, Value]:
    span = parse_period(year)
    return {"date": span["startDate"]} if len({*span.values()}) == 1 else span


def award_dates(draft: Draft, year: Value | None) -> dict[str, Any]:
    """The date of an award: a year, several years, or the end of a period."""
    several = re.findall(r"\d+", year) if year and SEVERAL.fullmatch(year) else []
    if year and several:
        return {"dates": [year.with_text(each) for each in several]}
    found = parse_period(year)
    if found and found["endDate"] != "present":
        return {"date": found["endDate"]}
    if year:
        draft.leave([year], UNCLEAR_DATE)
    return {}


def description_lines(record: SourceRecord, name: str) -> list[Value]:
    """The lines of a description; a title with nested lines becomes one line with a list."""
    if isinstance(record.row.get(name), str):
        return [prose(each) for each in record.texts(name)]
    found: list[Value] = []
    for each in record.records(name):
        line = each.line()
        lines = (
            [line]
            if line
            else each.texts(UNTITLED, "title", "name", "year", "contents", "items", "description")
        )
        if lines:
            first, *rest = [prose(line) for line in lines]
            found.append(first.with_text("\n".join([first, *(f"- {line}" for line in rest)])))
    return found


def read_accounts(draft: Draft, root: SourceRecord) -> None:
    written = [each for each in root.texts(*NAME) if not TITLE_PART.fullmatch(each)]
    name = join_values(written, " ") or root.text("name")
    email = root.text("email")
    draft.leave([email] if email in SAMPLES else [], SAMPLE)
    draft.basics(
        name=None if name == PLACEHOLDER_NAME else name and name.with_text(without_titles(name)),
        email=None if email in SAMPLES else public(email),
        orcid=root.text("orcid_id"),
    )
    if "scholar" in root:
        read_signatures(draft, root.record("scholar"))
    accounts: list[dict[str, Any]] = []
    for theirs in root:
        if network := network_in(theirs):
            value = root.text(theirs)
            if value in SAMPLES:
                draft.leave([value], SAMPLE)
                continue
            is_address = bool(value) and "://" in str(value)
            accounts.append(
                without_empty(
                    {
                        "network": value.with_text(network) if value else None,
                        "url" if is_address else "username": value,
                    }
                )
            )
        elif theirs.endswith((*ENDINGS, "_number")) and theirs != "orcid_id":
            draft.leave(root.texts(theirs))
    draft.basics(profiles=[each for each in accounts if len(each) > 1])


def read_signatures(draft: Draft, record: SourceRecord) -> None:
    """Adds names that the site highlights in its papers, except the samples of the theme."""
    names = [
        first.with_text(f"{first} {last}")
        for last in record.texts("last_name")
        for first in record.texts("first_name")
        if slugify(last) and slugify(draft.name).endswith(slugify(last))
    ]
    draft.basics(alternateNames=[name for name in names if name != draft.name])


def network_in(name: str) -> str:
    """The network of a key such as `github_username`; not ORCID, which is an identifier."""
    for ending in ENDINGS:
        if name.endswith(ending) and (begin := name.removesuffix(ending)) != "orcid":
            key = OTHER_NETWORKS.get(begin, begin)
            return key if network_of(key) else ""
    return ""


FORMAT = Format("al-folio", "al-folio", matches, read, priority=20)
