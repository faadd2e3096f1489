"""Other servers: the HTTP client, `kg push`, the guarded proxy of an endpoint."""
