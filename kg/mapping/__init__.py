"""Mapping of facts to RDF: triples and IRIs."""
