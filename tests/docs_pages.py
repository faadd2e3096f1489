"""Brings README and CONTRIBUTING, which are beside `docs/`, into the site that MkDocs makes of it;
`mkdocs.yml` calls it.
"""

from __future__ import annotations

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

PAGES = ("README.md", "CONTRIBUTING.md")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for name in PAGES:
        text = Path(config.config_file_path).with_name(name).read_text(encoding="utf-8")
        # there they are beside the pages that they link to
        files.append(File.generated(config, name, content=text.replace("](docs/", "](")))
    return files
