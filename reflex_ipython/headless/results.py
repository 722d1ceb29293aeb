"""What is known of each notebook once it has ended: a line in a file, from which an interrupted run goes on."""

from __future__ import annotations

import errno
import json
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from reflex_ipython.errors import BadInput
from reflex_ipython.headless.healed import HealedNotebook, from_summary
from reflex_ipython.headless.jobs import Done, Job
from reflex_ipython.headless.notebook_file import write


@dataclass(frozen=True)
class Result:
    """A notebook that has ended.

    Parameters
    ----------
    notebook : str
        Its file.
    digest : str
        Of its bytes and how it was to be healed (`Task.digest`).
    output : str
        What was written; empty: nothing.
    healed : HealedNotebook
        Without the notebook itself.
    written : str
        The digest that its file has since it was healed in place; empty: it was not.
    """

    notebook: str
    digest: str
    output: str
    healed: HealedNotebook
    written: str = ""

    def document(self) -> dict[str, Any]:
        """As a JSON object."""
        told = {"notebook": self.notebook, "digest": self.digest, "output": self.output, "written": self.written}
        return {**told, **self.healed.summary(), "words": self.healed.words, "exit_code": self.healed.exit_code}


def kept(done: Done, place: Path, *, backup: bool) -> Result:
    """Write a healed notebook to its place; what can't be written there is put where it can be, and that is told.

    Parameters
    ----------
    done : Done
    place : Path
    backup : bool
        Whether it is the notebook's own, so that what is there now is kept beside it.
    """
    job, digest, healed = done
    if healed.notebook is None or healed.status == "no-kernel":
        return Result(job.name, digest, "", healed)
    try:
        if backup and job.load().digest != digest:
            raise OSError(errno.EBUSY, "it was changed meanwhile")
        write(healed.notebook, place, backup=backup)
        written = job.load().digest if backup else ""
    except (OSError, BadInput) as error:
        refuge = Path(tempfile.mkdtemp(prefix="reflex-healed-"), place.name)
        write(healed.notebook, refuge)
        why = error.strerror if isinstance(error, OSError) else str(error)
        left = f"{place} can't be written ({why}); it is in {refuge}. {healed.left}".rstrip()
        return Result(job.name, digest, str(refuge), replace(healed, status="unwritten", left=left))
    return Result(job.name, digest, str(place), healed, written)


def known(jobs: Sequence[Job], path: Path) -> Iterator[Result]:
    """What an earlier run has written down of these jobs, as far as their notebooks are what they were.

    A notebook that was healed in place is what it was written as; one that was interrupted runs again.
    """
    found = {result.notebook: result for result in read_results(path)}
    for job in jobs:
        result = found.get(job.name)
        if (
            result is not None
            and result.healed.status != "interrupted"
            and job.load().digest in (result.digest, result.written)
        ):
            yield result


def append(path: Path, result: Result) -> None:
    """Write a result down; it is on the disk when this returns."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(result.document()) + "\n")
        file.flush()
        os.fsync(file.fileno())


def read_results(path: Path) -> list[Result]:
    """What an earlier run has written; a last line that is not whole is left out, and cut off.

    Raises
    ------
    BadInput
        If the file is something else.
    """
    if not path.exists():
        return []
    found = []
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    for number, line in enumerate(lines, 1):
        if number == len(lines) and not line.endswith("\n"):
            path.write_text("".join(lines[:-1]), encoding="utf-8")
            break
        try:
            found.append(_result(json.loads(line)))
        except (ValueError, KeyError, TypeError):
            raise BadInput(
                f"{path} holds something else than results (line {number}): give --results another file."
            ) from None
    return found


def _result(document: Mapping[str, Any]) -> Result:
    written = document.get("written", "")
    return Result(document["notebook"], document["digest"], document["output"], from_summary(document), written)
