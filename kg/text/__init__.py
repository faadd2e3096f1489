"""Text, whoever wrote it: letters, spellings, names of people, order, and the words of pages."""
