"""What is known: the graph of a site, and the triples that follow from it."""
