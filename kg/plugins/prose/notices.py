"""Recognises lines that are about the document, not about the person: page numbers, the day of the
last change, links to other languages or formats.
"""

from __future__ import annotations

import re

from kg.facts.values.regions import languages, tags
from kg.plugins.prose.date_spans import MONTH, unaccented

CV = r"(?:curriculum vitae|cv|resume|lebenslauf|vita|curriculo)"
PAGE = r"(?:page|seite|pagina|pag\.?|sida|side|strona)"
OF = r"\s*(?:/|of|von|de|di|sur|van|av)\s*"
DATE = (
    rf"(?:\W|{MONTH}|\d+(?:st|nd|rd|th|er)?|(?:of|de|del|on|am|im|vom|le|el|il|den|op|em|the)\b)+"
)
NOTICE = re.compile(
    rf".{{0,80}}\b{PAGE}\s*\d+{OF}\d+|{PAGE}\s*\d+"
    rf"|(?=[^@/]{{0,80}}\b{CV}\b)[^@/]{{0,80}}[^\w/.]\d{{1,2}}(?:{OF}\d{{1,2}})?"
    r"|(?:last |date of last |recently )?(?:updated?|modified|revised|modification|revision|change)"
    rf"{DATE}|(?:as of|stand|zuletzt (?:aktualisiert|geandert)|aktualisiert"
    r"|letzte (?:aktualisierung|anderung)|derniere (?:mise a jour|modification)|mise? a jour"
    r"|a jour au|ultima (?:actualizacion|modificacion|atualizacao|modifica)|actualizado|atualizado"
    r"|ultimo aggiornamento|aggiornato|laatst (?:bijgewerkt|gewijzigd)|bijgewerkt)"
    rf"{DATE}|(?:download|view|print|herunterladen|telecharger|descargar|scaricare?)\b.{{0,30}}"
    rf"\b(?:pdf|{CV})\b.{{0,20}}|(?:this )?{CV} as (?:a )?pdf|pdf[- ]version"
    r"|(?:generated|powered|typeset) (?:with|by|using|in)\b.{0,60}"
    r"|back to (?:top|home)|skip to (?:main )?content|\[?toc\]?",
    re.IGNORECASE,
)
BETWEEN = re.compile(r"\s*[|/·•]\s*")


def is_notice(text: str) -> bool:
    return bool(NOTICE.fullmatch(unaccented(text).strip(" *_()[].-–—|")))


def is_language_switch(text: str) -> bool:
    """Whether a line has only names or tags of languages: `English | Deutsch`, `EN / DE`."""
    parts = [part.strip(" []()*_").casefold() for part in BETWEEN.split(text)]
    return len(parts) > 1 and all(part in tags() or part in languages() for part in parts)
