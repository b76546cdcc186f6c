"""Families of a familiar domain whose meaning is deliberately different."""
