"""A model is given the cell and the error, and nothing else: what somebody would paste into a chat."""

from __future__ import annotations

from typing import Any

from reflex_ipython.models import Cause, Failure
from reflex_ipython.propose.prompt import ChatQuestion
from tests.bench.stages import without_rules

QUESTION = """\
This cell of a Jupyter notebook fails:

```python
{source}
```

It raises:

```
{title}
```

Answer with the complete repaired cell in one ```python block."""


def bare_question(cause: Cause, *args: Any, **kwargs: Any) -> ChatQuestion:
    """The bare question; an answer may change the failing cell alone."""
    assert isinstance(cause, Failure)
    return ChatQuestion(
        [{"role": "user", "content": QUESTION.format(source=cause.situation.source, title=cause.title)}], ()
    )


def load_ipython_extension(shell: Any) -> None:
    from reflex_ipython.propose import conversation

    without_rules.load_ipython_extension(shell)
    conversation.build_question = bare_question
