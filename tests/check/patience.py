"""How long a trial may take where a test is not about that: a machine may stand still longer than a user would wait."""

from __future__ import annotations

from reflex_ipython.check.trial.limits import Limits

PATIENT = Limits(seconds=60.0, set_up=60.0)
