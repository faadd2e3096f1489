"""Formats of the report of `kg check`: on a terminal, SARIF, GitHub and GitLab."""
