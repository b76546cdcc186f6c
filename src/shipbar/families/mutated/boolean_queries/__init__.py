"""Conditions over names that are read, written, compared, simplified and asked."""
