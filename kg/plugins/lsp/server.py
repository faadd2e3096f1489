"""The language server: documents of an editor in, problems, completion, meanings and fixes out."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from kg.check.report.extents import Source
from kg.check.report.selection import mentioned
from kg.cli.options import site_of
from kg.errors import Place, Problem
from kg.plugins.lsp import fields
from kg.plugins.lsp.cursor import Cursor, cursor_at
from kg.plugins.lsp.site import Entity, OpenSite

FIELD_DELAY, FULL_DELAY = 0.1, 0.6  # seconds after a keystroke; longer if a check takes long
SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "info": types.DiagnosticSeverity.Information,
}
MAX_NAMES = 2000  # names offered at once
PLAIN = re.compile(r"[^\W_][^:#\[\]{},&*!|>'\"%@`]*")


@dataclass
class Session:
    """The checks of one site: what was published, and the check that is under way."""

    site: OpenSite
    published: dict[str, list[Problem]] = field(default_factory=dict)
    waiting: asyncio.Task[None] | None = None
    duration: float = 0.0  # seconds of the last check of fields


class Server(LanguageServer):
    """A language server for all sites that an editor opens files of."""

    def __init__(self) -> None:
        super().__init__("kg", version("cv-kg"))
        self.sessions: dict[Path, Session] = {}
        self.worker = ThreadPoolExecutor(1)  # one check at a time

    def session(self, uri: str) -> tuple[Session, str] | None:
        """The session of a document's site, and its file; None if it is in no site."""
        path = Path(to_fs_path(uri) or "")
        folder = site_of(path) if path.is_absolute() else None
        if folder is None:
            return None
        found = self.sessions.setdefault(folder, Session(OpenSite(folder)))
        return found, path.relative_to(folder).as_posix()

    def texts(self, session: Session) -> dict[str, bytes]:
        """The texts of the open documents of a site."""
        found = {}
        for uri, document in [*self.workspace.text_documents.items()]:
            path = Path(to_fs_path(uri) or "")
            if path.is_relative_to(session.site.folder):
                file = path.relative_to(session.site.folder).as_posix()
                found[file] = document.source.encode()
        return found

    def changed(self, uri: str, is_saved: bool = False) -> None:
        """Checks soon: fields first, then everything. A newer change replaces the check."""
        found = self.session(uri)
        if found is None:
            return
        session, _ = found
        if session.waiting:
            session.waiting.cancel()
        session.waiting = asyncio.get_running_loop().create_task(self.checks(session, is_saved))

    async def checks(self, session: Session, is_saved: bool) -> None:
        loop = asyncio.get_running_loop()
        if not is_saved:
            await asyncio.sleep(max(FIELD_DELAY, session.duration))
            texts, started = self.texts(session), time.thread_time()
            found = await loop.run_in_executor(self.worker, session.site.check_fields, texts)
            self.publish(session, found, texts)
            session.duration = min(time.thread_time() - started, FULL_DELAY)
            await asyncio.sleep(FULL_DELAY)
        texts = self.texts(session)
        found = await loop.run_in_executor(self.worker, session.site.check, texts)
        self.publish(session, found, texts)

    def publish(
        self, session: Session, problems: Iterable[Problem], texts: dict[str, bytes]
    ) -> None:
        """Publishes the problems of each file that has some now or had some before. A document has
        the version that was checked, because a change ends the check that is under way.
        """
        now: dict[str, list[Problem]] = {file: [] for file in (*session.published, *texts)}
        for each in problems:
            if "://" not in each.place.file:
                now.setdefault(each.place.file, []).append(each)
        for file, found in now.items():
            source, uri = self.source(session, file, texts), uri_of(session, file)
            document = self.workspace.text_documents.get(uri)
            params = types.PublishDiagnosticsParams(
                uri,
                [self.diagnostic(session, each, source) for each in found],
                version=document.version if document else None,
            )
            self.text_document_publish_diagnostics(params)
        session.published = {file: found for file, found in now.items() if found}

    def source(self, session: Session, file: str, texts: dict[str, bytes]) -> Source:
        path = session.site.folder / file
        data = texts[file] if file in texts else path.read_bytes() if path.is_file() else b""
        return Source(file, data)

    def diagnostic(self, session: Session, problem: Problem, source: Source) -> types.Diagnostic:
        end = source.end(problem.place) or problem.place
        return types.Diagnostic(
            self.range(source, problem.place, max(end, problem.place)),
            problem.message,
            severity=SEVERITIES[problem.severity],
            code=problem.rule,
            source="kg",
            related_information=[
                types.DiagnosticRelatedInformation(
                    types.Location(uri_of(session, place.file), bare_range(place)), "Related place"
                )
                for place in mentioned(problem)
                if "://" not in place.file
            ],
        )

    def range(self, source: Source, start: Place, end: Place) -> types.Range:
        """A range in the units of the client."""
        plain = types.Range(position(start), position(end))
        return self.workspace.position_codec.range_to_client_units(source.lines, plain)

    def cursor(
        self, uri: str, at: types.Position
    ) -> tuple[Session, str, list[str], int, int] | None:
        """The site, the file, its lines, and the line and column of a position."""
        found = self.session(uri)
        if found is None or not fields.schema_of(found[1]):
            return None
        lines = self.workspace.get_text_document(uri).lines
        here = self.workspace.position_codec.position_from_client_units(lines, at)
        bare = [line.rstrip("\r\n") for line in lines]
        bare += [""] * (here.line + 1 - len(bare))  # below the last line end
        return found[0], found[1], bare, here.line, here.character


def uri_of(session: Session, file: str) -> str:
    return from_fs_path(str(session.site.folder / file)) or ""


def position(place: Place) -> types.Position:
    return types.Position(place.line - 1, place.column - 1)


def bare_range(place: Place) -> types.Range:
    return types.Range(position(place), position(place))


server = Server()


@server.feature(types.TEXT_DOCUMENT_DID_OPEN)
async def opened(ls: Server, params: types.DidOpenTextDocumentParams) -> None:
    ls.changed(params.text_document.uri, is_saved=True)


@server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
async def typed(ls: Server, params: types.DidChangeTextDocumentParams) -> None:
    ls.changed(params.text_document.uri)


@server.feature(types.TEXT_DOCUMENT_DID_SAVE)
async def saved(ls: Server, params: types.DidSaveTextDocumentParams) -> None:
    ls.changed(params.text_document.uri, is_saved=True)


@server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
async def closed(ls: Server, params: types.DidCloseTextDocumentParams) -> None:
    ls.changed(params.text_document.uri, is_saved=True)


@server.feature(
    types.TEXT_DOCUMENT_CODE_ACTION,
    types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix]),
)
def fixes(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
    """The fixes of the problems that the editor shows in the range."""
    uri = params.text_document.uri
    found = ls.session(uri)
    if found is None:
        return []
    session, file = found
    source = ls.source(session, file, ls.texts(session))
    shown = {(each.code, each.message): each for each in params.context.diagnostics}
    actions = []
    for problem in session.published.get(file, []):
        diagnostic = shown.get((problem.rule, problem.message))
        for text in problem.fix.texts if problem.fix and diagnostic else ():
            edit = source.edit(problem.place, problem.fix, text) if problem.fix else None
            if edit is None or diagnostic is None:
                continue
            where = ls.range(source, edit.start, edit.end)
            actions.append(
                types.CodeAction(
                    f"Write {edit.text.strip()}" if edit.text.strip() else "Remove it",
                    kind=types.CodeActionKind.QuickFix,
                    diagnostics=[diagnostic],
                    is_preferred=problem.fix.is_certain if problem.fix else False,
                    edit=types.WorkspaceEdit({uri: [types.TextEdit(where, edit.text)]}),
                )
            )
    return actions


@server.feature(
    types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=[" ", "[", ","])
)
def completion(ls: Server, params: types.CompletionParams) -> types.CompletionList:
    """Fields for a key; values and names of the site for a value."""
    found = ls.cursor(params.text_document.uri, params.position)
    if found is None:
        return types.CompletionList(False, [])
    session, file, lines, line, column = found
    cursor, schema = cursor_at(lines, line, column), fields.schema_of(file)
    if not cursor.is_value:
        offered = fields_offered(schema, cursor, lines[line][column:])
        names = [] if cursor.beside else names_offered(session, cursor)
        return types.CompletionList(False, [*offered, *names])
    values = [
        types.CompletionItem(value, kind=types.CompletionItemKind.EnumMember)
        for value in fields.values_at(schema, cursor.steps)
    ]
    return types.CompletionList(False, [*values, *names_offered(session, cursor)])


def fields_offered(schema: str, cursor: Cursor, after: str) -> list[types.CompletionItem]:
    colon = "" if after.lstrip().startswith(":") else ": "
    return [
        types.CompletionItem(
            name,
            kind=types.CompletionItemKind.Property,
            documentation=meaning,
            insert_text=f"{name}{colon}",
        )
        for name, meaning in fields.fields_at(schema, cursor.steps).items()
        if name not in cursor.beside
    ]


def names_offered(session: Session, cursor: Cursor) -> list[types.CompletionItem]:
    """The entries and names of the site that the field can refer to."""
    kinds = fields.kinds_by_field().get(cursor.steps[-1], ()) if cursor.steps else ()
    entities = [each for each in session.site.entities if each.kind in kinds]
    return [
        types.CompletionItem(
            each.text,
            kind=types.CompletionItemKind.Reference,
            detail=f"{each.name} ({each.noun})" if each.key else each.noun,
            filter_text=f"{each.text} {each.name}",
            insert_text=each.text if PLAIN.fullmatch(each.text) else quoted(each.text),
        )
        for each in entities[:MAX_NAMES]
    ]


def quoted(text: str) -> str:
    return '"{}"'.format(text.replace("\\", "\\\\").replace('"', '\\"'))


@server.feature(types.TEXT_DOCUMENT_HOVER)
def meaning(ls: Server, params: types.HoverParams) -> types.Hover | None:
    """What a field means; what a name stands for."""
    found = ls.cursor(params.text_document.uri, params.position)
    if found is None:
        return None
    _, file, lines, line, column = found
    schema = fields.schema_of(file)
    end = word_end(lines[line], column)
    cursor = cursor_at(lines, line, end)
    if not cursor.is_value and lines[line][end:].lstrip("\"'").startswith(":"):
        text = fields.meaning_at(schema, (*cursor.steps, cursor.word))
        title = f"**{cursor.word}**"
    else:
        entities = entities_at(ls, params.text_document.uri, params.position)
        title = "\n\n".join(f"**{each.name}** ({each.noun})" for each in entities)
        text = "\n\n".join(
            f"{each.summary}\n\n{each.place.file}:{each.place.line}" for each in entities
        )
        text = text.strip() or fields.meaning_at(schema, cursor.steps)
    body = "\n\n".join(filter(None, [title, text]))
    content = types.MarkupContent(types.MarkupKind.Markdown, body)
    return types.Hover(content) if text else None


def word_end(line: str, column: int) -> int:
    found = re.match(r"[\w.-]*", line[column:])
    return column + (found.end() if found else 0)


def entities_at(ls: Server, uri: str, at: types.Position) -> list[Entity]:
    """The entries that the value at a position refers to."""
    found = ls.cursor(uri, at)
    if found is None:
        return []
    session, file, lines, line, column = found
    source = ls.source(session, file, ls.texts(session))
    for (row, start), token in source.tokens.items():
        is_here = row == line == token.end[0] and start <= column <= token.end[1]
        if token.value is not None and is_here:
            cursor = cursor_at(lines, line, start)
            kinds = fields.kinds_by_field().get(cursor.steps[-1], ()) if cursor.steps else ()
            return session.site.named(token.value, kinds)
    return []


@server.feature(types.TEXT_DOCUMENT_DEFINITION)
def definition(ls: Server, params: types.DefinitionParams) -> list[types.Location]:
    found = ls.session(params.text_document.uri)
    entities = entities_at(ls, params.text_document.uri, params.position)
    if found is None:
        return []
    return [
        types.Location(uri_of(found[0], each.place.file), bare_range(each.place))
        for each in entities
    ]
