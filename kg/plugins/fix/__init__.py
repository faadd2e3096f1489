"""`kg check --fix`: writes fixes of problems into the files."""
