"""`kg audit`: checks the structured data of any HTML page."""
