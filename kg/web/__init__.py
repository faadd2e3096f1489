"""Who asks from afar: the server."""
