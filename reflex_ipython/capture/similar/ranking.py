"""Pieces ranked by how much of a question's words they have: BM25, by SQLite's full-text search."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import closing

from reflex_ipython.capture.similar.pieces import CodePiece

MOST_ASKED = 80
"""Words of a question."""
_FEWEST_SHARED = 2
_SHARE = 0.3
"""Of the words that the best one shares, so many another must share: among few pieces, BM25 alone tells little."""


def ranked(asked: Iterable[str], found: Sequence[CodePiece], most: int) -> list[CodePiece]:
    """The pieces most like some words, the best first; rare words count for more (Okapi BM25, Robertson et al. 1994).

    Parameters
    ----------
    asked : iterable of str
        Small letters.
    found : sequence of CodePiece
    most : int
        So many at most; fewer, if others have little in common with it. None where SQLite has no full-text search.
    """
    words = [word for word, _ in Counter(asked).most_common(MOST_ASKED)]
    if not words or not found:
        return []
    wanted = set(words)
    try:
        rows = _asked(" OR ".join(f'"{word}"' for word in words), found, most * 3)
    except sqlite3.OperationalError:  # a SQLite without FTS5
        return []
    shared = {row: len(wanted & set(found[row].words)) for row in rows}
    least = max(_FEWEST_SHARED, _SHARE * max(shared.values(), default=0))
    return [found[row] for row in rows if shared[row] >= least][:most]


def _asked(query: str, found: Sequence[CodePiece], most: int) -> list[int]:
    """The positions of the best pieces, the best first."""
    with closing(sqlite3.connect(":memory:")) as memory:
        memory.execute("CREATE VIRTUAL TABLE pieces USING fts5(words, tokenize = \"unicode61 tokenchars '_'\")")
        rows = ((position, " ".join(piece.words)) for position, piece in enumerate(found))
        memory.executemany("INSERT INTO pieces (rowid, words) VALUES (?, ?)", rows)
        select = "SELECT rowid FROM pieces WHERE pieces MATCH ? ORDER BY bm25(pieces), rowid LIMIT ?"
        best = [int(row) for (row,) in memory.execute(select, (query, most))]
    return best
