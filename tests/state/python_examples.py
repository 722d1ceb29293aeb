"""The kinds of objects that Python itself has, and what a process has of its own."""

from __future__ import annotations

from tests.state import reach_examples
from tests.state.example import Example

CLASS = "object of a class: attributes and slots"
FUNCTION = "function: code, defaults, attributes"
POSITION = "iterator over a list, tuple, str, bytes or range"
THROUGH = "bound method, partial, property, view of a dict"
ON_OTHERS = "zip, map, filter, starmap, compress"
OTHER = "other iterators of itertools"
LIVE = "connection, thread, process, event loop, widget, … of a library"
UNKNOWN = "object of an extension module"

CONTAINERS = (
    Example("number", "", "number = 1", ("number += 1", "del number; number = 2.5", "number = 'text'")),
    Example("text", "", "text = 'a'", ("text += 'b'", "text = None")),
    Example(
        "items", "list", "items = [1, [2]]", ("items.append(3)", "items[1].append(4)", "items.clear()", "items *= 2")
    ),
    Example(
        "nested",
        "tuple",
        "nested = ([1], {'a': [2]})",
        ("nested[0].append(3)", "nested[1]['a'] = 4", "nested = ()"),
    ),
    Example("record", "tuple", "record = collections.namedtuple('record', 'a b')([1], 2)", ("record.a.append(2)",)),
    Example(
        "mapping", "dict", "mapping = {'a': 1, 'b': []}", ("mapping['c'] = 1", "mapping.pop('a', 0)", "mapping.clear()")
    ),
    Example("keyed", "dict", "keyed = {(1, 'a'): [1], 2: {}}", ("keyed[2]['x'] = 1", "keyed[(1, 'a')] += [2]")),
    Example("members", "set", "members = {1, 'a'}", ("members.add(2)", "members.discard(1)", "members ^= {5, 6}")),
    Example(
        "frozen", "frozenset", "frozen = frozenset({Plain()})", ("frozen |= {3}", "next(iter(frozen)).value = object()")
    ),
    Example(
        "queue",
        "deque",
        "queue = collections.deque([1, 2], maxlen=4)",
        ("queue.append(3)", "queue.rotate()", "queue.popleft() if queue else 0"),
    ),
    Example("counter", "dict", "counter = collections.Counter('aab')", ("counter.update('b')", "counter['z'] += 1")),
    Example(
        "default",
        "defaultdict",
        "default = collections.defaultdict(list, a=[1])",
        ("default['b'].append(1)", "default['a'].append(2)", "default.default_factory = dict"),
    ),
    Example(
        "ordered",
        "OrderedDict",
        "ordered = collections.OrderedDict(a=1, b=2)",
        ("ordered.move_to_end('a')", "ordered['c'] = 3", "ordered.popitem() if ordered else 0"),
    ),
    Example(
        "chain", CLASS, "chain = collections.ChainMap({'a': 1}, {'b': 2})", ("chain['c'] = 3", "chain.maps.append({})")
    ),
)

BUFFERS = (
    Example("raw", "bytearray", "raw = bytearray(b'abc')", ("raw += b'd'", "raw[:] = b'x'", "raw.clear()")),
    Example(
        "window",
        "memoryview",
        "under = bytearray(b'abc'); window = memoryview(under)",
        ("window[0:1] = b'z'",),
        ("window.release()",),
    ),
    Example(
        "numbers",
        "array.array, memory allocated by Cython",
        "numbers = array.array('d', [1, 2])",
        ("numbers.append(3)", "numbers[0:1] = array.array('d', [9])"),
    ),
    Example(
        "buffer",
        "io.StringIO",
        "buffer = io.StringIO('some'); buffer.seek(4)",
        ("buffer.write('thing')", "buffer.seek(0)"),
        ("buffer.close()",),
    ),
    Example(
        "binary",
        "io.BytesIO",
        "binary = io.BytesIO(b'some')",
        ("binary.write(b'th')", "binary.read()"),
        ("binary.close()",),
    ),
)

CLASSES = (
    Example(
        "plain",
        CLASS,
        "plain = Plain()",
        (
            "plain.grow()",
            "plain.value = 5",
            "plain.new = 1",
            "plain.__dict__.clear(); plain.inner = []",
            "plain.__dict__ = {'inner': [], 'value': 1}",
        ),
    ),
    Example(
        "slotted",
        CLASS,
        "slotted = Slotted(); slotted.a = 1",
        ("slotted.b = 2", "slotted.a = []", "del slotted.a; slotted.a = 4"),
    ),
    Example("both", CLASS, "both = Both()", ("both.a.append(1)", "both.c = 3", "both.b = 1")),
    Example(
        "hostile",
        CLASS,
        "hostile = Hostile()",
        ("object.__setattr__(hostile, 'x', 2)", "object.__getattribute__(hostile, '__dict__')['y'] = 1"),
    ),
    Example(
        "own_list",
        "list",
        "own_list = OwnList([1, 2]); own_list.note = []",
        ("own_list.append(3)", "own_list.note.append(1)", "list.clear(own_list)"),
    ),
    Example(
        "own_dict",
        "dict",
        "own_dict = OwnDict(a=[1])",
        ("own_dict['b'] = 1", "dict.clear(own_dict)", "dict.get(own_dict, 'a', []).append(2)"),
    ),
    Example("of_meta", CLASS, "of_meta = OfMeta()", ("of_meta.x = 1",)),
    Example(
        "class_level",
        "class: attributes, methods and bases",
        "class_level = Plain",
        (
            "class_level.count += 1",
            "class_level.extra = 5",
            "class_level.members.append(2)",
            "class_level.grow = lambda self: None",
        ),
    ),
    Example(
        "error",
        "exception",
        "error = ValueError('a', [1])",
        ("error.args[1].append(2)", "error.args = ('b', [])", "error.note = 1", "error.__cause__ = KeyError('k')"),
    ),
    Example(
        "own_module",
        "module of your own",
        "own_module = sys.modules['own_example'] = types.ModuleType('own_example'); own_module.x = []",
        ("own_module.x.append(1)", "own_module.y = 1", "del own_module.x; own_module.x = 2"),
    ),
    Example(
        "library",
        "module or class of a library",
        "library = string",
        ("library.digits = ''", "library.mine = 1"),
        unseen=("logging.addLevelName(31, 'x')",),
    ),
)

FUNCTIONS = (
    Example(
        "function",
        FUNCTION,
        "def function(x=[], *, y={'a': 1}): x.append(1); y['b'] = 2; items.append(x)",
        (
            "function()",
            "function.__defaults__ = ([],)",
            "function.note = 1",
            "function.__code__ = (lambda x=1, *, y=2: None).__code__",
        ),
    ),
    Example(
        "closure",
        "closure variable",
        "def _make():\n    total = 0; seen = []\n    def add():\n        nonlocal total\n"
        "        total += 1; seen.append(total)\n    return add\nclosure = _make()",
        ("closure()",),
    ),
    Example(
        "caller",
        FUNCTION,
        "def caller(): global number; number = 7; mapping['by'] = 'caller'",
        ("caller()",),
    ),
    Example(
        "decorated",
        FUNCTION,
        "@functools.wraps(function)\ndef decorated(): return function()",
        ("decorated()", "decorated.__wrapped__.note = 3"),
    ),
    Example(
        "partial",
        THROUGH,
        "partial = functools.partial(list.append, items)",
        ("partial(5)", "partial.__setstate__((len, ([4],), {}, {'of': 1}))", "partial.note = 2"),
    ),
    Example("bound", THROUGH, "bound = items.append", ("bound(6)",)),
    Example("method", THROUGH, "method = plain.grow", ("method()",)),
    Example("view", THROUGH, "view = mapping.values()", ("mapping['v'] = 1; len(view)",)),
    Example(
        "cached",
        "function with lru_cache",
        "@functools.lru_cache\ndef cached(n): return [n]\ncached(1)",
        ("cached.note = 1",),
        ("cached(object())",),
    ),
    Example(
        "fresh_cache",
        "function with lru_cache",
        "@functools.lru_cache\ndef fresh_cache(n): return [n]",
        ("fresh_cache(1)",),
    ),
)

ITERATORS = (
    Example("over_list", POSITION, "over_list = iter([1, 2, 3] * 100)", ("next(over_list)",)),
    Example("over_text", POSITION, "over_text = iter('abc' * 100)", ("next(over_text)",), ("list(over_text)",)),
    Example("zipped", ON_OTHERS, "zipped = zip(iter([1, 2] * 100), iter((3, 4) * 100))", ("next(zipped)",)),
    Example("mapped", ON_OTHERS, "mapped = map(str, [1, 2] * 100)", ("next(mapped)",)),
    Example("exhausted", POSITION, "exhausted = iter([1, 2])", beyond=("list(exhausted)",)),
    Example("counted", "itertools.count, itertools.repeat", "counted = itertools.count(5)", beyond=("next(counted)",)),
    Example("numbered", "enumerate", "numbered = enumerate('abcdefgh' * 9)", beyond=("next(numbered)",)),
    Example("chained", OTHER, "chained = itertools.chain([1, 2] * 99, [3])", beyond=("next(chained)",)),
    Example(
        "over_dict",
        "iterator over a dict, set or deque",
        "over_dict = iter(dict.fromkeys(range(99)))",
        beyond=("next(over_dict)",),
    ),
    Example(
        "token",
        "token of a context variable",
        "import contextvars; reset_once = contextvars.ContextVar('reset_once'); token = reset_once.set(1)",
        beyond=("reset_once.reset(token)",),
    ),
    Example("produced", "generator", "produced = (n for n in range(99)); next(produced)", beyond=("next(produced)",)),
    Example(
        "coroutine",
        "coroutine",
        "async def _pauses():\n    for _ in range(99): await Pause()\ncoroutine = _pauses(); coroutine.send(None)",
        beyond=("coroutine.send(None)", "coroutine.close()"),
    ),
    Example(
        "asynchronous",
        "asynchronous generator",
        "async def _yields():\n    for n in range(99): yield n\nasynchronous = _yields(); advance(asynchronous)",
        beyond=("advance(asynchronous)",),
    ),
)

OUTSIDE = (
    Example(
        "reading",
        "open file",
        "reading = open(READABLE, closefd=False)",
        ("reading.read(2)", "reading.seek(5)"),
        ("reading.close()",),
    ),
    Example("lock", "lock", "lock = threading.Lock()", beyond=("lock.acquire(blocking=False)",)),
    Example("taken", "lock", "taken = threading.Lock(); taken.acquire()", ("taken.release()",)),
    Example(
        "reentrant",
        "reentrant lock",
        "reentrant = threading.RLock()",
        ("reentrant.acquire()",),
        ("other = threading.Thread(target=reentrant.acquire, args=(False,)); other.start(); other.join()",),
    ),
    Example("cursor", LIVE, "cursor = DATABASE.cursor()", beyond=("cursor.execute('select 1')",)),
    Example("thread", LIVE, "thread = threading.Thread(target=print)", beyond=("thread.name = 'other'",)),
    Example("packing", UNKNOWN, "packing = zlib.compressobj()", beyond=("packing.compress(b'x')",)),
    Example(
        "logger",
        "logging.Logger",
        "logger = logging.Logger('example'); logger.addHandler(logging.NullHandler())",
        ("logger.setLevel(logger.level + 1)", "logger.addFilter(print)", "logger.propagate = object()"),
        unseen=("logger.error('x')",),
    ),
    Example(
        "handler",
        "logging.Handler",
        "handler = logging.StreamHandler(io.StringIO())",
        (
            "handler.setLevel(handler.level + 1)",
            "handler.setFormatter(logging.Formatter('%(message)s'))",
            "handler.setStream(io.StringIO())",
            "handler.close()",
        ),
    ),
    Example(
        "to_file",
        "logging.Handler",
        "to_file = logging.FileHandler(os.devnull, delay=True)",
        ("to_file.setLevel(to_file.level + 1)",),
        ("to_file.setStream(io.StringIO())",),
    ),
)

AMBIENT = (
    Example("dice", "random.Random", "dice = random.Random(1)", ("dice.random()", "dice.gauss(0, 1)", "dice.seed(5)")),
    Example(
        "shared_dice", "state of random", "shared_dice = random.seed(3)", ("random.random()", "random.gauss(0, 1)")
    ),
    Example("environment", "os.environ", "environment = os.environ", ("os.environ['REFLEX_EXAMPLE'] = 'x'",)),
    Example("folder", "current folder", "folder = os.getcwd()", ("os.chdir(os.path.dirname(os.getcwd()))",)),
    Example("path", "list", "path = sys.path", ("sys.path.append('x')",)),
    Example(
        "filters",
        "warnings.filters",
        "filters = warnings.filters",
        ("warnings.filterwarnings('ignore', str(len(warnings.filters)))",),
    ),
    Example(
        "log",
        "loggers by name",
        "log = 'example.train'",
        (
            "logging.getLogger(log).setLevel(logging.getLogger(log).level + 1)",
            "logging.getLogger(log).addHandler(logging.NullHandler())",
            "logging.getLogger('example.new').addFilter(print)",
            "logging.basicConfig(level=logging.root.level + 1, force=True)",
        ),
        unseen=("logging.getLogger('json.example').setLevel(7)",),
    ),
    Example(
        "log_file",
        "file that a logger writes to",
        "log_file = 'example.file'",
        beyond=("logging.getLogger(log_file).error('x')",),
    ),
    Example("deepest", "recursion limit", "deepest = 1", ("sys.setrecursionlimit(sys.getrecursionlimit() + 1)",)),
    Example("language", "locale", "language = 'C'", ("locale.setlocale(locale.LC_ALL, 'C.UTF-8')",)),
    Example(
        "patience",
        "default timeout of sockets",
        "patience = 1",
        ("socket.setdefaulttimeout((socket.getdefaulttimeout() or 0) + 1)",),
    ),
    Example(
        "digits",
        "decimal's context",
        "digits = decimal.getcontext()",
        (
            "decimal.getcontext().prec += 1",
            "decimal.setcontext(decimal.Context(prec=4))",
            "decimal.getcontext().traps[decimal.Inexact] = 1",
            "decimal.Decimal(1) / 3",
        ),
    ),
)

EXAMPLES = (*CONTAINERS, *BUFFERS, *CLASSES, *FUNCTIONS, *ITERATORS, *OUTSIDE, *AMBIENT, *reach_examples.EXAMPLES)
