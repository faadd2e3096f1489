"""CVs written as Markdown or plain text, as far as headings, dates and lists are certain."""
