"""Suggestions for authors: YAML mistakes, unknown fields, dates, references, terms of other
formats.
"""
