"""Dates as text, with time and zone or without."""

from __future__ import annotations

import pytest

from tests.propose.rules.running import answer, sources


@pytest.mark.parametrize(
    ("setup", "cell", "expected"),
    [
        (
            's="25/03/2024"',
            'from datetime import datetime\nd = datetime.strptime(s, "%Y-%m-%d")\nd',
            'from datetime import datetime\nd = datetime.strptime(s, "%d/%m/%Y")\nd',
        ),
        (
            's="2024-03-05 10:30"',
            'from datetime import datetime\nd = datetime.strptime(s, "%Y-%m-%d")\nd',
            'from datetime import datetime\nd = datetime.strptime(s, "%Y-%m-%d %H:%M")\nd',
        ),
        (
            'raw=["2024-03-25"]',
            ('from datetime import datetime\nds = [datetime.strptime(s, "%d/%m/%Y") for s in raw]\nds'),
            ('from datetime import datetime\nds = [datetime.strptime(s, "%Y-%m-%d") for s in raw]\nds'),
        ),
        (
            's="March 5, 2024"',
            'from datetime import datetime\nd = datetime.strptime(s, "%d %b %Y")\nd',
            'from datetime import datetime\nd = datetime.strptime(s, "%B %d, %Y")\nd',
        ),
        (
            's="25.03.2024"',
            "from datetime import datetime\nd = datetime.fromisoformat(s)\nd",
            'from datetime import datetime\nd = datetime.strptime(s, "%d.%m.%Y")\nd',
        ),
        (
            's="2024-03-05"',
            "from datetime import datetime\nd = datetime(2024,3,6) - s\nd.days",
            ("from datetime import datetime\nd = datetime(2024,3,6) - datetime.fromisoformat(s)\nd.days"),
        ),
        (
            "",
            "from datetime import datetime\nd = datetime(2024,3,6) + 5\nd",
            (
                "from datetime import datetime\n"
                "from datetime import timedelta\n"
                "d = datetime(2024,3,6) + timedelta(days=5)\n"
                "d"
            ),
        ),
        (
            "import datetime\nday=datetime.date(2024,3,6)\nn_days=5",
            "d = day + n_days\nd",
            "d = day + datetime.timedelta(days=n_days)\nd",
        ),
        (
            "import datetime as dt\nb=dt.datetime(2024,1,2,tzinfo=dt.timezone.utc)",
            "from datetime import datetime\nd = datetime.now() - b\nd",
            "from datetime import datetime\nd = datetime.now(dt.timezone.utc) - b\nd",
        ),
        ('s="2024-03-05"', "y = s.year\ny", "from datetime import datetime\ny = datetime.fromisoformat(s).year\ny"),
        (
            'from datetime import datetime\ns="2024-03-05"',
            'y = s.strftime("%d")\ny',
            'y = datetime.fromisoformat(s).strftime("%d")\ny',
        ),
        (
            "",
            'import pandas as pd\nt = pd.Timestamp("2024-01-01") + 1\nt',
            'import pandas as pd\nt = pd.Timestamp("2024-01-01") + pd.Timedelta(days=1)\nt',
        ),
        (
            'raw=["2024/01/05","2024/02/05"]',
            ('from datetime import datetime\nds = [datetime.strptime(s, "%Y-%m-%d") for s in raw]\nlen(ds)'),
            ('from datetime import datetime\nds = [datetime.strptime(s, "%Y/%m/%d") for s in raw]\nlen(ds)'),
        ),
        (
            "",
            ('from datetime import datetime\nd = datetime.strptime("2024-01-05T10:30:00", "%Y-%m-%d %H:%M:%S")\nd'),
            ('from datetime import datetime\nd = datetime.strptime("2024-01-05T10:30:00", "%Y-%m-%dT%H:%M:%S")\nd'),
        ),
        (
            's="2024-01-05T10:30:00Z"',
            'from datetime import datetime\nd = datetime.strptime(s, "%Y-%m-%dT%H:%M:%S")\nd',
            'from datetime import datetime\nd = datetime.strptime(s, "%Y-%m-%dT%H:%M:%SZ")\nd',
        ),
        (
            's="2024-01-05 10:30:00.123"',
            'from datetime import datetime\nd = datetime.strptime(s, "%Y-%m-%d %H:%M:%S")\nd',
            'from datetime import datetime\nd = datetime.strptime(s, "%Y-%m-%d %H:%M:%S.%f")\nd',
        ),
        (
            "",
            ('from datetime import datetime\nd = datetime.strptime("03/25/2024 02:30 PM", "%m/%d/%Y %H:%M")\nd'),
            ('from datetime import datetime\nd = datetime.strptime("03/25/2024 02:30 PM", "%m/%d/%Y %I:%M %p")\nd'),
        ),
        (
            "",
            "from datetime import date, datetime\ndate.today() < datetime.now()",
            "from datetime import date, datetime\ndate.today() < datetime.now().date()",
        ),
        (
            "",
            'from datetime import datetime\ndatetime.strptime(20240105, "%Y%m%d")',
            'from datetime import datetime\ndatetime.strptime(str(20240105), "%Y%m%d")',
        ),
        (
            "",
            'from datetime import datetime\ndatetime.strptime("2024-01-05 ", "%Y-%m-%d")',
            'from datetime import datetime\ndatetime.strptime("2024-01-05 ".strip(), "%Y-%m-%d")',
        ),
        (
            "from datetime import datetime\nstart=datetime(2024,1,1)",
            'from datetime import datetime\nif start < "2024-06-01":\n    print("early")',
            ('from datetime import datetime\nif start < datetime.fromisoformat("2024-06-01"):\n    print("early")'),
        ),
        (
            'start="2024-01-01"\nend="2024-01-05"',
            "days = end - start\ndays.days",
            (
                "from datetime import datetime\n"
                "days = datetime.fromisoformat(end) - datetime.fromisoformat(start)\n"
                "days.days"
            ),
        ),
        (
            "import datetime\nstart=datetime.datetime(2024,1,1,2)\nhours=3",
            "t = start + hours\nt",
            "t = start + datetime.timedelta(hours=hours)\nt",
        ),
        ("import datetime\nd=datetime.timedelta(minutes=90)", "m = d.minutes\nm", "m = d.total_seconds() / 60\nm"),
        (
            "import datetime\na=datetime.datetime(2024,1,1,1)\nb=datetime.datetime(2024,1,1,3)",
            "h = (b - a).hours\nh",
            "h = (b - a).total_seconds() / 3600\nh",
        ),
        (
            'dates=["2024-01-01","2024-02-01"]',
            "m = [d.month for d in dates]\nm",
            "from datetime import datetime\nm = [datetime.fromisoformat(d).month for d in dates]\nm",
        ),
        (
            "import datetime\nd=datetime.timedelta(days=10)",
            'if d > 5:\n    print("old")',
            'if d.days > 5:\n    print("old")',
        ),
    ],
)
def test_what_is_meant_is_the_answer(setup: str, cell: str, expected: str) -> None:
    assert answer(cell, *([setup] if setup else [])) == expected


@pytest.mark.parametrize(
    ("setup", "cell", "expected"),
    [
        (
            's="05/03/2024"',
            'from datetime import datetime\nd = datetime.strptime(s, "%Y-%m-%d")\nd',
            'from datetime import datetime\nd = datetime.strptime(s, "%d/%m/%Y")\nd',
        ),
        (
            (
                "import datetime\n"
                "a=datetime.datetime(2024,1,2)\n"
                "b=datetime.datetime(2024,1,2,tzinfo=datetime.timezone.utc)"
            ),
            "d = b - a\nd.days",
            "d = b - a.replace(tzinfo=datetime.timezone.utc)\nd.days",
        ),
    ],
)
def test_of_several_meanings_there_is_a_choice(setup: str, cell: str, expected: str) -> None:
    cells = [setup] if setup else []
    assert expected in sources(cell, *cells)
    assert answer(cell, *cells) is None
