"""Other SPARQL servers: `kg push`, and a guarded proxy in front of an endpoint."""
