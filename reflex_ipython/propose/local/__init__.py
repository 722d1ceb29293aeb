"""A model file of the user's own, served on this machine by a process of its own."""
