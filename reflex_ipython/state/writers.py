"""Functions and methods that write, send or leave something behind without an audit event: the documented table.

Whatever goes through Python's own `open`, `os.remove`, `socket.connect`, `subprocess` and the like is seen as it
happens (`audit_events`) and needs no row: `numpy.save`, `joblib.dump`, `PIL.Image.save`, `DataFrame.to_csv`. Open
files, sockets, pipes and connections are objects that are named by themselves (`kinds.opaque`). What remains are
descriptors, timers of the process, and libraries in C, C++ and Rust that open files on their own.
"""

from __future__ import annotations

import re

_Row = tuple[str, str]
_WROTE: _Row = ("file", "wrote a file ({})")
_DESCRIPTOR: _Row = ("file", "wrote to a file descriptor")
_OPENED: _Row = ("opened", "opened a file descriptor")
_ADDRESS: _Row = ("other", "got at memory by its address")


def _all(names: str, row: _Row = _WROTE) -> dict[str, _Row]:
    return {name: (row[0], row[1].format(name)) for name in names.split()}


FUNCTIONS: dict[str, dict[str, _Row]] = {
    "os": {
        **_all("write writev pwrite pwritev sendfile copy_file_range splice", _DESCRIPTOR),
        **_all("read readv lseek", ("file", "moved in a file descriptor")),
        **_all("open openpty pipe pipe2 dup eventfd memfd_create pidfd_open", _OPENED),
        **_all("close closerange", ("closed", "closed a file descriptor")),
        **_all("mkfifo mknod"),
        **_all("nice setpriority sched_setaffinity", ("other", "changed how the process runs")),
    },
    "tempfile": _all("mkstemp", _OPENED),
    "atexit": {"register": ("other", "registered a call for when the kernel ends")},
    "signal": {
        **_all("raise_signal", ("signal", "sent a signal")),
    },
    "_thread": _all("start_new_thread start_new", ("thread", "started a thread")),
    "ctypes": {
        **_all("CDLL OleDLL PyDLL WinDLL", ("other", "loaded a C library")),
        **_all("cast", _ADDRESS),
        **_all("CFUNCTYPE PYFUNCTYPE WINFUNCTYPE", ("other", "made a function of C, maybe of its address")),
        **_all("memmove memset", ("other", "wrote to memory by its address")),
    },
    "cv2": _all("imwrite imwritemulti VideoWriter FileStorage"),
    "h5py": _all("File"),
    "tables": _all("open_file"),
    "netCDF4": _all("Dataset MFDataset"),
    "rasterio": _all("open"),
    "fiona": _all("open"),
    "pyogrio": _all("write_dataframe write_arrow"),
    "soundfile": _all("write SoundFile"),
    "torch": _all("save"),
    "torchaudio": _all("save"),
    "torchvision.utils": _all("save_image"),
    "torchvision.io": _all("write_png write_jpeg write_video write_file"),
    "safetensors.numpy": _all("save_file"),
    "safetensors.torch": _all("save_file save_model"),
    "pyarrow": _all("OSFile memory_map create_memory_map"),
    "pyarrow.parquet": _all("write_table write_to_dataset write_metadata ParquetWriter"),
    "pyarrow.csv": _all("write_csv CSVWriter"),
    "pyarrow.feather": _all("write_feather"),
    "pyarrow.orc": _all("write_table ORCWriter"),
    "pyarrow.dataset": _all("write_dataset"),
    "pyarrow.ipc": _all("new_file new_stream RecordBatchFileWriter RecordBatchStreamWriter"),
    "pyreadstat": _all("write_sav write_dta write_por write_xport"),
    "faiss": _all("write_index"),
    "SimpleITK": _all("WriteImage"),
    "open3d.io": _all("write_point_cloud write_triangle_mesh write_image"),
    "duckdb": _all("sql execute query", ("database", "ran SQL in duckdb")),
}
"""By module and name; matched by what the name stands for."""

_SINKS = (
    "write_avro write_csv write_database write_delta write_excel write_iceberg write_ipc write_ipc_stream write_json "
    "write_ndjson write_parquet sink_csv sink_delta sink_ipc sink_ndjson sink_parquet"
)
DISTINCT: dict[str, dict[str, _Row]] = {
    "polars": _all(_SINKS),
    "xarray": _all("to_netcdf to_zarr"),
    "geopandas": _all("to_file"),
    "tensorflow": _all("save_weights"),
    "duckdb": _all("to_csv to_parquet write_csv write_parquet"),
    "sqlite3": _all("execute executescript", ("database", "changed what tables there are")),
}
"""Methods, by package, whose names are found of whatever object the code has got; with no arguments they give text."""

CLASSES: dict[tuple[str, str], dict[str, _Row]] = {
    **{(package, ""): names for package, names in DISTINCT.items()},
    ("ctypes", "CDLL"): {"": ("other", "called {} in a C library")},
    ("_cffi_backend", "FFI"): _all("cast memmove", _ADDRESS),
    ("cffi", "FFI"): _all("cast memmove", _ADDRESS),
    ("asyncio", "AbstractEventLoop"): {"add_signal_handler": ("signal", "set a signal handler")},
    ("pandas", "DataFrame"): _all("to_hdf"),
    ("pandas", "Series"): _all("to_hdf"),
    ("lightgbm", "Booster"): _all("save_model"),
    ("xgboost", "Booster"): _all("save_model"),
    ("xgboost", "XGBModel"): _all("save_model"),
    ("catboost", "CatBoost"): _all("save_model"),
    ("tokenizers", "Tokenizer"): _all("save"),
    ("keras", "Model"): _all("save save_weights"),
    ("fitz", "Document"): _all("save ez_save"),
    ("h5py", "Group"): _all("create_dataset create_group require_dataset"),
}
"""By package and class, or all classes of a package; "" is any method."""

TEXTS: dict[str, re.Pattern[str]] = {
    "sqlite3": re.compile(r"\b(?:create|drop|alter|attach|detach|pragma)\b", re.IGNORECASE)
}
"""By package, what a text has to say that is run: rows that were written are told by the connection itself."""
