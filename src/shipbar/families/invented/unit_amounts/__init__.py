"""The family `unit-amounts`."""
