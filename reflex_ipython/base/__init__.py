"""What every stage may use: the process it runs in, text, a cell's source and its magics, and classes left unasked."""
