"""Code of the notebook and of the project that is most like a piece of code, or like what is asked for."""

from reflex_ipython.capture.similar.like import SimilarSearch

__all__ = ["SimilarSearch"]
