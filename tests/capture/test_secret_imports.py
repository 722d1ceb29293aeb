"""What finds secrets is imported without a change to the user's warnings."""

from __future__ import annotations

import subprocess
import sys

CHECK = """
import logging, sys, warnings
warnings.simplefilter("default")
before = list(warnings.filters), warnings.showwarning, logging.captureWarnings, warnings.simplefilter
from reflex_ipython.capture.secrets.shapes import shaped
list(shaped("token = 'xoxb-" + "1234567890-abcdefghijklmnop'"))
assert "detect_secrets.core.log" in sys.modules
assert (list(warnings.filters), warnings.showwarning, logging.captureWarnings, warnings.simplefilter) == before
warnings.warn("mine")
"""


def test_the_users_warnings_are_shown_after_it_as_before() -> None:
    ran = subprocess.run([sys.executable, "-c", CHECK], capture_output=True, text=True, check=True)
    assert "UserWarning: mine" in ran.stderr
