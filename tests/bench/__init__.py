"""Figures, not tests: medians on this machine, and ratios to the plain thing measured in the same run."""
