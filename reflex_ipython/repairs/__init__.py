"""Open repairs: who looks for their fixes, what was decided, and how it went."""
