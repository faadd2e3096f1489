"""Sources on the web: ORCID, Crossref, DataCite, dblp, OpenAlex, arXiv, ROR and Zotero."""
