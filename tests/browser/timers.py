"""Holding back what a page does after a while: a busy machine types and looks so slowly that it would come too soon."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from playwright.sync_api import Page

TYPED = 500
"""Milliseconds without a key after which a text of the user's own is tried (`panel/owntext.ts`)."""
VOUCHED = 500
"""Milliseconds that a widget waits unseen for the kernel to vouch for it (`widget.ts`); then it is a picture."""

_HOLD = """wait => {
  const { setTimeout, clearTimeout } = window;
  const held = new Map();
  let count = 0;
  window.setTimeout = (call, after, ...given) => {
    if (after !== wait) {
      return setTimeout(call, after, ...given);
    }
    count += 1;
    held.set(-count, () => call(...given));
    return -count;
  };
  window.clearTimeout = timer => held.delete(timer) || clearTimeout(timer);
  window.release = () => {
    window.setTimeout = setTimeout;
    for (const [timer, call] of held) {
      held.delete(timer);
      call();
    }
    window.clearTimeout = clearTimeout;
    return count;
  };
}"""


@contextlib.contextmanager
def held(page: Page, milliseconds: int) -> Iterator[None]:
    """Within the block, what waits for so long goes on waiting; what was not called off is done at its end.

    Parameters
    ----------
    page : Page
        As it is loaded by now.
    milliseconds : int
        Exactly.

    Yields
    ------
    None

    Raises
    ------
    AssertionError
        If nothing has waited for so long: then the number is another one by now.
    """
    page.evaluate(_HOLD, milliseconds)
    yield
    assert page.evaluate("() => window.release()"), f"nothing has waited for {milliseconds} ms"
