"""Tests that are written of repairs: seen to fail with the old source and to pass with the new one."""
