"""Families without a public analogue."""
