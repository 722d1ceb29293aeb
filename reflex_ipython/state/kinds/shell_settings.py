"""What magics and libraries set in the shell: traits, formatters, magics and aliases, transformers, hooks.

`%precision 3` sets a trait of a formatter, `rich.pretty.install()` what another one calls. The shell goes on working
meanwhile, so that only what is meant to be set is looked at, and what of ours is there stays.
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from reflex_ipython.base.classes import class_vars, classes, is_exactly, module_name
from reflex_ipython.state.bytecode_names import MAGICS_BY_NAME, SHELL
from reflex_ipython.state.kinds.contained import (
    Contained,
    all_contained,
    has_still,
    have_still,
    put_back_into,
    put_into,
)
from reflex_ipython.state.kinds.instances import MISSING
from reflex_ipython.state.kinds.kind import Kind
from reflex_ipython.state.kinds.registries import NAME
from reflex_ipython.state.shells import current_shell

MODULE = "IPython.core.interactiveshell"
_MAGICS = (
    "aimport alias alias_magic autoawait autocall automagic autoreload cd code_wrap colors config doctest_mode gui "
    "load_ext logoff logon logstart logstop matplotlib pdb popd pprint precision pushd pylab rehashx reload_ext "
    "unalias unload_ext xmode"
)
_ATTRIBUTES = (
    "Completer alias_manager ast_node_interactivity ast_transformers configurables custom_exceptions define_alias "
    "define_magic "
    "display_formatter enable_matplotlib enable_pylab extension_manager for_type for_type_by_name formatters hooks "
    "input_transformer_manager input_transformers_cleanup input_transformers_post magics_manager meta register_alias "
    "register_cell_magic register_hook register_line_cell_magic register_line_magic register_magic_function "
    "register_magics register_target set_custom_completer set_custom_exc set_hook set_matplotlib_formats showtraceback "
    "unregister_hook unregister_target user_ns_hidden"
)
WORDS = frozenset(f"{_MAGICS} {_ATTRIBUTES} push".split())
"""What sets something there."""
_LOOKING = (
    "compile config display_pub displayhook drop_by_id del_var events execution_count find_cell_magic find_line_magic "
    "find_magic get_parent getoutput ipython_dir kernel magics parent_header profile publish run_cell_magic "
    "run_line_magic starting_dir system user_global_ns user_module user_ns"
)
"""Attributes by which code looks at the shell, or gets at names, which are noted by themselves."""
_INSIDE = (
    "active_types callbacks chain comm_manager custom_matchers deferred_printers enabled float_format float_precision "
    "lookup lookup_by_type pprint register registry singleton_printers targets type_printers unregister use_jedi"
)
"""The same of what is in those."""
_HARMLESS_MAGICS = (
    "! HTML SVG autosave bash bookmark capture cat clear conda connect_info cp debug dhist dirs ed edit env file hist "
    "history html javascript js killbgscripts latex ldir less lf lk ll load loadpy ls lsmagic lx macro magic mamba man "
    "markdown micromamba mkdir more mv notebook page pastebin pdef pdoc perl pfile pinfo pinfo2 pip prun psearch "
    "psource pwd pycat pypy python python2 python3 qtconsole quickref recall rep rerun reset reset_selective rm rmdir "
    "ruby run save sc script set_env sh store subshell svg sx system tb time timeit uv who who_ls whos writefile xdel"
)
"""Those that set nothing there: what they do to names, files and processes is noted where that of other code is."""
_KNOWN = WORDS | frozenset(f"{_LOOKING} {_INSIDE} {_HARMLESS_MAGICS}".split())
_OF_CONTAINERS = frozenset([*dir(dict), *dir(list)])
_BY_LIBRARIES = {
    "h5py": frozenset({"enable_ipython_completer"}),
    "matplotlib_inline": frozenset({"set_matplotlib_formats"}),
    "rich": frozenset({"install", "load_ipython_extension"}),
    "sympy": frozenset({"init_printing", "init_session"}),
}
"""Functions of libraries that do so, by their packages."""
_OWN = ("_showtraceback",)
"""Attributes of the shell itself that are set when somebody wants tracebacks otherwise, though they are private."""
_GOES_ON = frozenset({"active_eventloop", "showing_traceback", "tempdirs", "tempfiles"})
"""Its public ones that it sets as it works."""
_TRANSFORMERS = "ast_transformers"
"""Among which there may be one of ours, that comes and goes."""
_PLAIN = (bool, int, float, str, type(None))
_RELOADING = ("enabled", "check_all", "autoload_obj")
_LISTED = ("modules", "skip_modules")
"""What it has in dicts."""
_LOGGING = ("log_active", "log_output", "log_raw_input", "logfile", "logfname", "loghead", "timestamp")


class _Settings:
    """What is set in a shell.

    Parameters
    ----------
    shell : InteractiveShell
    """

    def __init__(self, shell: Any) -> None:
        self.traits = [
            (o, name, value, all_contained([value])) for o in _configured(shell) for name, value in _set_in(o)
        ]
        self.attributes = {(id(o), name): (o, name, vars(o).get(name, MISSING)) for o, name in _attributes(shell)}
        self.names = frozenset(vars(shell))
        self.transformers = [*_users(shell.ast_transformers)]
        self.contained: Contained = all_contained(_containers(shell))
        self.mode, self.debugs = shell.InteractiveTB.mode, shell.call_pdb
        self.gui = getattr(shell, "active_eventloop", None)


def all_noted(shell: Any, names: Collection[str], attributes: Collection[str], stored: Collection[str]) -> bool:
    """Whether all that code with these words may change in the shell is noted here, or where its events are.

    Parameters
    ----------
    shell : InteractiveShell
    names : collection of str
        Names that it uses, and words of the texts that it hands to magics.
    attributes : collection of str
        Attributes that it uses, of whatever object.
    stored : collection of str
        The same of those that it sets.
    """
    unknown = [word for word in {*attributes, *stored} if word not in _KNOWN]
    if "kernel" in attributes and "comm_manager" not in attributes:  # of the kernel itself, only its comms are noted
        return False
    if any(word in stored or word in vars(shell) for word in unknown):
        return False
    inside = [vars(shell)[word] for word in attributes if word in _KNOWN and word in vars(shell)]
    known = {cls for o in (shell, *inside) for cls in classes(type(o))} - {object, dict, list}
    manager = getattr(shell, "magics_manager", None)
    if manager is None:
        return False
    magics = {*manager.magics["line"], *manager.magics["cell"]}
    words = {*names, *attributes, *stored}
    if not MAGICS_BY_NAME.isdisjoint(words) and magics.isdisjoint(words):
        return False  # nobody knows which one runs
    if any(word in magics and word not in _KNOWN for word in words):
        return False
    return not any(any(word in class_vars(cls) for cls in known) for word in unknown if word not in _OF_CONTAINERS)


def reads_otherwise(saved: _Settings) -> bool:
    """Whether the shell reads cells otherwise since that was noted, or has errors of theirs handled by somebody."""
    shell = current_shell()
    if shell is None:
        return False
    copies = {id(container): copy for container, copy in saved.contained}
    return (
        not _same_transformers(shell, saved)
        or any(id(each) in copies and not has_still(each, copies[id(each)]) for each in _readers(shell))
        or shell.custom_exceptions is not saved.attributes[id(shell), "custom_exceptions"][2]
    )


def _same_transformers(shell: Any, saved: _Settings) -> bool:
    now = [*_users(shell.ast_transformers)]
    return len(now) == len(saved.transformers) and all(one is then for one, then in zip(now, saved.transformers))


def _readers(shell: Any) -> Iterator[list[Any]]:
    """The lists of what goes over the text of each cell."""
    manager = shell.input_transformer_manager
    yield from (manager.cleanup_transforms, manager.line_transforms, manager.token_transformers)
    yield shell.input_transformers_post


def _configured(shell: Any) -> Iterator[Any]:
    """The objects with settings."""
    formatter = shell.display_formatter
    others = (formatter.ipython_display_formatter, formatter.mimebundle_formatter, *formatter.formatters.values())
    found = {id(o): o for o in (shell, *shell.configurables, formatter, *others) if o is not None}
    return (o for o in found.values() if not _is_ours(o))


def _is_ours(o: Any) -> bool:
    return module_name(type(o)).partition(".")[0] == "reflex_ipython"


def _set_in(o: Any) -> Iterator[tuple[str, Any]]:
    values = o._trait_values  # those that nobody has asked for yet are made when somebody does
    cls: Any = type(o)
    return ((name, values.get(name, MISSING)) for name in _names(cls))


@functools.lru_cache(maxsize=256)
def _names(cls: Any) -> tuple[str, ...]:
    return ("config", *(name for name in cls.class_trait_names(config=True) if name != _TRANSFORMERS))


def _attributes(shell: Any) -> Iterator[tuple[Any, str]]:
    yield from ((shell, name) for name in (*_OWN, *vars(shell)) if name in _OWN or _is_public(name))
    reloading = _reloader(shell)
    if reloading is not None:
        yield from ((reloading, name) for name in _RELOADING)
    yield from ((shell.logger, name) for name in _LOGGING)


def _is_public(name: str) -> bool:
    return not name.startswith(("_", "reflex_")) and name not in _GOES_ON


def _reloader(shell: Any) -> Any:
    return getattr(shell.magics_manager.registry.get("AutoreloadMagics"), "_reloader", None)


def _containers(shell: Any) -> Iterator[Any]:
    """Those that are changed in place."""
    yield shell.display_formatter.formatters
    yield from _readers(shell)
    yield from (shell.magics_manager.magics, shell.magics_manager.registry)
    yield from (shell.extension_manager.loaded, shell.dir_stack, shell.user_ns.get("_dh"), shell.config)
    yield from (shell.user_ns_hidden, shell.meta, shell.configurables)
    yield from (getattr(sends, "_hooks", None) for sends in (shell.display_pub, shell.displayhook))
    yield getattr(getattr(getattr(shell, "kernel", None), "comm_manager", None), "targets", None)
    yield from (vars(_reloader(shell)).get(name) for name in _LISTED if _reloader(shell) is not None)
    yield from (shell.hooks, *(getattr(hook, "chain", None) for hook in shell.hooks.values()))
    yield getattr(shell.Completer, "custom_matchers", None)
    for dispatch in shell.strdispatchers.values():
        yield from (dispatch.strs, dispatch.regexs)


def _users(transformers: Iterable[Any]) -> Iterator[Any]:
    return (transformer for transformer in transformers if not _is_ours(transformer))


def _changed_traits(saved: _Settings) -> Iterator[tuple[Any, str, Any, Contained]]:
    for o, name, value, contained in saved.traits:
        now = o._trait_values.get(name, MISSING)
        same = now is value or (is_exactly(now, _PLAIN) and type(now) is type(value) and now == value)
        if not same or not have_still(contained):
            yield o, name, value, contained


def _changed_attributes(shell: Any, saved: _Settings) -> Iterator[tuple[Any, str, Any]]:
    yield from (
        (o, name, value) for o, name, value in saved.attributes.values() if vars(o).get(name, MISSING) is not value
    )
    yield from ((shell, name, MISSING) for name in vars(shell) if name not in saved.names and _is_public(name))


def _reopened(logger: Any, file: Any) -> Any:
    """What `%logstop` has closed, opened anew; as it is where that can't be."""
    from reflex_ipython.state.effects import unwatched  # not as the extension is loaded

    try:
        with unwatched():
            return open(file.name, "a", encoding="utf-8")
    except OSError:
        logger.log_active = False
        return None


def _same(o: Any, saved: _Settings | None) -> bool:
    shell = current_shell()
    if shell is None or saved is None:
        return True
    return (
        not any(_changed_traits(saved))
        and not any(_changed_attributes(shell, saved))
        and _same_transformers(shell, saved)
        and have_still(saved.contained)
        and (shell.InteractiveTB.mode, shell.call_pdb) == (saved.mode, saved.debugs)
        and getattr(shell, "active_eventloop", None) == saved.gui
    )


def _restore(o: Any, saved: _Settings) -> None:
    shell = current_shell()
    for each, name, value, _ in [*_changed_traits(saved)]:
        if is_exactly(value, _PLAIN):
            setattr(each, name, value)  # others listen, and set what goes with it
    for each, name, value, contained in [*_changed_traits(saved)]:
        if value is MISSING:
            each._trait_values.pop(name, None)
        else:
            each._trait_values[name] = value
            put_back_into(contained)
    for each, name, value in [*_changed_attributes(shell, saved)]:
        if name == "logfile" and getattr(value, "closed", False):
            value = _reopened(each, value)
            saved.attributes[id(each), name] = each, name, value
            setattr(each, name, value)
        elif value is MISSING:
            delattr(each, name)
        else:
            setattr(each, name, value)
    ours = [transformer for transformer in shell.ast_transformers if _is_ours(transformer)]
    put_into(shell.ast_transformers, saved.transformers + ours)
    put_back_into(saved.contained)
    if shell.InteractiveTB.mode != saved.mode:
        shell.InteractiveTB.set_mode(saved.mode)
    shell.call_pdb = saved.debugs
    if getattr(shell, "active_eventloop", None) != saved.gui:
        shell.enable_gui(saved.gui)


def _snapshot() -> _Settings | None:
    shell = current_shell()
    return None if shell is None else _Settings(shell)


SETTINGS = Kind(NAME, "exact", lambda o, walk: _snapshot(), _same, _restore, holds=lambda saved: None)
ROWS = tuple(
    (package, MODULE, words, "settings of the shell", SETTINGS)
    for package, words in {"IPython": WORDS | {SHELL}, **_BY_LIBRARIES}.items()
)
"""As `kinds.switches` has them, the package that code uses first."""
