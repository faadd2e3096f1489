"""Where it is held: a graph in memory."""
