"""The W3C's tests of SPARQL queries (sparql10 and sparql11 of a checkout of w3c/rdf-tests), asked
of `kg serve` over HTTP.

`python -m tests.w3c SUITE [--only PATTERN] [--in-process]`. Each test is asked twice: of pyoxigraph
in this process, which says what the engine can do, and of a server over the same data. What the
engine passes must pass over HTTP too.
"""
