"""Attacks and faults of every family: nothing gets past, and nothing is left stuck."""
