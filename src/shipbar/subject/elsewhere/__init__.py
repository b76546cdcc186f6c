"""The program that runs the runner as if elsewhere."""
