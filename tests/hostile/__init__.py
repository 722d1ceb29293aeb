"""Attacks: what a hostile fix, notebook, server or object may try. `HOSTILE_WHOLE=1` runs the whole tables."""
