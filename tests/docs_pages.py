"""MkDocs hook of `mkdocs.yml`: adds README and CONTRIBUTING, which are outside `docs/`, and the
JSON Schemas at their public addresses.
"""

from __future__ import annotations

import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from release import public_schemas

PAGES = ("README.md", "CONTRIBUTING.md")
BESIDE = re.compile(r"\[((?:SECURITY|CHANGELOG|CODE_OF_CONDUCT)\.md|CITATION\.cff)\]\(\1\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for name in PAGES:
        text = Path(config.config_file_path).with_name(name).read_text(encoding="utf-8")
        # in the site they are in the same folder as the pages of docs/, and the files beside them
        # are not there
        text = BESIDE.sub(r"`\1`", text.replace("](docs/", "]("))
        files.append(File.generated(config, name, content=text))
    for name, text in public_schemas.schemas().items():
        path = f"schema/{public_schemas.minor_version()}/{name}"
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    up = "../" * page.file.src_uri.count("/")
    for name in PAGES:
        markdown = markdown.replace(f"](../{up}{name}", f"]({up}{name}")
    return markdown
