"""What authors probably meant: slips of YAML, fields, dates, references, words of other formats."""
