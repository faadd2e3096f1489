"""Opens published sites for `kg.open`: an address, a folder written by `kg build`, or a dump."""
