"""Serve a GGUF model on a free port of loopback until standard input ends: `python serve.py MODEL CONTEXT_LENGTH`.

The first line on standard output is the address, once the model is loaded.
"""

from __future__ import annotations

import sys

import xllamacpp

parameters = xllamacpp.CommonParams()
parameters.model.path = sys.argv[1]
parameters.n_ctx = int(sys.argv[2])
parameters.port = 0
parameters.n_parallel = 1
parameters.n_gpu_layers = 0
parameters.cpuparams.n_threads = 2
parameters.cpuparams_batch.n_threads = 2
parameters.offline = True
parameters.use_jinja = True
parameters.sampling.seed = 0

server = xllamacpp.Server(parameters)
print("READY", server.listening_address, flush=True)
sys.stdin.read()  # ends when the tests do, however they end
