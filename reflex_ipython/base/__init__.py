"""What every stage may use: the process it runs in, text, and parsing in silence."""
