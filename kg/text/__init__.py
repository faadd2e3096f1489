"""Text processing: normalization, spelling, personal names, sorting, Markdown, and wording on
pages.
"""
