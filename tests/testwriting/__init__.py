"""Tests that are written of repairs."""
