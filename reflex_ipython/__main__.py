"""`python -m reflex_ipython` is `reflex-ipython`."""

import sys

from reflex_ipython.cli import main

sys.exit(main())
