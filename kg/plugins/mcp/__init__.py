"""Who asks as a program: agents, with a tool for each question."""
