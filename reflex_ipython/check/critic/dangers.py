"""The list of what is dangerous, by full name. A name ending in `.*` stands for a whole module."""

from __future__ import annotations

import re
from dataclasses import dataclass

from reflex_ipython.check.critic.words import words


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
ENDS = Danger("ends-kernel", "ends a program or the kernel, or sends a signal")
FORGETS = Danger("forgets", "deletes your variables")
PERMITS = Danger("permissions", "changes the permissions of files")
LINKS = Danger("writes-outside", "creates links to files, or writes to open ones")
SECRETS = Danger("credentials", "reads secrets")
DATABASE = Danger("database", "deletes or replaces data in a database")
INTERNALS = Danger("internals", "reaches into Python's internals")
HOOKS = Danger("hooks", "changes how Python or IPython works")
REFLEX = Danger("settings", "changes the settings of IPython or Reflex")
UNREADABLE = Danger("unreadable", "decodes obfuscated text")
SENDS = Danger("page", "sends messages to the notebook page")
SHOWS = Danger("page", "runs code in the notebook page, or loads another page into it")

_LISTS = {
    DELETES: """os.remove os.unlink os.rmdir os.removedirs os.rename os.renames os.replace os.truncate os.ftruncate
        shutil.rmtree shutil.move send2trash.* pathlib.Path().unlink pathlib.Path().rmdir pathlib.Path().rename
        distutils.dir_util.* distutils.file_util.*
        pathlib.Path().replace open().truncate pathlib.Path.unlink pathlib.Path.rmdir pathlib.Path.rename
        pathlib.Path.replace pathlib.Path().open().truncate""",
    STARTS: """os.system os.popen os.execl os.execle os.execlp os.execlpe os.execv os.execve os.execvp os.execvpe
        os.spawnl os.spawnle os.spawnlp os.spawnlpe os.spawnv os.spawnve os.spawnvp os.spawnvpe os.posix_spawn
        os.posix_spawnp os.fork os.forkpty os.fork_exec os.startfile subprocess.* posixsubprocess.* _posixsubprocess.*
        _winapi.* pty.* pexpect.* ptyprocess.* sh.* plumbum.* fabric.* invoke.* git.* win32api.* win32com.*
        nbclient.* papermill.* rpy2.* oct2py.* matlab.* julia.* asyncio.create_subprocess_exec
        asyncio.create_subprocess_shell asyncio.subprocess.* multiprocessing.Process distutils.spawn.* psutil.Popen
        webbrowser.* antigravity.* runpy.* IPython.utils.process.* IPython.core.magics.*""",
    EVALUATES: """eval exec compile execfile __import__ pickle.load pickle.loads pickle.Unpickler cloudpickle.load
        cloudpickle.loads dill.load dill.loads dill.load_session dill.load_module joblib.load marshal.loads marshal.load
        torch.load torch.hub.* pandas.read_pickle pandas.io.pickle.* yaml.load yaml.load_all yaml.unsafe_load
        yaml.unsafe_load_all jsonpickle.decode shelve.open shelve.Shelf code.* codeop.* ctypes.* cffi.*
        importlib.machinery.* importlib.util.spec_from_file_location importlib.util.spec_from_loader
        pydoc.locate pkgutil.resolve_name multiprocessing.reduction.* logging.config.fileConfig logging.config.listen
        importlib.util.module_from_spec importlib._bootstrap.* importlib._bootstrap_external.* imp.* pkgutil.ImpImporter
        zipimport.* pyximport.* torch.utils.cpp_extension.* timeit.timeit timeit.repeat timeit.Timer timeit.main
        cProfile.run cProfile.runctx profile.run
        profile.runctx pdb.run pdb.runcall pdb.runeval bdb.* trace.Trace doctest.* types.FunctionType types.CodeType
        types.LambdaType numpy.f2py.* weave.* numexpr.evaluate sympy.sympify sympy.parsing.sympy_parser.parse_expr
        typing.get_type_hints test.support.* lib2to3.* site.addsitedir jinja2.Template mako.template.Template""",
    CONNECTS: """requests.* httpx.* aiohttp.* urllib.request.* urllib3.* http.client.* http.server.* socket.*
        socketserver.* ssl.* ftplib.* smtplib.* telnetlib.* poplib.* imaplib.* nntplib.* xmlrpc.* wsgiref.* paramiko.*
        asyncssh.* websocket.* websockets.* boto3.* botocore.* pycurl.* httplib2.* mechanize.* grpc.* zmq.* redis.*
        pymongo.* kafka.* pika.* psycopg2.connect psycopg.connect pymysql.connect mysql.connector.* google.cloud.*
        azure.* slack_sdk.* twilio.* mlflow.* neptune.* comet_ml.* telegram.* discord.* tweepy.* gspread.* dropbox.*
        wandb.* huggingface_hub.* kagglehub.*
        kaggle.* nltk.download gdown.* wget.* asyncio.open_connection asyncio.start_server asyncio.open_unix_connection
        logging.handlers.SocketHandler logging.handlers.HTTPHandler logging.handlers.SMTPHandler
        logging.handlers.DatagramHandler logging.handlers.SysLogHandler multiprocessing.connection.* pyngrok.*
        docker.* podman.* kubernetes.* stripe.* paypalrestsdk.* braintree.* plaid.* ccxt.* binance.* alpaca_trade_api.*
        ib_insync.* telebot.* aiogram.* praw.* github.* gitlab.* jira.* atlassian.* notion_client.* pyairtable.*
        sendgrid.* mailchimp_marketing.* yagmail.* exchangelib.* O365.* aioboto3.* aiobotocore.* elasticsearch.*
        opensearchpy.* neo4j.* etcd3.* consul.* hvac.* pysftp.* twisted.* scapy.* dns.* openai.* anthropic.* urlopen""",
    INSTALLS: """pip.* ensurepip.* micropip.* piplite.* pkg_resources.require easy_install.* setuptools.setup
spacy.cli.*
        setuptools.command.* conda.*""",
    ENDS: """sys.exit os._exit os.exit os.abort os.kill os.killpg os.pidfd_open signal.raise_signal signal.pthread_kill
        signal.pidfd_send_signal exit quit _thread.interrupt_main thread.interrupt_main signal.alarm signal.setitimer
        resource.setrlimit faulthandler.dump_traceback_later faulthandler._sigsegv faulthandler._read_null
        faulthandler._fatal_error asyncio.get_event_loop().stop asyncio.get_event_loop().close
        asyncio.get_running_loop().stop asyncio.get_running_loop().close""",
    FORGETS: """get_ipython().reset get_ipython().reset_selective globals().clear globals().pop globals().popitem
        locals().clear vars().clear get_ipython().user_ns.clear get_ipython().user_ns.pop get_ipython().del_var
        get_ipython().drop_by_id""",
    PERMITS: """os.chmod os.fchmod os.lchmod os.chown os.fchown os.lchown os.setuid os.seteuid os.setgid os.setegid
        os.setreuid os.setgroups os.setpgid os.setsid os.umask os.chroot os.setxattr os.chflags shutil.chown
        pathlib.Path().chmod pathlib.Path().lchmod""",
    LINKS: """os.symlink os.link os.mkfifo os.mknod os.write os.pwrite os.writev os.sendfile os.dup2 os.close
        os.closerange os.copy_file_range os.splice os.posix_fallocate mmap.* fcntl.fcntl fcntl.ioctl termios.* tty.*""",
    SECRETS: """getpass.getpass getpass.unix_getpass keyring.* netrc.* secretstorage.* browser_cookie3.* pwd.getpwall
        spwd.* crypt.* psutil.Process().environ google.colab.userdata.* google.colab.auth.* kaggle_secrets.*
        dotenv.dotenv_values
        ipykernel.connect.* jupyter_client.* jupyter_server.*""",
    INTERNALS: """os.__dict__ subprocess.__dict__ shutil.__dict__ sys.__dict__ builtins.__dict__ importlib.__dict__
        socket.__dict__ pickle.__dict__ ctypes.__dict__ pty.__dict__ sys._getframe sys._current_frames
        sys._current_exceptions inspect.currentframe inspect.stack
        gc.get_objects gc.get_referrers gc.get_referents""",
    DATABASE: "sqlalchemy.delete sqlalchemy.sql.delete sqlalchemy.schema.DropTable",
    UNREADABLE: "codecs.getdecoder codecs.getincrementaldecoder codecs.lookup codecs.getreader codecs.EncodedFile",
    HOOKS: """sys.settrace sys.setprofile sys.addaudithook sys.set_asyncgen_hooks
        sys.monitoring.* sys.modules.clear sys.meta_path.* sys.path_hooks.* sys.path_importer_cache.* threading.settrace
        threading.setprofile threading.settrace_all_threads atexit.register atexit.unregister atexit._clear
        atexit._run_exitfuncs signal.signal signal.set_wakeup_fd signal.siginterrupt weakref.finalize codecs.register
        codecs.register_error copyreg.pickle copyreg.constructor os.register_at_fork gc.callbacks.* unittest.mock.patch
        unittest.mock.patch.* mock.patch
        forbiddenfruit.* gorilla.* wrapt.wrap_function_wrapper wrapt.patch_function_wrapper sys.stdout.close
        sys.stderr.close sys.breakpointhook sys.__excepthook__ ast.NodeTransformer IPython.core.magic.*
        IPython.core.hooks.* IPython.core.events.* IPython.core.inputtransformer2.* IPython.core.inputtransformer.*""",
    REFLEX: """reflex_ipython.* traitlets.config.* IPython.core.extensions.* IPython.core.alias.* IPython.Application.*
        IPython.start_ipython IPython.embed ipykernel.kernelapp.* ipykernel.ipkernel.* ipykernel.zmqshell.*
        IPython.core.interactiveshell.* IPython.core.application.*""",
    SHOWS: """IPython.display.Javascript IPython.display.IFrame IPython.display.display_javascript
        IPython.display.YouTubeVideo IPython.display.VimeoVideo IPython.display.ScribdDocument
        IPython.core.display.Javascript IPython.lib.display.IFrame Javascript IFrame display_javascript
        bokeh.models.CustomJS IPython.core.display.display_javascript
        IPython.core.display_functions.display_javascript
        google.colab.output.*""",
    SENDS: "ipykernel.comm.* comm.*",
}

FUNCTIONS = {name: danger for danger, names in _LISTS.items() for name in names.split()}
"""By full name."""

_SHELL = words(
    """execution_count user_ns user_global_ns display_formatter display_pub showtraceback showsyntaxerror
    has_readline show_usage colors pylab_gui_select enable_matplotlib enable_pylab push In Out
    user_module InteractiveTB.set_mode ask_yes_no object_inspect inspector"""
)
"""What of the shell may be used: the rest of it runs, loads or changes something."""

_BY_METHOD = {
    DELETES: "unlink rmdir rmtree removedirs rm rm_file rm_recursive remove_tree",
    STARTS: """system popen Popen check_output check_call getstatusoutput execv execve execvp execlp spawnl spawnv
        spawnlp spawnvp startfile create_subprocess_exec create_subprocess_shell subprocess_exec subprocess_shell
        fork_exec""",
    CONNECTS: """urlopen urlretrieve sendto sendall sendmail send_message starttls storbinary storlines upload_file
        upload_fileobj upload_blob upload_from_filename upload_from_string put_object create_connection
        create_datagram_endpoint connect_ex post request ws_connect push_to_hub basic_publish
        publish_message chat_postMessage sendMessage sendMail""",
    EVALUATES: """exec_module load_module source_to_code run_cell run_code load_library load_op_library LoadLibrary
        dlopen
        enable_load_extension""",
    ENDS: "kill terminate send_signal killpg _exit",
    DATABASE: """drop_schema drop_view drop_constraint drop_user drop_role drop_keyspace drop_partition drop_dataset
        drop_all drop_table drop_database drop_collection drop_index drop_column delete_many delete_one
        delete_table delete_bucket delete_object delete_objects delete_collection flushall flushdb
        find_one_and_delete truncate_table""",
    INTERNALS: "get_referrers _getframe",
    HOOKS: "add_signal_handler set_exception_handler",
    FORGETS: "reset_selective",
}
METHODS = {name: danger for danger, names in _BY_METHOD.items() for name in names.split()}
"""By the last part of a name alone, whatever it belongs to: so rare that they mean what they say."""

_EMPTIES = re.compile(
    r"(?:delete|purge|destroy|wipe|erase)_(?!on_|(?:rows?|cols?|columns?|edges?|nodes?|vertices|items?|elements?|chars?"
    r"|text|selection|overlaps?|duplicates?)$)\w+$"
)
"""Methods that delete what others have too: `client.delete_dataset`, and not `sheet.delete_rows`."""

_SENDS = re.compile(
    r"(?:send|upload)_(?:\w+_)?(?:mail|emails?|sms|messages?|photo|document|files?|folder|blob|object|data|request"
    r"|events?|batch|text|template|money|transaction|order)$"
)
"""Methods that send what they are given to others: `bot.send_photo`, `client.upload_folder`."""

_FINE = words(
    """platform.system subprocess.PIPE subprocess.STDOUT subprocess.DEVNULL subprocess.CompletedProcess
    subprocess.list2cmdline asyncio.subprocess.PIPE importlib.util.find_spec importlib.machinery.ModuleSpec
    urllib.request.pathname2url urllib.request.url2pathname http.client.responses ctypes.util.find_library
    ssl.OPENSSL_VERSION doctest.ELLIPSIS code.co_name socket.gethostname pip.__version__ requests.__version__
    importlib.import_module"""
)
_AN_ERROR = re.compile(
    r"(?:^|[._])(?:\w*(?:Error|Exception|Warning|Timeout|Expired)|exceptions|__version__)$"
    r"|^(subprocess|socket|ssl|mmap|termios|zmq)\.[A-Z][A-Z0-9_]+$"
)


_GIVEN_BY_A_PROCESS = re.compile(r"subprocess\.(?:run|check_output|getoutput|getstatusoutput)\(\)\.")
"""What a program has given is text or bytes: who reads it starts nothing."""


def danger_of(name: str) -> Danger | None:
    """What is dangerous in a function or method of that full name; None for a harmless one."""
    if name in FUNCTIONS:
        return FUNCTIONS[name]
    if name in _FINE or name.endswith("()") or _AN_ERROR.search(name):
        return None
    module, _, member = name.rpartition(".")
    if _GIVEN_BY_A_PROCESS.match(name):
        return METHODS.get(member)
    if module == "get_ipython()" or module.startswith("get_ipython()."):
        return _of_the_shell(name.removeprefix("get_ipython()."))
    while module:
        if f"{module}.*" in FUNCTIONS:
            return FUNCTIONS[f"{module}.*"]
        module = module.rpartition(".")[0]
    if "." not in name:
        return None
    if member in METHODS:
        return METHODS[member]
    return DATABASE if _EMPTIES.match(member) else CONNECTS if _SENDS.match(member) else None


def _of_the_shell(name: str) -> Danger | None:
    if name.partition(".")[0] in _SHELL or name in _SHELL:
        return None
    if name.startswith(("system", "getoutput", "run_", "magic", "ex", "ev", "safe_exec", "find_cell_magic")):
        return STARTS
    if name.startswith("kernel"):
        return ENDS
    if name == "set_next_input":
        return SENDS  # with `replace=True` over the text of the user's cell
    return REFLEX if name.startswith(("config", "reflex", "extension", "alias", "magics_manager")) else HOOKS


_WRITERS = """write_text write_bytes to_csv to_parquet to_excel to_sql to_pickle to_feather to_hdf to_stata savefig
savetxt savez savez_compressed copyfile copytree copy2 makedirs mkdir mkstemp symlink_to hardlink_to extractall
urlretrieve to_netcdf to_zarr write_html write_image write_csv write_parquet touch make_archive FileHandler
RotatingFileHandler
TimedRotatingFileHandler WatchedFileHandler"""
WRITERS = frozenset(_WRITERS.split())
"""Methods and functions that write what their first argument, or their owner, names."""

LATE_WRITERS = words(
    """shutil.copy shutil.copy2 shutil.copyfile shutil.copytree shutil.unpack_archive joblib.dump torch.save
    pickle.dump numpy.save"""
)
"""Functions whose second argument, or first, is the file that is written."""
