"""Optional parts, each declared as entry points in `pyproject.toml`; see `kg.doors`."""
