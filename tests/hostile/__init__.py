"""Attacks and faults, a file for each family. `HOSTILE_WHOLE=1` runs the whole tables."""

from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
"""Where processes run that import from here."""
