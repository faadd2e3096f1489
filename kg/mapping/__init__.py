"""What it means: triples of each fact, and the IRI of everything."""
