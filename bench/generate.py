"""Generates a site of fictional CVs that resemble real ones, with shared co-authors, organisations
and venues. The seed is fixed, so the output is always the same.

    python -m bench.generate FOLDER 1000
"""

from __future__ import annotations

import random
import re
import sys
from pathlib import Path
from typing import Any

SYLLABLES = [first + second for first in "bdfklmnprstvwyz" for second in "aeio"]
WORDS = ["sand", "river", "gauge", "model", "delta", "flow", "grain", "load", "bed", "wave"]
WORDS += [
    "sensor",
    "memory",
    "parallel",
    "sparse",
    "graph",
    "cache",
    "kernel",
    "tensor",
    "stream",
    "ledger",
]
TITLES = [
    "Lecturer",
    "Engineer",
    "Research Assistant",
    "Senior Researcher",
    "Scientist",
    "Developer",
]
PAPERS = 6  # per CV; each has six authors


def name(rng: random.Random) -> str:
    return " ".join(
        "".join(rng.choices(SYLLABLES, k=rng.randint(2, 3))).capitalize() for _ in range(2)
    )


def slug(text: str) -> str:
    return text.lower().replace(" ", "-")


def people(rng: random.Random, count: int) -> list[str]:
    found: dict[str, str] = {}
    while len(found) < count:
        full = name(rng)
        found.setdefault(slug(full), full)
    return list(found.values())


def sentence(rng: random.Random) -> str:
    """A sentence about as long as those of real CVs."""
    one, two, three = rng.sample(WORDS, 3)
    return (
        f"Measured how the {one} of a {two} answers to its {three}, built what was missing and "
        f"made it {rng.randint(2, 90)} percent faster."
    )


def registries(rng: random.Random, data: Path, size: int) -> None:
    lines = [
        (
            f"org-{n}: {{name: Organisation {n}, kind: {'university' if n % 2 else 'company'}, "
            f"location: place-{n % 20}}}"
        )
        for n in range(size)
    ]
    lines += [
        f"org-{n}-lab: {{name: Laboratory of {n}, kind: laboratory, parent: org-{n}}}"
        for n in range(size)
    ]
    (data / "organizations.yaml").write_text("\n".join(lines) + "\n")
    (data / "places.yaml").write_text(
        "".join(
            f"place-{n}: {{name: Town {n}, locality: Town {n}, country: SE}}\n" for n in range(20)
        )
    )
    (data / "topics.yaml").write_text(
        "".join(f"{word}: {{name: {word.capitalize()}}}\n" for word in WORDS)
    )
    venues = [
        (
            f"conf-{n}: {{name: Conference on {rng.choice(WORDS)} {n}, alternateNames: "
            f"[CONF{n}], kind: conference}}"
        )
        for n in range(size)
    ]
    (data / "venues.yaml").write_text("\n".join(venues) + "\n")
    (data / "sources.yaml").write_text(
        "cv: {name: Curriculum vitae, kind: curriculum vitae, date: 2024-02}\n"
    )


def cv(rng: random.Random, full: str, works: list[str], colleagues: list[str], size: int) -> str:
    given, family = full.split()
    lines = [
        "basics:",
        f"  name: {full}",
        f"  givenName: {given}",
        f"  familyName: {family}",
        f"  alternateNames: [{given[0]}. {family} the owner]",
        f"  summary: {sentence(rng)}",
        f"  url: https://{slug(full)}.example.org/",
        f"interests: [{', '.join(rng.sample(WORDS, 4))}]",
        "work:",
    ]
    year = 2024
    for number in range(6):
        org, start = rng.randrange(size), year - rng.randint(1, 3)
        lines += [
            f"  - organization: org-{org}",
            f"    unit: org-{org}-lab",
            f"    position: {rng.choice(TITLES)} {number}",
            f"    startDate: {start}-01",
            f"    endDate: {f'{year}-{rng.randint(1, 12):02}' if number else 'present'}",
            f"    location: place-{org % 20}",
            "    source: cv",
            "    highlights:",
            *(f"      - {sentence(rng)}" for _ in range(5)),
        ]
        year = start
    lines += [
        "education:",
        f"  - institution: org-{rng.randrange(size)}",
        "    studyType: Ph.D.",
        "    level: doctoral",
        f"    area: {rng.choice(WORDS)}",
        f"    startDate: {year - 5}",
        f"    endDate: {year}",
        f"    advisor: {slug(rng.choice(colleagues))}",
        "    score: 3.9/4.0",
        "    source: cv",
        f"publications: [{', '.join(works)}]",
    ]
    return "\n".join(lines) + "\n"


def paper(rng: random.Random, key: str, authors: list[str], size: int) -> str:
    title, first = " ".join(rng.choices(WORDS, k=8)).capitalize(), rng.randint(1, 900)
    lines = [
        f"{key}:",
        f'  title: "{title}"',
        f'  alternateTitles: ["{title.lower()}, extended abstract"]',
        "  kind: conference",
        f"  authors: [{', '.join(authors)}]",
        f"  venue: conf-{rng.randrange(size)}",
        f"  year: {rng.randint(2008, 2024)}",
        f"  pages: {first}-{first + 12}",
        f"  doi: 10.1000/{key}",
        "  source: cv",
        "  note: The label in the list differs from the year of the event, which is kept here.",
    ]
    return "\n".join(lines) + "\n"


def activities(rng: random.Random, owner: str, others: list[str], size: int) -> str:
    """What a full CV has beyond work, studies and papers."""
    lines = [
        "awards:",
        f"  - {{title: {rng.choice(WORDS)} prize, awarder: org-{rng.randrange(size)}, year: 2020}}",
        f"  - {{title: Best paper, year: 2025, work: {owner}-0}}",
        "service:",
        f"  - {{role: Reviewer, venue: conf-{rng.randrange(size)}, year: 2021}}",
        f"  - {{role: Chair, venue: conf-{rng.randrange(size)}, year: 2022}}",
        "teaching:",
        f"  - {{course: Course {rng.randrange(size)}, role: Lecturer, dates: [2022]}}",
        "grants:",
        f"  - {{title: Project {owner}, funder: org-{rng.randrange(size)}, role: PI,",
        f"     number: G-{owner}, amount: 90000 EUR, startDate: 2020, endDate: 2022}}",
        "mentoring:",
        f"  - {{person: {rng.choice(others)}, level: doctoral, startDate: 2020-03,",
        f"     endDate: 2021-09, organization: org-{rng.randrange(size)}}}",
        "languages: [en, {language: sv, level: C1}]",
        "tutorials:",
        "  - tutorial: course",
        "    given:",
        f"      - {{venue: conf-{rng.randrange(size)}, attendees: {rng.randint(5, 90)}+}}",
        f"press: [article-{owner}]",
    ]
    return "\n".join(lines) + "\n"


def with_keywords(rng: random.Random, text: str) -> str:
    """Papers with two keywords each, which are topics of people."""
    return re.sub(
        r"(?m)^  year: ",
        lambda found: f"  keywords: [{', '.join(rng.sample(WORDS, 2))}]\n{found[0]}",
        text,
    )


def faulty(rng: random.Random, text: str) -> str:
    """Adds one common mistake to a CV or its papers. The facts stay valid, but break a rule about
    the graph.
    """
    mistakes: list[tuple[str, Any]] = [
        (r"startDate: (\d+)-01", r"startDate: 2031-01"),  # ends before it starts
        (r"    startDate: .*\n", ""),
        (r"endDate: \d+-\d+", "endDate: present"),  # a second employer
        (r"endDate: present", "endDate: 2023-05"),  # nothing current
        (r"endDate: \d+-\d+", "endDate: unknown"),
        (r"score: 3.9/4.0", "score: 4.9/4.0"),
        (r'title: "(.*)"', lambda found: found[0].lower()),
        (r"  venue: .*\n", ""),
        (r"  year: .*\n", ""),
        (r"year: \d+", "year: 1066"),
        (r"pages: (\d+)-(\d+)", r"pages: \2-\1"),
        (r"doi: .*", "doi: 10.1000/the-same"),
        (r"authors: \[([^,]*), ", r"authors: [\1, \1, "),  # an author twice
    ]
    fitting = [(pattern, other) for pattern, other in mistakes if re.search(pattern, text)]
    pattern, other = rng.choice(fitting)
    return re.sub(pattern, other, text, count=1)


def broken_turtle(rng: random.Random, count: int) -> str:
    """Turtle with mistakes that YAML does not allow."""
    forms = [
        '<people/hand-{n}#it> a schema:Person ; schema:name "Hand {n}" .',
        (
            '<people/hand-{n}#it> a schema:Person, foaf:Person ; schema:name "Hand {n}", "Foot '
            '{n}" ; foaf:name "Hand {n}" .'
        ),
        (
            '<orgs/hand-{n}#it> a schema:Organization ; schema:name "Hand {n}" ; foaf:name "Foot '
            '{n}" .'
        ),
        '<people/hand-{n}#work-hand> a schema:Role ; schema:name "Hand {n}" .',
        (
            "<publications/hand-{n}#it> a schema:ScholarlyArticle, schema:CreativeWork, "
            'foaf:Document ; schema:name " " .'
        ),
    ]
    lines = [rng.choice(forms).format(n=number) for number in range(count)]
    return "\n".join(
        [
            "@prefix schema: <http://schema.org/> .",
            "@prefix foaf: <http://xmlns.com/foaf/0.1/> .",
            *lines,
            "",
        ]
    )


def generate(
    folder: Path, count: int, seed: int = 1, faults: float = 0.0, is_full: bool = False
) -> None:
    """Writes `count` CVs; `faults` is the share of CVs with mistakes. Full CVs have awards,
    service, teaching, grants, mentoring, languages, tutorials, press and keywords, too.
    """
    rng = random.Random(seed)
    data = folder / "data"
    (data / "cv").mkdir(parents=True)
    (data / "publications").mkdir()
    (data / "site.yaml").write_text("base: https://bench.example.org/\ntitle: Bench\n")
    size = max(10, count // 10)
    everyone = people(rng, count * 3)
    owners, others = everyone[:count], everyone[count:]
    registries(rng, data, size)
    (data / "people.yaml").write_text(
        "".join(f"{slug(each)}: {{name: {each}}}\n" for each in others)
    )
    for number, owner in enumerate(owners):
        works = [f"{slug(owner)}-{year}" for year in range(PAPERS)]
        near = [others[(number * 2 + k) % len(others)] for k in range(12)] + [
            owners[(number + k) % count] for k in range(1, min(4, count))
        ]
        papers = [
            paper(rng, key, [owner, *rng.sample([each for each in near if each != owner], 5)], size)
            for key in works
        ]
        written = {"publications": "".join(papers), "cv": cv(rng, owner, works, others, size)}
        if is_full:
            written["cv"] += activities(rng, slug(owner), [*map(slug, others)], size)
            written["publications"] = with_keywords(rng, written["publications"])
        if rng.random() < faults:
            written = {kind: faulty(rng, text) for kind, text in written.items()}
        for kind, text in written.items():
            (data / kind / f"{slug(owner)}.yaml").write_text(text)
    if is_full:
        (data / "tutorials.yaml").write_text("course: {title: A course}\n")
        (data / "languages.yaml").write_text("en: {name: English}\nsv: {name: Swedish}\n")
        articles = (
            f"article-{slug(owner)}: {{title: News of {owner}, publisher: org-0, kind: news, "
            f"date: 2021-05-{number % 28 + 1:02}}}\n"
            for number, owner in enumerate(owners)
        )
        (data / "press.yaml").write_text("".join(articles))
    if faults:
        (data / "by-hand.ttl").write_text(broken_turtle(rng, max(5, int(count * faults))))


if __name__ == "__main__":
    generate(Path(sys.argv[1]), int(sys.argv[2]))
