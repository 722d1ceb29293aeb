"""Attacks and faults: what must not get past, one file a family."""
