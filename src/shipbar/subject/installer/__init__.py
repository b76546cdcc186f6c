"""The program that builds a submission with pip inside the sandbox."""
