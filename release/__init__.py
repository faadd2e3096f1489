"""Release tools: lock files, bill of materials, licences, and the generated documentation."""
