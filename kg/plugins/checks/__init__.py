"""Rules about pasted text and about facts that cannot be."""
