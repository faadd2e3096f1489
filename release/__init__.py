"""Release tools: lock files, the software bill of materials, and licence texts."""
