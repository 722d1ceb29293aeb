"""The settings as IPython knows them: `%config Reflex.…` and `c.Reflex.…` in configuration files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from traitlets import Bool, Enum, Float, Int, TraitType, Unicode
from traitlets.config import Configurable

from reflex_ipython.settings import SettingDescription, Settings, describe

_TRAITS: dict[str, Callable[..., TraitType[Any, Any]]] = {"bool": Bool, "int": Int, "float": Float, "str": Unicode}


def _trait(setting: SettingDescription) -> TraitType[Any, Any]:
    kind, optional = setting.type.removesuffix(" | None"), setting.type.endswith(" | None")
    text = f"{setting.help} [{setting.unit}]" if setting.unit else setting.help
    if setting.choices:
        return Enum(setting.choices, default_value=setting.default, help=text).tag(config=True)
    return _TRAITS[kind](setting.default, allow_none=optional, help=text).tag(config=True)


class Reflex(Configurable):
    """The settings of reflex_ipython. What a value may be is checked when it is set; a bad one changes nothing."""

    locals().update({setting.name: _trait(setting) for setting in describe()})

    def settings(self) -> Settings:
        """All of them as they are now.

        Raises
        ------
        ValueError
            If one is out of its range; the text names it.
        """
        return Settings(**{setting.name: getattr(self, setting.name) for setting in describe()})
