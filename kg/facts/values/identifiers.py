"""Numbers by which the world knows works, and names of licences: their forms, their addresses, and
check digits, those of people, too.
"""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator

from kg.facts.values.text import WebAddress, is_web_address, require

# scheme -> the address that an identifier leads to
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


STOPS = ".,;"  # ends of a sentence, which are copied along and belong to no identifier
PLAIN_DOI = re.compile(r"10\.[0-9]{4,9}/[A-Za-z0-9._/-]*[A-Za-z0-9_/-]")
ARXIV = r"([0-9]{4}\.[0-9]{4,5}|[a-z-]+(\.[A-Z]{2})?/[0-9]{7})(v[0-9]+)?"
PMID = r"[1-9][0-9]{0,8}"
PMCID = r"PMC[0-9]{1,9}"


def what_to_write(text: str, pattern: str, otherwise: str) -> str:
    """The identifier that stands in a text, with a word before it or a full stop behind."""
    found = re.search(rf"(?<![\w.]){pattern}(?=[{STOPS}]*(?:\s|$))", text)
    return f"Write '{found[0]}'." if found and found[0] != text else f"Write it {otherwise}."


def check_doi(text: str) -> str:
    """A DOI, bare or as the address it is often pasted as."""
    if PLAIN_DOI.fullmatch(text):  # as most are
        return text
    text = re.sub(r"^https?://(dx\.)?doi\.org/", "", text)
    good = re.fullmatch(r"10\.[0-9]{4,9}/\S+", text) and is_web_address(f"https://doi.org/{text}")
    plain = r"10\.[0-9]{4,9}/[\w.()/:-]*[\w)/-]"
    hint = what_to_write(text, plain, "bare, e.g. 10.1109/MM.2021.3139027")
    require(good and text[-1] not in STOPS, "bad-doi", f"{text!r} is not a DOI. {hint}")
    return text


def check_arxiv(text: str) -> str:
    hint = what_to_write(text, ARXIV, "bare, e.g. 2101.00001")
    require(re.fullmatch(ARXIV, text), "bad-arxiv", f"{text!r} is not an arXiv number. {hint}")
    return text


def check_isbn(text: str) -> str:
    """Thirteen digits or ten, the last one a check digit; hyphens and spaces are left out."""
    digits = re.sub(r"[\s\u2010-\u2015-]", "", text).upper()
    if re.fullmatch(r"[0-9]{13}", digits):
        total, of = sum(int(digit) * (1, 3)[at % 2] for at, digit in enumerate(digits)), 10
    else:
        hint = what_to_write(text, r"[0-9][0-9 -]{8,15}[0-9Xx]", "as 978-3-16-148410-0")
        good = re.fullmatch(r"[0-9]{9}[0-9X]", digits)
        require(good, "bad-identifier", f"{text!r} is not an ISBN. {hint}")
        values = [10 if digit == "X" else int(digit) for digit in digits]
        total, of = sum((10 - at) * value for at, value in enumerate(values)), 11
    message = f"{text!r} is not an ISBN: its last digit does not fit the others. Compare it again."
    require(total % of == 0, "bad-identifier", message)
    return digits


def check_digit(digits: str) -> str:
    """The last digit of an ORCID or ISNI by the others (ISO 7064 mod 11-2); X is ten."""
    total = 0
    for digit in digits:
        total = (total + int(digit)) * 2
    return "0123456789X"[(12 - total % 11) % 11]


def check_pmid(text: str) -> str:
    message = f"{text!r} is not a PubMed number. {what_to_write(text, PMID, 'as 31452104')}"
    require(re.fullmatch(PMID, text), "bad-identifier", message)
    return text


def check_pmcid(text: str) -> str:
    hint = what_to_write(text, PMCID, "as PMC6711234")
    message = f"{text!r} is not a number of PubMed Central. {hint}"
    require(re.fullmatch(PMCID, text), "bad-identifier", message)
    return text


def check_numbers(found: dict[str, str]) -> dict[str, str]:
    """Identifiers by their schemes; those that make an address end as it ends."""
    for scheme, text in found.items():
        message = f"{text!r} ends in a sign that is no part of it. Write '{text.rstrip(STOPS)}'."
        good = scheme not in ADDRESSES or text[-1] not in STOPS
        require(good, "bad-identifier", message, scheme)
    return found


def check_license(text: str) -> WebAddress:
    """An address, or the short name of a licence as SPDX lists it: `CC-BY-4.0`, `MIT`."""
    if is_web_address(text):
        return WebAddress(text)
    bare = r"CC(-BY(-NC)?(-SA|-ND)?)?[1-9]?"  # of which version?
    good = re.fullmatch(r"[A-Za-z0-9.+-]{2,40}", text) and not re.fullmatch(bare, text.upper())
    message = f"{text!r} is no licence. Write its short name, e.g. CC-BY-4.0 or MIT, or an address."
    require(good, "bad-value", message)
    if found := re.fullmatch(r"CC-(BY(?:-NC)?(?:-SA|-ND)?)-([0-9]\.[0-9])", text.upper()):
        return WebAddress(f"https://creativecommons.org/licenses/{found[1].lower()}/{found[2]}/")
    if text.upper() in ("CC0", "CC0-1.0"):
        return WebAddress("https://creativecommons.org/publicdomain/zero/1.0/")
    return WebAddress(f"https://spdx.org/licenses/{text}.html")


def address_in(scheme: str, value: str) -> WebAddress | None:
    """Where an identifier leads to; None where the scheme is not known, or it fits no address."""
    address = ADDRESSES[scheme].format(value) if scheme in ADDRESSES else ""
    return WebAddress(address) if is_web_address(address) else None


Doi = Annotated[str, AfterValidator(check_doi)]
Arxiv = Annotated[str, AfterValidator(check_arxiv)]
Isbn = Annotated[str, AfterValidator(check_isbn)]
Pmid = Annotated[str, AfterValidator(check_pmid)]
Pmcid = Annotated[str, AfterValidator(check_pmcid)]
License = Annotated[str, AfterValidator(check_license)]
