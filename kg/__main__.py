"""Runs the command `kg` as `python -m kg`."""

from kg.cli import main

main(prog_name="python -m kg")
