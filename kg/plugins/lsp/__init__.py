"""`kg lsp`: problems, completion and fixes in editors."""
