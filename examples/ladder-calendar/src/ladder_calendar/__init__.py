"""The family `ladder-calendar`."""
