"""A compact binary format for plain values."""
