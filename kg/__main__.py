"""`python -m kg` is the command `kg`."""

from kg.cli import main

main(prog_name="python -m kg")
