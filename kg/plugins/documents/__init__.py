"""Reads CVs from Word, OpenDocument, PDF and LaTeX files, as text with headings and lists."""
