"""What other formats say: readers of them, edits of an author's files, writers."""
