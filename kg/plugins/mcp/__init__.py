"""`kg mcp`: a Model Context Protocol server for agents, with a tool for each question."""
