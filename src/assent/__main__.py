"""`python -m assent` is the command `assent`."""

from assent.cli import main

main(prog_name="assent")
