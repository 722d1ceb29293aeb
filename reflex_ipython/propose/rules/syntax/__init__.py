"""Cells that do not parse."""
