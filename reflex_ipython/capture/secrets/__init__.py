"""Finding secrets in a text: by the shape of a key, by the name that stands before a value, by the place of a value."""

from reflex_ipython.capture.secrets.find import find
from reflex_ipython.capture.secrets.secret import Secret
from reflex_ipython.capture.secrets.summary import in_summary
from reflex_ipython.capture.secrets.words import family

__all__ = ["Secret", "family", "find", "in_summary"]
