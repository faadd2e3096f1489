"""Imports CVs in Markdown or plain text, as far as headings, dates and lists are clear."""
