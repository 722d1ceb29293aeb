"""Which of what a process or a library has one of (`global_state`) some code may change, by the words that it uses.

Only for what nobody had the time to note: it is named then, not put back.
"""

from __future__ import annotations

import random
from collections.abc import Collection

_ANY: frozenset[str] = frozenset()
_DRAWING = frozenset({"sample", "shuffle", "permutation", "fit", "fit_transform", "fit_predict", "split", "rvs"})
"""Methods of libraries that may draw random numbers from the generator that is shared."""
_DRAWN = frozenset(name for name in dir(random) if not name.startswith("_") and name not in ("Random", "SystemRandom"))
_REACHED_BY: tuple[tuple[str, str, frozenset[str]], ...] = (
    ("random", "the state of random", _DRAWN),
    ("numpy.random", "the state of numpy.random", _ANY),
    ("numpy", "the state of numpy.random", frozenset({"random"})),
    ("", "the state of numpy.random", _DRAWING),
    ("os", "os.environ", frozenset({"environ", "environb", "putenv", "unsetenv"})),
    ("os", "the current folder", frozenset({"chdir", "fchdir"})),
    ("contextlib", "the current folder", frozenset({"chdir"})),
    ("sys", "sys.path", frozenset({"path"})),
    ("site", "sys.path", _ANY),
    ("sys", "the recursion limit", frozenset({"setrecursionlimit"})),
    ("sys", "the switch interval", frozenset({"setswitchinterval"})),
    ("warnings", "warnings.filters", _ANY),
    ("logging", "loggers", _ANY),
    ("locale", "the locale", frozenset({"setlocale"})),
    ("decimal", "decimal's context", frozenset({"getcontext", "setcontext", "localcontext"})),
    ("socket", "the default timeout", frozenset({"setdefaulttimeout"})),
    ("matplotlib", "the current figure", _ANY),
    ("pandas", "the current figure", frozenset({"plot", "hist", "boxplot"})),
    (
        "matplotlib",
        "matplotlib.rcParams",
        frozenset({"rcParams", "rc", "rcdefaults", "style", "rc_context", "rc_file", "use", "xkcd"}),
    ),
    ("seaborn", "matplotlib.rcParams", frozenset({"set_theme", "set", "set_style", "set_context", "set_palette"})),
    ("pandas", "pandas options", frozenset({"set_option", "reset_option", "options", "option_context"})),
    (
        "numpy",
        "numpy settings",
        frozenset({"seterr", "set_printoptions", "seterrcall", "errstate", "printoptions", "setbufsize"}),
    ),
    ("sklearn", "scikit-learn's configuration", frozenset({"set_config", "config_context"})),
    ("torch", "the state of torch.random", _ANY),
)
"""The module that code has at hand, what it may change then, and the words of which it needs one, if any."""


def settings_within_reach(modules: Collection[str], words: Collection[str]) -> list[str]:
    """The labels of what code may change that has these modules at hand, and uses these words.

    Parameters
    ----------
    modules : collection of str
        Full names.
    words : collection of str
        Names and attributes.

    Returns
    -------
    list of str
        As `global_state` has them.
    """
    at_hand = {"", *modules, *(name.partition(".")[0] for name in modules)}
    found = [
        label
        for module, label, needed in _REACHED_BY
        if module in at_hand and (not needed or not needed.isdisjoint(words))
    ]
    return list(dict.fromkeys(found))
