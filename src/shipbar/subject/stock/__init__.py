"""The program that runs a suite under stock pytest."""
