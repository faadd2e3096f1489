"""Plain values: slugs, web addresses, numbers."""

from __future__ import annotations

from decimal import Decimal
from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError
from pydantic_core import PydanticCustomError
from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, Store, parse

from kg.facts.models.venues import Count
from kg.facts.values.text import (
    SLUG,
    Listed,
    Number,
    Slug,
    Text,
    WebAddress,
    address_slug,
    mail_link,
    slugify,
)
from kg.text.normalize import squeeze
from kg.vocab import xsd

SAMPLE = NamedNode("https://cases.example.org/")


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("Ada Lovelace", "ada-lovelace"),
        ("Ph.D. in Chemistry", "phd-in-chemistry"),
        ("O'Brien", "obrien"),
        ("  Research -- Intern (2nd) ", "research-intern-2nd"),
        ("Zoë Łukasiewicz-Ørsted", "zoe-lukasiewicz-orsted"),
        ("Straße", "strasse"),
        ("İstanbul", "istanbul"),
        ("ﬁne", "fine"),
        ("C++ & C#", "c-plus-plus-c-sharp"),
        ("SC 2020", "sc-2020"),
        ("Việt Nguyễn Đức", "viet-nguyen-duc"),
        ("Фёдор Достоевский", "fyodor-dostoevskiy"),
        ("Юрій Шевченко", "yuriy-shevchenko"),
        ("И\u0306", "y"),
        ("Γιώργος Παπαδόπουλος", "giorgos-papadopoulos"),
        ("Ευάγγελος Μπάμπης", "evangelos-bampis"),
        ("Καΐκης", "kaikis"),
        ("Արամ Խաչատրյան, Երևան", "aram-khachatryan-erevan"),
        ("შოთა რუსთაველი", "shota-rustaveli"),
        ("研究員 II", "yan-jiu-yuan-ii"),
        ("محمد عمر", "mhmd-mr"),
        ("अनिल", "anil"),
        ("김민지", "gim-min-ji"),
        ("Kim Minji (김민지)", "kim-minji"),
        ("דנה", "dnh"),
        ("มานี", "mani"),
        ("אע", ""),
        ("", ""),
    ],
)
def test_a_slug_of_a_text(text: str, slug: str) -> None:
    assert slugify(text) == slug


@pytest.mark.parametrize(
    ("text", "hint"), [("李珊", "e.g. 'li-shan'"), ("♪", "in Latin letters, ")]
)
def test_a_slug_is_suggested_for_any_script(text: str, hint: str) -> None:
    with pytest.raises(ValidationError, match=hint):
        TypeAdapter(Slug).validate_python(text)


def test_names_with_one_latin_spelling_have_different_addresses() -> None:
    names = ("李伟", "李薇", "Li Wei")
    assert [*map(address_slug, names)] == ["li-wei-5ed4d5", "li-wei-1f0b27", "li-wei"]
    assert SLUG.fullmatch(address_slug("אע"))  # a script without transliteration: the digest alone


@pytest.mark.fuzz
@given(st.text())
def test_a_slug_is_empty_or_fit_for_an_address_and_stays_what_it_is(text: str) -> None:
    slug = slugify(text)
    assert slug == "" or SLUG.fullmatch(slug)
    assert slugify(slug) == slug


def test_names_are_compared_with_one_kind_of_space_and_composed() -> None:
    assert squeeze("  Zoe\u0308 \n van\u00a0 Dijk ") == "Zoë van Dijk"


@pytest.mark.parametrize("text", ["Ada", "ada_l", "-ada", "ada-", "a--b", "ada\n", "adä", ""])
def test_what_is_no_slug_is_refused_with_one_that_is(text: str) -> None:
    with pytest.raises(ValidationError, match=r"is not a slug\. .* e\.g\. '[a-z0-9-]+'"):
        TypeAdapter(Slug).validate_python(text)


@pytest.mark.parametrize(
    "address",
    [
        "https://example.org",
        "http://example.org/a?b=c&d=%20#e",
        "HTTPS://Example.org/",
        "https://例え.jp/é",
        "https://[::1]:8000/",
        "https://example.org/@u/~x",
    ],
)
def test_a_web_address_is_kept_as_written(address: str) -> None:
    found = TypeAdapter(WebAddress).validate_python(address)
    assert type(found) is WebAddress
    assert found == address


@pytest.mark.parametrize(
    "address",
    [
        "example.org",
        "//example.org/",
        "/page",
        "ftp://example.org/",
        "mailto:ada@example.org",
        "javascript:alert(1)",
        "#",
        "",
    ],
)
def test_an_address_without_http_is_refused(address: str) -> None:
    with pytest.raises(
        ValidationError,
        match=r"is not a web address\. (Did you mean .*\? )?Write the full address, e\.g\. https://example\.org",
    ):
        TypeAdapter(WebAddress).validate_python(address)


@pytest.mark.parametrize(
    "address",
    [
        "https://example.org@elsewhere.example/",
        "https://ada:secret@example.org/",
        "https://example.org/\u202egnp.exe",
        "https://example.org/\u061cx",
        "https://example.org/\u2028x",
        "https://exam\xadple.org/",
        "https://example.org/\u200b\u2060\ufeff",
        "https://example.org/a\xa0b",
    ],
)
def test_an_address_that_leads_elsewhere_than_it_seems_is_refused(address: str) -> None:
    with pytest.raises(ValidationError, match="is not a web address"):
        TypeAdapter(WebAddress).validate_python(address)


def test_a_name_before_the_host_is_left_out_of_what_is_proposed() -> None:
    with pytest.raises(ValidationError, match=r"Did you mean https://example\.org/~x\?"):
        TypeAdapter(WebAddress).validate_python("https://ada@example.org/~x")


def test_a_mail_address_is_a_link_to_nobody_else() -> None:
    assert mail_link("ada@example.org") == "mailto:ada@example.org"
    link = mail_link("ada?bcc=eve@example.org")
    assert link == "mailto:ada%3Fbcc%3Deve@example.org"
    assert not urlsplit(link).query


@pytest.mark.parametrize("kind", [Number, Count])
@pytest.mark.parametrize("text", ["٣", "１２", "1٣"])
def test_digits_of_other_scripts_are_no_numbers(kind: object, text: str) -> None:
    with pytest.raises(ValidationError, match="Write digits"):
        TypeAdapter(kind).validate_python(text)


@pytest.mark.parametrize(
    "address",
    [
        "https://",
        "http:///x",
        "https://?x",
        "https:example.org",
        "https://[::1/",
        "https://a:b:c/",
        "https://a:port/",
    ],
)
def test_an_address_without_a_proper_host_is_refused(address: str) -> None:
    with pytest.raises(ValidationError, match="is not a web address"):
        TypeAdapter(WebAddress).validate_python(address)


@pytest.mark.parametrize("tail", ["%zz", "%", "a[b]", "#a#b", "\ufffd", "\ue000"])
def test_an_address_the_store_would_not_take_is_refused(tail: str) -> None:
    with pytest.raises(ValidationError, match="is not a web address"):
        TypeAdapter(WebAddress).validate_python(f"https://example.org/{tail}")


@pytest.mark.parametrize("value", [None, 5, ["https://example.org/"]])
def test_only_text_is_a_web_address(value: object) -> None:
    with pytest.raises(ValidationError, match="is not a web address"):
        TypeAdapter(WebAddress).validate_python(value)


@pytest.mark.parametrize(
    "character", [*'<>"{}|\\^` \t\n\r', "\x00", "\x1f", "\x7f", "\x85", "\ud800"]
)
@pytest.mark.parametrize(
    "pattern",
    [
        "https://example.org/{}",
        "https://example.org/a{}b",
        "https://exa{}mple.org/",
        "{}https://example.org/",
    ],
)
def test_a_character_that_would_break_an_iri_is_refused(character: str, pattern: str) -> None:
    with pytest.raises(ValidationError, match="is not a web address"):
        TypeAdapter(WebAddress).validate_python(pattern.format(character))


@pytest.mark.fuzz
@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_an_accepted_address_is_read_back_as_it_is(tail: str) -> None:
    try:
        address = WebAddress.check(f"https://example.org/{tail}")
    except PydanticCustomError as error:
        assert "is not a web address" in str(error)
        return
    line = f"{SAMPLE} {SAMPLE} <{address}> {SAMPLE} ."
    assert [quad.object.value for quad in parse(line, RdfFormat.N_QUADS)] == [address]


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("4", "4"),
        ("4.00", "4"),
        ("3.96", "3.96"),
        ("0.20", "0.2"),
        ("007", "7"),
        ("1000", "1000"),
        ("-1.50", "-1.5"),
        ("0.0", "0"),
        ("-0", "0"),
        ("-0.0", "0"),
        ("100.10", "100.1"),
    ],
)
def test_a_number_has_one_spelling(written: str, number: str) -> None:
    assert f"{TypeAdapter(Number).validate_python(written):f}" == number


@pytest.mark.parametrize(
    "written",
    [
        "3,96",
        "1e3",
        "NaN",
        "Infinity",
        "",
        ".5",
        "5.",
        "+1",
        " 1",
        "0x1F",
        "1_000",
        "9" * 13,
        None,
        4,
        4.0,
        ["4"],
    ],
)
def test_what_is_no_number_is_refused(written: object) -> None:
    with pytest.raises(
        ValidationError, match=r"is not a number\. (Did you mean 1?5?\? )?Write digits"
    ):
        TypeAdapter(Number).validate_python(written)


@pytest.mark.fuzz
@settings(deadline=None)
@given(st.from_regex(r"-?[0-9]{1,12}(\.[0-9]{1,12})?", fullmatch=True))
def test_a_number_is_spelled_as_the_store_would_spell_it(written: str) -> None:
    number = TypeAdapter(Number).validate_python(written)
    store = Store()
    store.add(Quad(SAMPLE, SAMPLE, Literal(written, datatype=NamedNode(xsd.decimal))))
    assert number == Decimal(written)
    assert [quad.object.value for quad in store] == [f"{number:f}"]


def test_text_is_trimmed_and_never_empty_nor_a_number() -> None:
    assert TypeAdapter(Text).validate_python("  Ada \n") == "Ada"
    for wrong in ("", " \n ", 5, None, ["a"]):
        with pytest.raises(ValidationError):
            TypeAdapter(Text).validate_python(wrong)


def test_one_value_is_a_list_of_one() -> None:
    assert Listed.func("a") == ["a"]  # type: ignore[call-arg]
    assert Listed.func(["a", "b"]) == ["a", "b"]  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Charles University", "charles-university"),
        ("word " * 30, "-".join(["word"] * 16)),
        ("w" * 300, "w" * 80),
    ],
)
def test_a_name_makes_an_address_that_a_file_may_have(name: str, slug: str) -> None:
    assert address_slug(name) == slug
