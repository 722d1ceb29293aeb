"""Attacks, a file for each family. `HOSTILE_WHOLE=1` runs the whole tables."""
