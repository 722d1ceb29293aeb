"""Words that say the same thing in people's tables: a column that is asked for as `place` may be called `site`."""

from __future__ import annotations

from collections.abc import Set

_GROUPS = [
    frozenset(group.split())
    for group in (
        "place site location spot venue station",
        "city town municipality",
        "country nation land",
        "region area zone district territory",
        "price cost fare fee rate charge",
        "amount total sum value",
        "quantity count number units pieces",
        "revenue sales turnover income",
        "salary wage pay income earnings",
        "profit gain margin",
        "date day when time timestamp datetime",
        "start begin beginning from",
        "end finish stop until",
        "duration length minutes",
        "name title label",
        "id identifier",
        "kind type category class group sort",
        "product item article goods",
        "client customer buyer user consumer",
        "company firm business organisation organization",
        "employee worker staff person member",
        "department team division unit",
        "job position role occupation profession",
        "sex gender",
        "phone telephone mobile",
        "mail email",
        "score grade mark points rating",
        "weight mass kg",
        "height size tall",
        "speed velocity pace",
        "temperature temp degrees",
        "colour color",
        "state status condition",
        "target label outcome response",
        "picture image photo",
        "author writer",
        "comment note remark text",
        "teacher instructor",
        "pupil student",
        "shop store branch outlet",
        "car vehicle auto",
        "film movie",
        "doctor physician",
        "illness disease diagnosis",
    )
]


def same_meaning(ours: Set[str], theirs: Set[str]) -> bool:
    """Whether each word of one name is a word of the other or says the same as one, and one of them is another word.

    Parameters
    ----------
    ours, theirs : set of str
        The words of two names, in small letters and the singular.
    """
    if not ours or ours == theirs or len(ours) != len(theirs):
        return False
    left = theirs - ours
    return all(any(_same(word, other) for other in left) for word in ours - theirs)


def _same(word: str, other: str) -> bool:
    return any(word in group and other in group for group in _GROUPS)
