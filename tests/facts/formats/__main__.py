"""`python -m tests.facts.formats` writes the table of formats anew."""

from tests.facts.formats.table import FILE, document

FILE.write_text(document(), encoding="utf-8")
