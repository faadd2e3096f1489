"""The files of a disk: read, written whole, kept for the next time, or as they stood in git."""
