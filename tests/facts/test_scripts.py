"""A CV in any script has readable addresses, and keeps its names as written."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import kg
from kg.cli.new_site import new_site, write_new

# Person, employer, position, title of a paper, second author.
SCRIPTS = {
    "chinese": ("林海娜", "冰川大学", "研究员", "冰的测量", "李伟"),
    "arabic": ("هناء لند", "جامعة الجليد", "باحثة", "قياس الجليد", "محمد عمر"),
    "cyrillic": ("Хана Линд", "Институт льда", "Доцент", "Об измерении льда", "Пётр Вуд"),
    "devanagari": ("हना लिंद", "हिम संस्थान", "शोधकर्ता", "हिम मापन", "अनिल वन"),
    "hebrew": ("חנה לינד", "מכון הקרח", "חוקרת", "מדידת קרח", "דוד יער"),
    "thai": ("หานะ ลินด์", "สถาบันน้ำแข็ง", "นักวิจัย", "การวัดน้ำแข็ง", "มานี ป่า"),
    "korean": ("한아 린드", "얼음 연구소", "연구원", "얼음 측정", "김민지"),
}
CV = """\
basics: {{name: {0}}}
work: [{{organization: {1}, position: {2}, dates: 2019/2021}}]
publications: [{{kind: preprint, title: {3}, authors: [{0}, {4}], year: 2020}}]
"""


def test_a_cv_in_any_script_has_readable_addresses(tmp_path: Path) -> None:
    site, target = tmp_path / "site", tmp_path / "public"
    write_new(site, new_site("Hana Lind"))
    for script, words in SCRIPTS.items():
        (site / "data" / "cv" / f"{script}.yaml").write_text(CV.format(*words), encoding="utf-8")
    assert [each for each in kg.check(site) if each.severity == "error"] == []
    kg.export(site, target)
    for person, employer, position, title, other in SCRIPTS.values():
        written = [page.read_text() for page in target.glob("people/*.md")]
        assert any(all(word in page for word in (person, employer, position)) for page in written)
        assert title in "".join(page.read_text() for page in target.glob("publications/*.md"))
        assert other in "".join(written)
    found = {path.stem.rpartition("-")[0] for path in target.glob("orgs/*.md")}
    assert found > {
        "bing-chuan-da-xue",
        "jmh-ljlyd",
        "institut",
        "mkhvn-hkrh",
        "eol-eum-yeon-gu-so",
    }
    works = {path.stem for path in target.glob("publications/*.md")}
    assert works > {"lin-hai-na-2020-bing-de-ce-liang", "lind-2020-izmerenii", "lynd-2020-mdydt"}


@pytest.mark.process
def test_a_cv_in_latin_letters_loads_no_transliteration(one_person: Path) -> None:
    program = (
        "import sys; from kg.cli import main; main(sys.argv[1:], standalone_mode=False); "
        "sys.exit('anyascii' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program, "check", str(one_person)], check=True)
