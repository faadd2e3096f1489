"""What is wrong: files, facts, addresses and shapes, judged together."""
