"""Requests in words outside of notebooks: written by a model, tried in sandboxed children, never run in the caller."""
