"""Rules about types and values of plain Python: text for a number, None for a list, an index beyond the end."""
