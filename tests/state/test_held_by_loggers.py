"""What of the user's a logger calls on its way is put back, whether or not a name leads to it."""

from __future__ import annotations

from tests.state.halves.half import Half, check, halves

COUNTS = "class Counts:\n    n = 0\n    def __call__(self, *args): self.n += 1; return args[0] if args else None\n"
LOGS = "import io, logging\ntext = io.StringIO(); h = logging.StreamHandler(text); lg = logging.Logger('made')\n"


@halves(
    Half(
        "a formatter",
        f"{LOGS}class Own(logging.Formatter):\n    n = 0\n"
        "    def format(self, record): self.n += 1; return str(self.n)\n"
        "h.setFormatter(Own()); lg.addHandler(h)",
        "lg.error('x')",
        "h.formatter.n, text.getvalue()",
    ),
    Half(
        "a filter",
        f"{LOGS}class Own(logging.Filter):\n    n = 0\n    def filter(self, record): self.n += 1; return False\n"
        "h.addFilter(Own()); lg.addHandler(h)",
        "lg.error('x')",
        "h.filters[0].n",
    ),
    Half("a method as a filter", f"{LOGS}a = []; lg.addFilter(a.append)", "lg.error('x')", "len(a)"),
    Half(
        "a stream",
        f"{LOGS}class Own:\n    n = 0\n    def write(self, text): self.n += 1\n    def flush(self): pass\n"
        "lg.addHandler(logging.StreamHandler(Own()))",
        "lg.error('x')",
        "lg.handlers[0].stream.n",
    ),
    Half(
        "a handler of the user's",
        f"{LOGS}class Own(logging.Handler):\n    n = 0\n    def emit(self, record): self.n += 1\nlg.addHandler(Own())",
        "lg.error('x')",
        "lg.handlers[0].n",
    ),
    Half(
        "a formatter where the handler is at hand",
        f"{LOGS}{COUNTS}h.formatter = Counts()",
        "h.formatter(1)",
        "h.formatter.n",
    ),
    Half("what was set on a handler", f"{LOGS}h.tags = []\ndef act(): h.tags.append(1)", "act()", "h.tags"),
    Half("what was set on a logger", f"{LOGS}lg.tags = []\ndef act(): lg.tags.append(1)", "act()", "lg.tags"),
)
def test_what_loggers_have(half: Half) -> None:
    check(half)
