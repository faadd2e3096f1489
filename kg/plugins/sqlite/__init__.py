"""Writes the public facts of a site as an SQLite database, for Datasette and other programs."""
