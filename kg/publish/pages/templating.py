"""Jinja templates, ours and a site's own. An error in one is reported with its file and line."""

from __future__ import annotations

import hashlib
import traceback
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import jinja2

from kg.errors import KgError

OURS = Path(__file__).parents[1] / "templates"


class SiteLoader(jinja2.FileSystemLoader):
    """The templates of a site."""

    def get_source(
        self, environment: jinja2.Environment, template: str
    ) -> tuple[str, str, Callable[[], bool]]:
        try:
            return super().get_source(environment, template)
        except UnicodeDecodeError as error:
            raise wrong(
                f"{Path(self.searchpath[0], template)}: this template is not UTF-8"
            ) from error


class BytecodeMemo(jinja2.BytecodeCache):
    """Compiled templates of this process, by the digest of their source."""

    def __init__(self) -> None:
        self.known: dict[str, bytes] = {}

    def load_bytecode(self, bucket: jinja2.bccache.Bucket) -> None:
        if bucket.checksum in self.known:
            bucket.bytecode_from_string(self.known[bucket.checksum])

    def dump_bytecode(self, bucket: jinja2.bccache.Bucket) -> None:
        self.known[bucket.checksum] = bucket.bytecode_to_string()

    def get_source_checksum(self, source: str) -> str:
        return hashlib.sha256(source.encode()).hexdigest()


bytecode_memo = lru_cache(maxsize=1)(BytecodeMemo)


def environment(own: Path | None) -> jinja2.Environment:
    """A site's own come first; one that changes a few lines of ours begins with `{% extends
    "shipped/page.html" %}`.
    """
    ours = jinja2.FileSystemLoader(OURS)
    first = [SiteLoader(own)] if own else []
    return jinja2.Environment(
        loader=jinja2.ChoiceLoader([*first, ours, jinja2.PrefixLoader({"shipped": ours})]),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        bytecode_cache=bytecode_memo(),
    )


def render(templates: jinja2.Environment, own: Path | None, name: str, **values: object) -> bytes:
    """A template filled with values. An error in a site's own template is reported to its author;
    any other is ours.
    """
    try:
        return templates.get_template(name).render(**values).encode()
    except jinja2.TemplateSyntaxError as error:
        raise wrong(
            f"{error.filename}:{error.lineno}: this template cannot be read: {error.message}"
        ) from error
    except KgError:
        raise
    except Exception as error:  # a template may do anything that an expression can
        places = [
            (step.filename, step.lineno) for step in traceback.extract_tb(error.__traceback__)
        ]
        place = next(
            (place for place in reversed(places) if own and Path(place[0]).is_relative_to(own)),
            None,
        )
        if place is None:
            raise
        reason = (
            f"there is no template '{error.name}'"
            if isinstance(error, jinja2.TemplateNotFound)
            else str(error) or type(error).__name__
        )
        raise wrong(f"{place[0]}:{place[1]}: this template cannot be filled: {reason}") from error


def wrong(what: str) -> KgError:
    return KgError(f"{what.rstrip('.')}. Correct it, or move it away.")
