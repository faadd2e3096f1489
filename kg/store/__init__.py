"""The graph store, in memory."""
