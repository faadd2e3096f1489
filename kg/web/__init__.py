"""The HTTP server: pages, data, the SPARQL endpoint, the console and metrics."""
