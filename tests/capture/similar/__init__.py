"""Similar code."""
