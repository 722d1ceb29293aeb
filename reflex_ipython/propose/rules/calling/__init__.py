"""Calls that were refused: arguments missing, too many, called otherwise; values called, functions not called."""
