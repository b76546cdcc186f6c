"""Benchmarks that print medians and ratios from one run; nothing here is a test."""
