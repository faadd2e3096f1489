"""File access: reading folders, atomic writes, the cache, and past states from git."""
