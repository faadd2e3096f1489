"""The SPARQL editor and the engine for browsers, as files: kg finds them by their paths here."""
