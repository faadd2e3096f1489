"""`kg join`: one site from the published facts of several."""
