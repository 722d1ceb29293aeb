"""Replay on 20 functions that fail: wrong fixes that run but change results, which it is to name, and 40 right ones."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import linecache
import time
from typing import Any, NamedTuple

from reflex_ipython.models import Replay
from reflex_ipython.traces.hook import record
from reflex_ipython.traces.last_calls import recorder_of_last_calls
from reflex_ipython.traces.replaying import Replayer
from tests.bench.figures import heading, row

_numbers = itertools.count()


class Mended(NamedTuple):
    """A function, its calls (the last one fails), a fix that changes what others gave, and two that do not."""

    before: str
    calls: tuple[str, ...]
    wrong: str
    right: tuple[str, str]


def _of(name: str, parameters: str, before: str, wrong: str, *right: str, calls: str) -> Mended:
    texts = [f"def {name}({parameters}):\n    {body}\n" for body in (before, wrong, *right)]
    made = tuple(f"{name}({call})" for call in calls.split(" ; "))
    return Mended(texts[0], made, texts[1], (texts[2], texts[3]))


FUNCTIONS = (
    _of("mean", "xs", "return sum(xs) / len(xs)", "return sum(xs) / max(len(xs), 2)",
        "return sum(xs) / len(xs) if xs else 0.0", "return sum(xs) / (len(xs) or 1)", calls="[1] ; [1, 2] ; (4, 5, 6) ; []"),
    _of("first", "xs", "return xs[0]", "return xs[-1] if xs else None",
        "return xs[0] if xs else None", "return next(iter(xs), None)", calls="[3, 4] ; 'ab' ; [1] ; []"),
    _of("price", "order", "return order['count'] * order['price']", "return order.get('count', 1) * 1.0",
        "return order.get('count', 1) * order['price']", "return order['count'] * order['price'] if 'count' in order else order['price']",
        calls="{'count': 2, 'price': 3.5} ; {'count': 1, 'price': 2.0} ; {'price': 9.0}"),
    _of("initials", "name", "a, b = name.split()\n    return a[0] + b[0]", "a, *b = name.split()\n    return a[0]",
        "return ''.join(part[0] for part in name.split())", "a, *b = name.split()\n    return a[0] + ''.join(one[0] for one in b)",
        calls="'Ada Lovelace' ; 'Alan Turing' ; 'Plato'"),
    _of("number", "text", "return int(text)", "return int(text.strip()[:1])",
        "return int(text.replace(',', ''))", "return int(''.join(text.split(',')))", calls="'12' ; ' 7 ' ; '1,200'"),
    _of("ratio", "a, b", "return a / b", "return a // b if b else 0.0",
        "return a / b if b else 0.0", "return 0.0 if b == 0 else a / b", calls="1, 2 ; 9, 3 ; 7, 2 ; 1, 0"),
    _of("longest", "words", "return max(words, key=len)", "return max(words, default='')",
        "return max(words, key=len, default='')", "return max(words, key=len) if words else ''",
        calls="['bb', 'a', 'zz'] ; ['a', 'ccc', 'd'] ; []"),
    _of("joined", "parts", "return ', '.join(parts)", "return ','.join(map(str, parts))",
        "return ', '.join(map(str, parts))", "return ', '.join(str(one) for one in parts)", calls="['a', 'b'] ; ['x'] ; ['a', 1]"),
    _of("total", "rows", "return sum(row['n'] for row in rows)", "return sum(1 for row in rows)",
        "return sum(row.get('n', 0) for row in rows)", "return sum(row['n'] for row in rows if 'n' in row)",
        calls="[{'n': 2}, {'n': 3}] ; [{'n': 10}] ; [{'n': 1}, {}]"),
    _of("squared", "x", "return x ** 2", "return float(x) * 2", "return float(x) ** 2 if isinstance(x, str) else x ** 2",
        "return (float(x) if isinstance(x, str) else x) ** 2", calls="2.0 ; 3.0 ; '4'"),
    _of("last_word", "text", "return text.split()[-1]", "return text[-1:]",
        "return text.split()[-1] if text.split() else ''", "return (text.split() or [''])[-1]", calls="'a bc' ; 'x' ; ''"),
    _of("lookup", "table, key", "return table[key]", "return table.get(str(key), 0)",
        "return table.get(key, 0)", "return table[key] if key in table else 0", calls="{1: 'a'}, 1 ; {2: 'b'}, 2 ; {}, 3"),
    _of("clipped", "xs, low", "return [max(x, low) for x in xs]", "return [x for x in xs if x is not None and x > low]",
        "return [low if x is None else max(x, low) for x in xs]", "return [max(low if x is None else x, low) for x in xs]",
        calls="[1, 5], 3 ; [4], 0 ; [None, 2], 1"),
    _of("normal", "xs", "top = max(xs)\n    return [x / top for x in xs]", "top = max(xs) or 1\n    return [round(x / top) for x in xs]",
        "top = max(xs) or 1\n    return [x / top for x in xs]", "top = max(xs)\n    return [x / top if top else 0.0 for x in xs]",
        calls="[1, 2] ; [3, 4, 5] ; [0, 0]"),
    _of("area", "shape", "return shape[0] * shape[1]", "return sum(shape)",
        "return shape[0] * shape[1] if len(shape) > 1 else shape[0] ** 2", "return shape[0] * (shape[1:] or shape)[0]",
        calls="(2, 3) ; (4, 5) ; (3,)"),
    _of("year", "date", "return int(date.split('-')[0])", "return int(str(date)[:2])",
        "return int(str(date).split('-')[0])", "return date if isinstance(date, int) else int(date.split('-')[0])",
        calls="'2024-01-02' ; '1999-12-31' ; 2020"),
    _of("merged", "a, b", "return {**a, **b}", "return {**(b or {}), **a}", "return {**a, **(b or {})}",
        "return dict(a, **b) if b else dict(a)", calls="{'x': 1}, {'x': 2} ; {}, {'y': 1} ; {'x': 1}, None"),
    _of("added", "xs, x", "xs.append(x)\n    return len(xs)", "return len(xs) + 1 if xs else 1",
        "xs = [] if xs is None else xs\n    xs.append(x)\n    return len(xs)", "if xs is None:\n        xs = []\n    xs.append(x)\n    return len(xs)",
        calls="[1], 2 ; [], 1 ; None, 1"),
    _of("counted", "text", "found = {}\n    for one in text:\n        found[one] = found.get(one, 0) + 1\n    return found",
        "return dict.fromkeys(text or '', 1)",
        "found = {}\n    for one in text or '':\n        found[one] = found.get(one, 0) + 1\n    return found",
        "found = {}\n    if text is not None:\n        for one in text:\n            found[one] = found.get(one, 0) + 1\n    return found",
        calls="'aab' ; 'xyz' ; None"),
    _of("steps", "end, step", "yield from range(0, end, step)", "yield from range(0, end + 1, step or 1)",
        "yield from range(0, end, step or 1)", "yield from range(0, end, step if step else 1)",
        calls="6, 2 ; 3, 1 ; 2, 0"),
)  # fmt: skip


def replayed(before: str, after: str, calls: tuple[str, ...]) -> Replay:
    """What replay says of a fix."""
    scope: dict[str, Any] = {"__name__": "__main__"}
    _define(before, scope)
    recorder = recorder_of_last_calls()
    undo, ename = record(recorder), ""
    for call in calls:
        try:
            found = eval(compile(call, "<call>", "eval"), scope)
            with contextlib.suppress(TypeError):
                list(found)
        except Exception as error:  # noqa: BLE001 - the last one fails
            ename = type(error).__name__
    undo()
    assert ename, before
    replayer = Replayer([recorder], ename)
    _define(after, scope)
    found = asyncio.run(replayer.replay(5.0))
    assert found is not None, after
    return found


def _define(source: str, scope: dict[str, Any]) -> None:
    filename = f"<cell {next(_numbers)}>"
    linecache.cache[filename] = len(source), None, source.splitlines(keepends=True), filename
    exec(compile(source, filename, "exec"), scope)


def main() -> None:
    """Print the figures."""
    heading(f"Replay on {len(FUNCTIONS)} functions that fail")
    samples, caught, alarms, silent = [], 0, 0, 0
    for one in FUNCTIONS:
        start = time.perf_counter()
        found = replayed(one.before, one.wrong, one.calls)
        samples.append(time.perf_counter() - start)
        caught += bool(found.different)
        if not found.different:
            print(f"  not caught: {one.wrong!r}: {found.words}")
        for right in one.right:
            found = replayed(one.before, right, one.calls)
            alarms += bool(found.different) or found.failing not in ("", "passes")
            silent += not found.calls
            if found.different or found.failing != "passes":
                print(f"  false alarm: {right!r}: {found.words}")
    count = len(FUNCTIONS)
    print(f"  {'wrong fixes that run, caught':<58}{caught:6} of {count:<22} goal ≥ 90 %")
    print(f"  {'right fixes, false alarms':<58}{alarms:6} of {2 * count:<22} goal ≤ 5 %")
    print(f"  {'right fixes of which replay says nothing':<58}{silent:6} of {2 * count}")
    row("to define, record and replay", samples)
