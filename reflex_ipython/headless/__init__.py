"""Kernels of our own, which no person looks at."""
