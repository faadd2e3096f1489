"""Real commands that are killed at random moments, and machines that refuse.

`python -m tests.crashes KIND NUMBER SEED` kills so many commands of a kind, or of `all`: after each
kill every file is the old one or the new one, no process is left, and the same command
once more ends well, with the bytes of one that nobody disturbed, and leaves nothing behind. Where a
process of a server is killed, it goes on, and answers each request.
"""
