"""Cells that succeed and whose outputs tell how long things lived, what shares memory, and who was asked."""
