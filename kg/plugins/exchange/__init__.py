"""Import and export of other CV formats: readers, writers, and edits of the author's files."""
