"""Finding secrets in a text: by the shape of a key, by the name that stands before a value, by the place of a value."""
