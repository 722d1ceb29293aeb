"""Traces: recorded calls of the user's own code, as data that is kept, shown and replayed."""
