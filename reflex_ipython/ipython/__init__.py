"""The kernel's edge: the only place, besides `headless`, that knows IPython and Jupyter."""
