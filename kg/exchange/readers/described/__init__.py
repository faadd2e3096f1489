"""People and works in a graph of RDF."""
