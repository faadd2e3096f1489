"""The graph of a site: asserted, handwritten and derived triples."""
