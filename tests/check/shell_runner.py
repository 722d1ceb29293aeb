"""A runner for a real IPython shell, with or without a kernel: what the kernel's edge has to do, in short."""

from __future__ import annotations

import asyncio
from typing import Any

from IPython.core.displayhook import CapturingDisplayHook
from IPython.core.displaypub import DisplayPublisher

from reflex_ipython.check.trial.outputs import Outputs
from reflex_ipython.check.trial.revive import loop_is_running


class ShellRunner:
    """Runs cells as `InteractiveShell` does, and sends nothing to a front end."""

    def __init__(self, shell: Any) -> None:
        self.shell = shell

    @property
    def namespace(self) -> dict[str, Any]:
        return self.shell.user_ns  # type: ignore[no-any-return]  # IPython has no types

    def detach(self) -> None:
        shell = self.shell
        shell.set_custom_exc((), None)
        shell._showtraceback = lambda *_: None
        for name, callbacks in shell.events.callbacks.items():
            kept = [one for one in callbacks if "matplotlib" in getattr(one, "__module__", "")]
            shell.events.callbacks[name] = kept
        kernel = getattr(shell, "kernel", None)
        if kernel is not None:
            from ipykernel.iostream import OutStream

            kernel.session.send = lambda *_, **__: None
            OutStream.write = lambda self, text: len(text)
            OutStream.flush = lambda self: None

    def rewind(self, source: str) -> None:
        pass

    async def run(self, source: str, outputs: Outputs) -> BaseException | None:
        shell = self.shell
        shown: list[Any] = []
        shell.display_trap.hook = CapturingDisplayHook(shell=shell, outputs=shown)
        shell.display_pub = _Publisher(outputs)
        if not loop_is_running() and shell.should_run_async(source, transformed_cell=shell.transform_cell(source)):
            return asyncio.run(self._run(source, shown, outputs))
        return await self._run(source, shown, outputs)

    async def _run(self, source: str, shown: list[Any], outputs: Outputs) -> BaseException | None:
        transformed = self.shell.transform_cell(source)
        result = await self.shell.run_cell_async(source, store_history=False, transformed_cell=transformed)
        self.shell.events.trigger("post_execute")
        for one in shown:
            outputs.result(one["data"])
        return result.error_before_exec or result.error_in_exec


class _Publisher(DisplayPublisher):  # type: ignore[misc]  # IPython has no types
    def __init__(self, outputs: Outputs) -> None:
        super().__init__()
        self._outputs = outputs

    def publish(self, data: Any, *_: Any, **__: Any) -> None:
        self._outputs.show(data)

    def clear_output(self, wait: bool = False) -> None:
        pass
