"""What front ends that are not JupyterLab put around a widget: their marks, their colours, their rules for plain HTML.

The colours are those of VS Code's own themes, under the names that its webviews give them.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

NONE: Mapping[str, str] = MappingProxyType({})


class Theme(NamedTuple):
    """A host's theme.

    Parameters
    ----------
    system : str
        What the system prefers, which is not always what the host does.
    style : str
        CSS of the host.
    html, body : dict of str to str
        The attributes of these elements.
    """

    system: str
    style: str = ""
    html: Mapping[str, str] = NONE
    body: Mapping[str, str] = NONE


def _vscode(kind: str, system: str, **colors: str) -> Theme:
    """VS Code's webview; its rules for `kbd`, `code` and fields hold in every output."""
    fonts = {"font-family": "system-ui, sans-serif", "editor-font-family": "monospace"}
    variables = "".join(f"--vscode-{name.replace('_', '-')}: {value};" for name, value in (colors | fonts).items())
    rules = """
      body { background: var(--vscode-editor-background); color: var(--vscode-editor-foreground); }
      code { padding: 1px 3px; border-radius: 4px; color: #d7ba7d; background-color: #3c3c3c; }
      kbd { padding: 1px 3px; border: 1px solid #888; border-radius: 3px; background: #444; color: #ccc;
            box-shadow: inset 0 -1px 0 #888; vertical-align: middle; }
      input:focus, textarea:focus { outline: 1px solid red; outline-offset: -1px; }
      .output { background: #fff; } /* as it does for widgets, in dark themes as well */
    """
    return Theme(system, f":root {{ {variables} }} {rules}", body={"class": f"vscode-body vscode-{kind}"})


THEMES = {
    "light": Theme("light"),
    "dark": Theme("dark", "body { background: #111; color: #ddd; }"),
    "vscode-light": _vscode(
        "light",
        "dark",
        foreground="#3b3b3b",
        editor_foreground="#3b3b3b",
        editor_background="#ffffff",
        descriptionForeground="#3b3b3b",
        editorWidget_background="#f8f8f8",
        panel_border="#e5e5e5",
        button_background="#005fb8",
        button_foreground="#ffffff",
    ),
    "vscode-dark": _vscode(
        "dark",
        "light",
        foreground="#cccccc",
        editor_foreground="#cccccc",
        editor_background="#1f1f1f",
        descriptionForeground="#9d9d9d",
        editorWidget_background="#202020",
        panel_border="#2b2b2b",
        button_background="#0078d4",
        button_foreground="#ffffff",
    ),
    "vscode-high-contrast": _vscode(
        "high-contrast",
        "light",
        foreground="#ffffff",
        editor_foreground="#ffffff",
        editor_background="#000000",
        descriptionForeground="rgba(255, 255, 255, 0.7)",
        editorWidget_background="#0c141f",
        panel_border="#6fc3df",
        button_foreground="#ffffff",
    ),
    "colab-dark": Theme("light", "body { background: #383838; color: #e3e3e3; }", html={"theme": "dark"}),
    "colab-light": Theme("dark", "body { background: #fff; color: #1f1f1f; }", html={"theme": "light"}),
}
