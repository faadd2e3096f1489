"""Validation of work identifiers (DOI, arXiv, ISBN, PubMed …), licences and check digits."""

from __future__ import annotations

import re
from typing import Annotated
from urllib.parse import unquote

from pydantic import AfterValidator, ValidationInfo

from kg.errors import Fix, fix
from kg.facts.values.dates import When, read
from kg.facts.values.naming import WORDS
from kg.facts.values.references import Context
from kg.facts.values.text import SLUG, WebAddress, is_web_address, require
from kg.vocab import Iri

# scheme -> address of an identifier
ADDRESSES = {
    "pmid": "https://pubmed.ncbi.nlm.nih.gov/{}/",
    "pmcid": "https://pmc.ncbi.nlm.nih.gov/articles/{}/",
    "hal": "https://hal.science/{}",
    "handle": "https://hdl.handle.net/{}",
    "openreview": "https://openreview.net/forum?id={}",
    "dblp": "https://dblp.org/rec/{}",
    "zenodo": "https://zenodo.org/records/{}",
    "osf": "https://osf.io/{}/",
    "jstor": "https://www.jstor.org/stable/{}",
    "ssrn": "https://ssrn.com/abstract={}",
    "acl": "https://aclanthology.org/{}/",
    "bibcode": "https://ui.adsabs.harvard.edu/abs/{}",
    "inspire": "https://inspirehep.net/literature/{}",
    "openalex": "https://openalex.org/{}",
    "wikidata": "https://www.wikidata.org/wiki/{}",
    "urn": "https://nbn-resolving.org/{}",
}


TRAILING_PUNCTUATION = ".,;"  # punctuation that is often copied along with an identifier
AROUND = re.compile(r"\W*(?:https?://[\w.]+/(?:\w+/)?|[A-Za-z]+\W*)?")  # `doi:`, `ORCID iD `
PLAIN_DOI = re.compile(r"10\.[0-9]{4,9}/[A-Za-z0-9._/-]*[A-Za-z0-9_/-]")
MONTH = "(?:0[1-9]|1[0-2])"
# Four digits until 2014, then five; with the name of an archive until 2007.
ARXIV = (
    rf"((?:0[7-9]|1[0-4]){MONTH}\.[0-9]{{4}}|(?:1[5-9]|[2-9][0-9]){MONTH}\.[0-9]{{5}}"
    rf"|[a-z-]+(\.[A-Z]{{2}})?/(?:9[1-9]|0[0-7]){MONTH}[0-9]{{3}})(v[0-9]+)?"
)
PMID = r"[1-9][0-9]{0,8}"
PMCID = r"PMC[0-9]{1,9}"


def format_hint(text: str, pattern: str, otherwise: str) -> str:
    """A hint with the identifier found in `text`, for example before a full stop; otherwise the
    format.
    """
    found = identifier_in(text, pattern)
    return f"Write '{found[0]}'." if found and found[0] != text else f"Write it {otherwise}."


def identifier_in(text: str, pattern: str) -> re.Match[str] | None:
    return re.search(rf"(?<![\w.]){pattern}(?=[{TRAILING_PUNCTUATION}]*(?:\s|$))", text)


def identifier_fix(text: str, pattern: str) -> Fix | None:
    """The identifier in a text; certain if there is only its name or its address around it."""
    if not (found := identifier_in(text, pattern)):
        return None
    before, after = text[: found.start()], text[found.end() :]
    is_alone = AROUND.fullmatch(before) and not re.search(r"\w", after)
    return fix(text, found[0], certain=bool(is_alone))


def check_doi(text: str) -> str:
    """Accepts a DOI, bare or as a doi.org address."""
    if PLAIN_DOI.fullmatch(text):  # the usual case
        return text
    written, text = text, unquote(re.sub(r"^(https?://)?(dx\.|www\.)?doi\.org/", "", text))
    good = (
        re.fullmatch(r"10\.[0-9]{4,9}/\S+", text)
        and is_web_address(doi_address(text))
        and "%" not in text
    )
    plain = r"10\.[0-9]{4,9}/[\w.()/:-]*[\w)/-]"
    hint = format_hint(text, plain, "as 10., a number, a slash and the rest")
    good = good and text[-1] not in TRAILING_PUNCTUATION
    message = f"{text!r} is not a DOI. {hint}"
    require(good, "bad-doi", message, fix=identifier_fix(written, plain))
    return text


def doi_address(doi: str) -> WebAddress:
    """The web address; DOIs of the nineties contain `<` and `>`, or `[` and `]`."""
    escaped = re.sub(r'[<>"{}|\\^`#?%\[\]]', lambda sign: f"%{ord(sign[0]):02X}", doi)
    return WebAddress(f"https://doi.org/{escaped}")


def check_arxiv(text: str) -> str:
    hint = format_hint(text, ARXIV, "as year, month, a full stop and the number: YYMM.NNNNN")
    message = f"{text!r} is not an arXiv number. {hint}"
    require(re.fullmatch(ARXIV, text), "bad-arxiv", message, fix=identifier_fix(text, ARXIV))
    return text


def date_of_preprint(stated: When | None, arxiv: str | None, doi: str | None = None) -> When | None:
    """The month in an arXiv number, unless the date says more, or another year: `2103.01234` is of
    2021-03, `hep-th/9901001` of 1999-01.
    """
    number = arxiv or (doi or "").lower().partition("arxiv.")[2]
    if not re.fullmatch(ARXIV, number):
        return stated
    year, month = re.findall(r"[0-9]{2}", number.rpartition("/")[2])[:2]
    found = read(f"{'19' if year > '90' else '20'}{year}-{month}")
    return found if stated is None or (found and found.iso[:4] == stated.text) else stated


def check_isbn(text: str) -> str:
    """Accepts 10 or 13 digits with a valid check digit; removes hyphens and spaces."""
    digits = re.sub(r"[\s\u2010-\u2015-]", "", text).upper()
    if re.fullmatch(r"[0-9]{13}", digits):
        total, of = sum(int(digit) * (1, 3)[at % 2] for at, digit in enumerate(digits)), 10
    else:
        hint = format_hint(text, r"[0-9][0-9 -]{8,15}[0-9Xx]", "with 10 or 13 digits")
        good = re.fullmatch(r"[0-9]{9}[0-9X]", digits)
        require(good, "bad-identifier", f"{text!r} is not an ISBN. {hint}")
        values = [10 if digit == "X" else int(digit) for digit in digits]
        total, of = sum((10 - at) * value for at, value in enumerate(values)), 11
    message = f"{text!r} is not an ISBN: its check digit is wrong. Look for a typo."
    require(total % of == 0, "bad-identifier", message)
    return digits


def check_digit(digits: str) -> str:
    """The last digit of an ORCID or ISNI (ISO 7064 mod 11-2); X is ten."""
    total = 0
    for digit in digits:
        total = (total + int(digit)) * 2
    return "0123456789X"[(12 - total % 11) % 11]


def check_pmid(text: str) -> str:
    message = f"{text!r} is not a PubMed ID. {format_hint(text, PMID, 'as 31452104')}"
    require(re.fullmatch(PMID, text), "bad-identifier", message, fix=identifier_fix(text, PMID))
    return text


def check_pmcid(text: str) -> str:
    hint = format_hint(text, PMCID, "as PMC6711234")
    message = f"{text!r} is not a PubMed Central ID. {hint}"
    require(re.fullmatch(PMCID, text), "bad-identifier", message, fix=identifier_fix(text, PMCID))
    return text


def check_numbers(found: dict[str, str]) -> dict[str, str]:
    """Rejects identifiers with trailing punctuation where it would break their address."""
    for scheme, text in found.items():
        bare = text.rstrip(TRAILING_PUNCTUATION)
        message = f"{text!r} ends with punctuation. Write '{bare}'."
        good = scheme not in ADDRESSES or text[-1] not in TRAILING_PUNCTUATION
        require(good, "bad-identifier", message, scheme, fix(text, bare))
    return found


def check_license(text: str) -> WebAddress:
    """Accepts an address, or an SPDX identifier such as `CC-BY-4.0` or `MIT`."""
    if is_web_address(text):
        return WebAddress(text)
    bare = r"CC(-BY(-NC)?(-SA|-ND)?)?[1-9]?"  # the version is missing
    good = re.fullmatch(r"[A-Za-z0-9.+-]{2,40}", text) and not re.fullmatch(bare, text.upper())
    message = (
        f"{text!r} is not a licence. Write its SPDX name, e.g. CC-BY-4.0 or MIT, or its address."
    )
    require(good, "bad-value", message)
    if found := re.fullmatch(r"CC-(BY(?:-NC)?(?:-SA|-ND)?)-([0-9]\.[0-9])", text.upper()):
        return WebAddress(f"https://creativecommons.org/licenses/{found[1].lower()}/{found[2]}/")
    if text.upper() in ("CC0", "CC0-1.0"):
        return WebAddress("https://creativecommons.org/publicdomain/zero/1.0/")
    return WebAddress(f"https://spdx.org/licenses/{text}.html")


def address_in(scheme: str, value: str) -> WebAddress | None:
    """The address of an identifier; None if the scheme is unknown or the address invalid."""
    address = ADDRESSES[scheme].format(value) if scheme in ADDRESSES else ""
    return WebAddress(address) if is_web_address(address) else None


Doi = Annotated[str, AfterValidator(check_doi)]
Arxiv = Annotated[str, AfterValidator(check_arxiv)]
Isbn = Annotated[str, AfterValidator(check_isbn)]
Pmid = Annotated[str, AfterValidator(check_pmid)]
Pmcid = Annotated[str, AfterValidator(check_pmcid)]
License = Annotated[str, AfterValidator(check_license)]


# Former addresses redirect to the entry that lists them in `was`. Addresses that are gone are
# withdrawn in site.yaml.
def check_address(text: str) -> str:
    """`people/ada`: a folder of the site and a slug."""
    kind, _, slug = text.partition("/")
    require(
        kind in WORDS and SLUG.fullmatch(slug),
        "bad-slug",
        f"{text!r} is not an address of this site. Write folder/slug, e.g. people/ada-lovelace. "
        f"Folders: {', '.join(WORDS)}.",
    )
    return text


def former(text: str, info: ValidationInfo) -> Iri:
    """The IRI of a former address: `ada` in the folder of the same entry, or `people/ada`."""
    kind = (info.context or Context({})).kind
    return Iri(f"{check_address(text if '/' in text else f'{kind}/{text}')}#it")


Former = Annotated[str, AfterValidator(former)]
