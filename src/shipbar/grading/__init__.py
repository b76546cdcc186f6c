"""Drives a sandbox through the rules of sealed grading, from submission to verdict."""
