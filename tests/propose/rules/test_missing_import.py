"""Well-known imports that are missing, and where they go."""

from __future__ import annotations

import pytest

from reflex_ipython.propose.rules.missing_import import is_installed, missing_import
from tests.propose.rules.build import fixed, fixes, undefined


def proposed(source: str, wanted: str, *names: str, line: int = 1, installed: bool = True) -> str | None:
    found = list(missing_import(undefined(source, wanted, *names, line=line), installed=lambda module: installed))
    return found[0].source if found else None


@pytest.mark.parametrize(
    ("use", "statement"),
    [
        ("np.zeros(3)", "import numpy as np"),
        ("plt.show()", "import matplotlib.pyplot as plt"),
        ("os.getcwd()", "import os"),
        ("defaultdict(list)", "from collections import defaultdict"),
        ("Path('.')", "from pathlib import Path"),
        ("train_test_split(X)", "from sklearn.model_selection import train_test_split"),
        ("datetime.now()", "from datetime import datetime"),
        ("datetime.datetime.now()", "import datetime"),
        ("time.sleep(1)", "import time"),
        ("time()", "from time import time"),
        ("nn.Linear(2, 3)", "import torch.nn as nn"),
        ("product(a, b)", "from itertools import product"),
    ],
)
def test_the_usual_import_is_added_as_the_name_is_used(use: str, statement: str) -> None:
    wanted = use.replace("(", ".").partition(".")[0]
    assert proposed(use, wanted) == f"{statement}\n{use}"


@pytest.mark.parametrize(
    ("use", "wanted"),
    [
        ("random.rand(3)", "random"),  # that is numpy's
        ("time", "time"),
        ("product * 2", "product"),
        ("sqrt(3)", "sqrt"),  # math's or numpy's
        ("np = np + 1", "np"),  # the cell's own
        ("stats.foo", "stats"),
        ("df.head()", "df"),
    ],
)
def test_a_name_that_may_be_something_else_is_not_imported(use: str, wanted: str) -> None:
    assert proposed(use, wanted) is None


def test_a_module_that_is_not_installed_is_not_imported() -> None:
    assert proposed("np.zeros(3)", "np", installed=False) is None
    assert is_installed("json")
    assert not is_installed("surely_no_module_of_that_name")
    assert not is_installed("__main__.x".partition(".")[0] + "_")


@pytest.mark.parametrize(
    ("source", "line", "expected"),
    [
        ("import os\n\nnp.e", 3, "import os\nimport numpy as np\n\nnp.e"),
        ("# of the cell\n\nnp.e", 3, "# of the cell\n\nimport numpy as np\nnp.e"),
        ("# of the line\nnp.e", 2, "import numpy as np\n# of the line\nnp.e"),
        ("#| echo: false\nnp.e", 2, "#| echo: false\nimport numpy as np\nnp.e"),
        ("%%time\nnp.e", 2, "%%time\nimport numpy as np\nnp.e"),
        ("%%mine\nnp.e", 2, "%%mine\nimport numpy as np\nnp.e"),
        ("%matplotlib inline\nimport os\nnp.e", 3, "%matplotlib inline\nimport os\nimport numpy as np\nnp.e"),
        ('"""Text."""\nnp.e', 2, '"""Text."""\nimport numpy as np\nnp.e'),
        ("from __future__ import annotations\nnp.e", 2, "from __future__ import annotations\nimport numpy as np\nnp.e"),
        ("import os; np.e", 1, "import numpy as np\nimport os; np.e"),
        ("@np.vectorize\ndef f(): pass", 1, "import numpy as np\n@np.vectorize\ndef f(): pass"),
        ("  x = 1\n  np.e", 2, "  import numpy as np\n  x = 1\n  np.e"),
        ("x = 'é'\r\nnp.e\r\n", 2, "import numpy as np\r\nx = 'é'\r\nnp.e\r\n"),
    ],
)
def test_the_import_goes_to_a_fitting_place(source: str, line: int, expected: str) -> None:
    assert proposed(source, "np", line=line) == expected


def test_other_well_known_names_of_the_cell_come_along_unless_they_are_there() -> None:
    source = "x = np.zeros(3)\nplt.plot(pd.Series(x))"
    assert proposed(source, "np", "pd") == f"import numpy as np\nimport matplotlib.pyplot as plt\n{source}"


@pytest.mark.parametrize("source", ["%%bash\nnp", "%%px\nnp.e", "%%mine\nlet np in e", "%%time\n%%bash\nnp"])
def test_what_is_no_python_of_this_kernel_gets_no_import(source: str) -> None:
    assert fixed(undefined(source, "np", line=2)) is None


def test_the_explanation_names_the_import() -> None:
    [fix] = fixes(undefined("json.dumps(1)", "json"))
    assert fix.explanation == "`json` was not imported; the usual import is `import json`."
    assert fix.origin == "rule: missing import"
