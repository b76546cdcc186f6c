"""Starts the runner. Its modules come compiled; only this line is compiled anew."""

from runner import main

main()
