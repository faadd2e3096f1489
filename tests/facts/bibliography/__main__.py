"""`python -m tests.facts.bibliography` writes the table of formats anew."""

from tests.facts.bibliography.table import FILE, document

FILE.write_text(document(), encoding="utf-8")
