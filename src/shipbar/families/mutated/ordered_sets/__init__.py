"""Rows of distinct names, each with a position."""
