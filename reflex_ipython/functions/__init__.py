"""Functions that heal: on an exception a fix is found, tried with the same arguments in a copy, and swapped in."""
