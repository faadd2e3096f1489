"""The check of a site: files, facts, addresses and shapes."""
