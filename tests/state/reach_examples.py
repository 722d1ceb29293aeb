"""Kinds of objects that are reached in ways of their own: weakly, through other globals, in registries of modules."""

from __future__ import annotations

from tests.state.example import Example

WEAKLY = "WeakSet, WeakKeyDictionary, WeakValueDictionary"
REGISTRY = "registries and settings of modules that the code uses"
MOVING = "hash, csv reader, nditer, …"

EXAMPLES = (
    Example(
        "weakly", "weak reference, proxy", "held = Plain(); weakly = weakref.ref(held)", ("weakly().value = object()",)
    ),
    Example("proxied", "weak reference, proxy", "proxied = weakref.proxy(held)", ("proxied.value = object()",)),
    Example("weak_set", WEAKLY, "weak_set = weakref.WeakSet([held])", ("weak_set.clear()", "weak_set.add(plain)")),
    Example("weak_keys", WEAKLY, "weak_keys = weakref.WeakKeyDictionary({held: 1})", ("weak_keys[held] = object()",)),
    Example("weak_values", WEAKLY, "weak_values = weakref.WeakValueDictionary(a=held)", ("weak_values['b'] = plain",)),
    Example("ending", "weakref.finalize", "ending = weakref.finalize(held, int)", ("ending.detach()", "ending()")),
    Example(
        "elsewhere",
        "namespace of a script or of `exec`",
        "placed = {}; exec('n = 0\\ndef f():\\n    global n\\n    n += 1', placed); elsewhere = placed['f']",
        ("elsewhere()",),
    ),
    Example(
        "abstract",
        "classes registered with an abstract class",
        "class Abstract(abc.ABC): pass\nabstract = Abstract()",
        ("type(abstract).register(Plain)",),
    ),
    Example(
        "asked",
        "what abstract classes remember of a class",
        "class Asked: pass\nasked = Asked()",
        (
            "isinstance(asked, collections.abc.Sized)",
            "Asked.__len__ = lambda self: 1; isinstance(asked, collections.abc.Sized)",
        ),
    ),
    Example(
        "moment",
        "datetime with a time zone of your own",
        "import datetime\nclass Zone(datetime.tzinfo):\n    asked = 0\n"
        "    def utcoffset(self, when): self.asked += 1; return datetime.timedelta(0)\n"
        "zone = Zone(); moment = datetime.datetime(2020, 1, 1, tzinfo=zone)",
        ("moment.utcoffset()", "moment.isoformat()", "hash(moment); moment.timestamp()"),
    ),
    Example(
        "place",
        "frame of a call",
        "import inspect\ndef _stops():\n    inner, left = [], [1]\n    return sys._getframe()\nplace = _stops()",
        ("inspect.getargvalues(place)[3]['inner'].append(1)",),
        ("place.clear()",),
    ),
    Example(
        "trace",
        "traceback",
        "def _fails():\n    inner = []\n    1 / 0\n"
        "try: _fails()\nexcept ZeroDivisionError as e: trace = e.__traceback__",
        ("inspect.getargvalues(trace.tb_next.tb_frame)[3]['inner'].append(1)", "trace.tb_next = None"),
    ),
    Example("dialects", REGISTRY, "dialects = 1", ("csv.register_dialect('example', delimiter=';')",)),
    Example("levels", REGISTRY, "levels = 1", ("logging.addLevelName(25, 'NOTE')",)),
    Example(
        "imported",
        "which of your own modules are imported",
        "imported = 'made_up'",
        ("sys.modules[imported] = types.ModuleType(imported)",),
    ),
    Example(
        "os.register_at_fork",
        "sys.addaudithook and other permanent registrations",
        "import os",
        beyond=("os.register_at_fork(before=lambda: None)",),
    ),
    Example("arithmetic", "decimal.Context", "arithmetic = decimal.Context(prec=5)", ("arithmetic.prec += 1",)),
    Example(
        "variable",
        "contextvars.ContextVar",
        "variable = contextvars.ContextVar('variable'); variable.set(held)",
        ("variable.set(plain)",),
    ),
    Example(
        "context",
        "contextvars.Context",
        "context = contextvars.copy_context(); context.run(variable.set, held)",
        ("context.run(variable.set, plain)",),
        beyond=("context.run(unset.set, plain)",),
    ),
    Example("unset", "contextvars.ContextVar", "unset = contextvars.ContextVar('unset')", beyond=("unset.set(plain)",)),
    Example(
        "of_thread",
        "threading.local",
        "of_thread = threading.local(); of_thread.x = held",
        ("of_thread.x.value = object()",),
    ),
    Example(
        "own_of_thread",
        "threading.local",
        "class OwnLocal(threading.local): pass\nown_of_thread = OwnLocal()",
        beyond=("own_of_thread.x = 2",),
    ),
    Example(
        "rows",
        "operator.itemgetter, csv.writer, …",
        "rows_of = io.StringIO(); rows = csv.writer(rows_of)",
        ("rows.writerow([1, 2])",),
    ),
    Example(
        "element",
        "xml.etree.ElementTree.Element",
        "element = ElementTree.fromstring('<a><b/></a>')",
        ("element.append(element[0])", "element.text = 'text'", "element.set('k', 'v')"),
    ),
    Example("digest", MOVING, "digest = hashlib.sha256()", beyond=("digest.update(b'x')",)),
    Example("lines", MOVING, "lines = csv.reader(['a', 'b'] * 99)", beyond=("next(lines)",)),
    Example("calling", "iter(function, sentinel)", "calling = iter(int, 0)", beyond=("list(calling)",)),
)
