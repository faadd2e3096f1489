"""The report of an import fits on a screen, and nothing is left out of the file beside it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kg.cli import main
from kg.plugins.exchange.report import CONTACT, MAX_FOLDED, MAX_LINES, REPORT_FILE


def run(folder: Path, fields: int) -> Result:
    basics = {
        "name": "Mira Sand",
        **{f"extra{number}": f"value {number}" for number in range(fields)},
    }
    if fields > 1:
        basics["extra1"] = "call 0049 123 45 67 89"
    jobs = [{"name": "Stone Institute", "position": "Researcher", "startDate": "2019"}]
    resume = json.dumps({"basics": basics, "work": jobs, "skills": [{"name": "Ice"}]}, indent=1)
    (folder / "resume.json").write_text(resume, encoding="utf-8")
    arguments = ["import", str(folder / "resume.json"), "--into", str(folder / "site")]
    return CliRunner().invoke(main, arguments)


def test_a_short_list_is_printed_and_entries_are_counted_by_section(tmp_path: Path) -> None:
    result = run(tmp_path, 1)
    assert result.output.count("no matching field") == 1
    assert "work 1, skills 1; 1 was skipped (listed above)" in result.output
    assert not (tmp_path / "site" / REPORT_FILE).exists()


def test_a_long_list_is_folded_and_written_to_a_file(tmp_path: Path) -> None:
    many = 4 * MAX_LINES
    result = run(tmp_path, many)
    report = tmp_path / "site" / REPORT_FILE
    assert f"(and {many - 1} more like this)" in result.output
    assert f"{many} were skipped (listed in {report})" in result.output
    assert len(result.output.splitlines()) < MAX_FOLDED + 10
    lines = report.read_text(encoding="utf-8").splitlines()
    assert len(lines) == many
    assert '"value 7"  no matching field' in lines[7]
    assert "123" not in lines[1]


def test_the_same_report_again(tmp_path: Path) -> None:
    run(tmp_path, 2 * MAX_LINES)
    first = (tmp_path / "site" / REPORT_FILE).read_bytes()
    assert "Nothing new" in run(tmp_path, 2 * MAX_LINES).output
    assert (tmp_path / "site" / REPORT_FILE).read_bytes() == first


@pytest.mark.parametrize(
    ("text", "is_number"),
    [
        ("https://papers.ssrn.com/sol3/papers.cfm?abstract_id=3456789", True),
        ("https://doi.org/x/ssrn.3456789", True),
        ("https://www.sciencedirect.com/science/article/pii/S0306437912345678", True),
        ('@article{a}.issn  "1234-5678"', True),
        ("OCLC 1234567890", True),
        ('works.bib:3:1  @inproceedings{8575743}.note  "in Ghent"', True),
        ("Holliday31122025", True),
        ("call 0049 123 45 67 89", False),
        ("https://wa.me/4722855050", False),
    ],
)
def test_numbers_of_works_are_not_masked(text: str, is_number: bool) -> None:
    masked = CONTACT.sub(lambda found: found["number"] or "…", text)
    assert (masked == text) is is_number
