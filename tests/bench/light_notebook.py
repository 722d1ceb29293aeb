"""A notebook of 200 light cells as people write them: plain Python, numpy, pandas, scikit-learn, matplotlib.

It is no benchmark itself.
"""

from __future__ import annotations

PREPARE = """
import collections, json, math, random, re
import numpy as np, pandas as pd
import matplotlib
matplotlib.use('Agg')
import matplotlib.pyplot as plt
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler
rng = np.random.default_rng(0)
log = []
"""

_ROUND = (
    "n = 4_000\ncity = rng.integers(0, 9, n)\nspent = rng.gamma(2.0, 20.0, n)",
    "orders{0} = pd.DataFrame({{'city': city, 'spent': spent, 'day': np.arange(n) % 31}})\norders{0}.head()",
    "orders{0}['tax'] = orders{0}['spent'] * 0.19\norders{0}['weekend'] = orders{0}['day'] % 7 >= 5",
    "orders{0}.shape, orders{0}['spent'].mean()",
    "by_city{0} = orders{0}.groupby('city')['spent'].agg(['mean', 'sum', 'count'])\nby_city{0}",
    "best = by_city{0}['sum'].idxmax()\nprint('best city', best)",
    "def share(column):\n    return column / column.sum()\nshares = share(by_city{0}['sum'])\nshares.round(3)",
    "merged = orders{0}.merge(by_city{0}, left_on='city', right_index=True)\nmerged = merged.sort_values('spent')",
    "late = merged[merged['day'] > 20]\nlen(late)",
    "X = StandardScaler().fit_transform(orders{0}[['spent', 'day']])\ny = orders{0}['weekend'].to_numpy()",
    "model{0} = LogisticRegression(max_iter=50).fit(X[:1000], y[:1000])",
    "score = model{0}.score(X, y)\nlog.append(score)\nscore",
    "fig, ax = plt.subplots(figsize=(3, 2))\nax.plot(np.sort(spent)[::100])\nax.set_xlabel('rank')\nplt.close(fig)",
    "words = re.findall(r'\\w+', 'the quick brown fox jumps over the lazy dog ' * 50)\n"
    "counts = collections.Counter(words)",
    "counts.most_common(3)",
    "class Account:\n    def __init__(self, owner):\n        self.owner, self.balance = owner, 0\n"
    "    def deposit(self, amount):\n        self.balance += amount",
    "account = Account('ann')\nfor amount in range(100):\n    account.deposit(amount)\naccount.balance",
    "text = json.dumps({{'city': int(best), 'scores': log[-5:]}})\n"
    "back = json.loads(text)\nassert back['city'] == best",
    "primes = [p for p in range(2, 500) if all(p % q for q in range(2, int(math.sqrt(p)) + 1))]\nprint(len(primes))",
    "totals = {{}}\n"
    "for name, part in orders{0}.groupby('city'):\n    totals[name] = round(part['tax'].sum(), 2)\ntotals",
)
CELLS = [cell.format(turn) for turn in range(10) for cell in _ROUND]
