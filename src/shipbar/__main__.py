"""`python -m shipbar` is the command line."""

from shipbar.cli import main

main()
