"""How one begins: a new site, and what the machine has and lacks."""
