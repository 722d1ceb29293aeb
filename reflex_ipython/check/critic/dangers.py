"""The list of what is dangerous, by full name. A name ending in `.*` stands for a whole module."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Danger:
    """A kind of danger: its code, and the words that a name follows."""

    code: str
    words: str


DELETES = Danger("deletes", "deletes or moves files")
STARTS = Danger("starts-process", "starts another program")
EVALUATES = Danger("evaluates", "runs code from text or data")
CONNECTS = Danger("network", "uses the network")
INSTALLS = Danger("installs", "installs a package")
ENDS = Danger("ends-kernel", "ends the kernel or sends a signal")
FORGETS = Danger("forgets", "deletes your variables")
PERMITS = Danger("permissions", "changes the permissions of files")
SECRETS = Danger("credentials", "reads secrets")

_LISTS = {
    DELETES: """os.remove os.unlink os.rmdir os.removedirs os.rename os.renames os.replace os.truncate shutil.rmtree
        shutil.move send2trash.*""",
    STARTS: """os.system os.popen os.execv os.execve os.execvp os.execl os.execlp os.spawnl os.spawnv os.spawnlp
        os.spawnvp
        os.posix_spawn os.posix_spawnp os.fork os.startfile subprocess.* pty.* pexpect.* asyncio.create_subprocess_exec
        asyncio.create_subprocess_shell webbrowser.* runpy.* get_ipython().system get_ipython().getoutput
        get_ipython().run_line_magic get_ipython().run_cell_magic get_ipython().magic""",
    EVALUATES: """eval exec compile __import__ pickle.load pickle.loads cloudpickle.load cloudpickle.loads dill.load
        dill.loads joblib.load marshal.loads torch.load pandas.read_pickle yaml.load yaml.unsafe_load shelve.open
        get_ipython().run_cell get_ipython().ex code.* ctypes.* cffi.*""",
    CONNECTS: """requests.* httpx.* aiohttp.* urllib.request.* urllib3.* http.client.* socket.* ftplib.* smtplib.*
        telnetlib.* poplib.* imaplib.* xmlrpc.* paramiko.* websocket.* websockets.* boto3.* urlopen""",
    INSTALLS: """pip.main pip._internal.* ensurepip.* micropip.* piplite.*""",
    ENDS: """sys.exit os._exit os.abort os.kill os.killpg signal.raise_signal exit quit get_ipython().kernel.*""",
    FORGETS: """get_ipython().reset get_ipython().reset_selective""",
    PERMITS: """os.chmod os.chown os.lchown os.setuid os.umask""",
    SECRETS: """getpass.* keyring.* netrc.*""",
}

FUNCTIONS = {name: danger for danger, names in _LISTS.items() for name in names.split()}
"""By full name."""

METHODS = {"unlink": DELETES, "rmdir": DELETES, "rmtree": DELETES, "removedirs": DELETES, "urlopen": CONNECTS}
"""By the last part of a name alone, whatever it belongs to: so rare that they mean what they say."""

_WRITERS = """write_text write_bytes to_csv to_parquet to_excel to_sql to_pickle to_feather to_hdf to_stata savefig
savetxt savez savez_compressed copyfile copytree copy2 makedirs mkdir mkstemp symlink_to hardlink_to extractall
urlretrieve"""
WRITERS = frozenset(_WRITERS.split())
"""Methods and functions that write what their first argument, or their owner, names."""

_PREFIX = r"(sudo\s+)?(python\S*\s+-m\s+)?"
_MAGICS = (
    (
        re.compile(
            r"(!|!!|%%?(sx|system|sh)\s+|%)\s*(sudo\s+)?(python\S*\s+-m\s+)?(pip3?|conda|mamba|uv|apt(-get)?)\b"
        ),
        INSTALLS,
    ),
    (re.compile(r"[%!]\s*(rm|mv|rmdir|unlink|shred|truncate)\b"), DELETES),
    (re.compile(r"%(reset|reset_selective|xdel)\b"), FORGETS),
    (re.compile(r"%%(writefile|file)\b|%(save|logstart|notebook)\b"), Danger("writes-file", "writes a file")),
    (re.compile(r"!|%%?(sx|system|sh|bash|script|cmd|perl|ruby|js|javascript)\b|%(run|runfile|cp|ls\b.*;)"), STARTS),
    (re.compile(r"%(env|set_env)\b"), Danger("environment", "reads or changes the environment")),
)


def magic_danger(magic: str) -> Danger | None:
    """What is dangerous in a magic or shell command; None for a harmless one."""
    return next((danger for pattern, danger in _MAGICS if pattern.match(magic)), None)
