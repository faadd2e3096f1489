"""The structured data of any HTML page, judged."""
