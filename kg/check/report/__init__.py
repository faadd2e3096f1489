"""Reports of problems for people and programs, and explanations of rules."""
