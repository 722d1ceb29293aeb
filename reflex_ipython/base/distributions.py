"""Modules that come in a distribution of another name."""

from __future__ import annotations

DISTRIBUTIONS = {
    "Bio": "biopython", "Crypto": "pycryptodome", "Cryptodome": "pycryptodomex", "IPython": "ipython", "Levenshtein": "levenshtein",
    "MySQLdb": "mysqlclient", "OpenSSL": "pyOpenSSL", "PIL": "Pillow", "PyQt5": "PyQt5", "absl": "absl-py", "altair": "altair",
    "attr": "attrs", "bs4": "beautifulsoup4", "cairo": "pycairo", "community": "python-louvain", "cv2": "opencv-python",
    "dateutil": "python-dateutil", "discord": "discord.py", "docx": "python-docx", "dotenv": "python-dotenv", "editdistance": "editdistance",
    "faiss": "faiss-cpu", "ffmpeg": "ffmpeg-python", "fitz": "PyMuPDF", "flask_cors": "Flask-Cors", "flask_sqlalchemy": "Flask-SQLAlchemy",
    "github": "PyGithub", "gi": "PyGObject", "git": "GitPython", "google.cloud.bigquery": "google-cloud-bigquery",
    "google.cloud.storage": "google-cloud-storage", "google.protobuf": "protobuf", "googleapiclient": "google-api-python-client",
    "graphviz": "graphviz", "gym": "gym", "haversine": "haversine", "hdbscan": "hdbscan", "igraph": "igraph", "imblearn": "imbalanced-learn",
    "imageio_ffmpeg": "imageio-ffmpeg", "ipywidgets": "ipywidgets", "jose": "python-jose", "jwt": "PyJWT", "kaggle": "kaggle",
    "keras": "keras", "ldap": "python-ldap", "lightgbm": "lightgbm", "lxml": "lxml", "magic": "python-magic", "markdown": "Markdown",
    "matplotlib": "matplotlib", "mpl_toolkits": "matplotlib", "mpl_toolkits.basemap": "basemap", "mysql.connector": "mysql-connector-python",
    "nacl": "PyNaCl", "netCDF4": "netCDF4", "networkx": "networkx", "nltk": "nltk", "odf": "odfpy", "openai": "openai",
    "osgeo": "GDAL", "pandas_datareader": "pandas-datareader", "pandas_profiling": "ydata-profiling", "pkg_resources": "setuptools",
    "plotly": "plotly", "pptx": "python-pptx", "psycopg2": "psycopg2-binary", "pyarrow": "pyarrow", "pydub": "pydub", "pylab": "matplotlib",
    "pymysql": "PyMySQL", "pyspark": "pyspark", "pytesseract": "pytesseract", "pythoncom": "pywin32", "pytorch_lightning": "pytorch-lightning",
    "pywt": "PyWavelets", "ruamel": "ruamel.yaml", "scipy": "scipy", "seaborn": "seaborn", "sentence_transformers": "sentence-transformers",
    "serial": "pyserial", "shapefile": "pyshp", "skimage": "scikit-image", "sklearn": "scikit-learn", "skopt": "scikit-optimize",
    "slugify": "python-slugify", "snappy": "python-snappy", "socks": "PySocks", "spacy": "spacy", "speech_recognition": "SpeechRecognition",
    "sqlalchemy": "SQLAlchemy", "statsmodels": "statsmodels", "surprise": "scikit-surprise", "tables": "tables", "telegram": "python-telegram-bot",
    "tensorboardX": "tensorboardX", "tensorflow": "tensorflow", "tensorflow_datasets": "tensorflow-datasets", "tensorflow_hub": "tensorflow-hub",
    "tlz": "toolz", "torch": "torch", "torchvision": "torchvision", "tqdm": "tqdm", "transformers": "transformers", "umap": "umap-learn",
    "usb": "pyusb", "vl_convert": "vl-convert-python", "websocket": "websocket-client", "win32com": "pywin32", "wordcloud": "wordcloud",
    "wx": "wxPython", "xgboost": "xgboost", "xlrd": "xlrd", "openpyxl": "openpyxl", "yaml": "PyYAML", "zmq": "pyzmq", "zstd": "zstandard",
}  # fmt: skip
"""As the projects' own pages on the Python Package Index say."""


def distribution(module: str) -> str:
    """The distribution that a module is installed with; its own name where nothing else is known.

    Parameters
    ----------
    module : str
        Its full name, `sklearn.linear_model`.
    """
    parts = module.split(".")
    for count in range(len(parts), 0, -1):
        found = DISTRIBUTIONS.get(".".join(parts[:count]))
        if found:
            return found
    return parts[0].replace("_", "-")


def known_distribution(module: str, below: str = "") -> str:
    """The distribution that is known to have a module; empty where none is.

    Parameters
    ----------
    module : str
        Its full name.
    below : str
        The package that is there already, and lacks the module: what has that package is not what is missing.
    """
    parts = module.split(".")
    there = below.count(".") + 1 if below else 0
    found = (DISTRIBUTIONS.get(".".join(parts[:count])) for count in range(len(parts), there, -1))
    return next((name for name in found if name), "")
