"""Play many random cells: `python -m tests.property --cells 2000 --seed 1`; one of them: `--only 17`."""

from __future__ import annotations

import argparse
import os
import sys


def arguments() -> argparse.Namespace:
    """What was asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.property", description=__doc__)
    parser.add_argument("--cells", type=int, default=100, help="how many")
    parser.add_argument("--seed", type=int, default=1, help="which ones")
    parser.add_argument(
        "--only", type=int, nargs="*", help="only those with these numbers, each with all that is known of it"
    )
    parser.add_argument("--from", dest="first", type=int, default=0, help="the number of the first")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at the same time")
    parser.add_argument(
        "--plain", action="store_true", help="without the extension: what differs is the comparison's mistake"
    )
    parser.add_argument("--no-shrinking", action="store_true", help="print what fails as it is")
    return parser.parse_args()


if __name__ == "__main__":
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "LOKY_MAX_CPU_COUNT"):
        os.environ[name] = "1"  # processes are forked: no thread may be there
    from tests.property.many import main

    sys.exit(main(arguments()))
