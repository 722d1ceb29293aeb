"""IPython extensions that take something away from ours, so that what it is worth can be measured."""
