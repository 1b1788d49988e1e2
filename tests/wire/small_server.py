"""An OpenAI-compatible server with a small model, run by the Python that has xllamacpp.

Arguments: the model's file and the port. One thread: more of them wait for each other on a machine
that has something else to do.
"""

import sys
import time

import xllamacpp  # pyright: ignore[reportMissingImports]

CONTEXT = 4096


def serve(model: str, port: int) -> None:
    params = xllamacpp.CommonParams()
    params.model.path = model
    params.model_alias = {"small"}
    params.hostnames = ["127.0.0.1"]
    params.port = port
    params.n_ctx = CONTEXT
    params.n_parallel = 1
    params.sampling.temp = 0
    params.sampling.penalty_repeat = 1.3
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(params)
    print("Serving at", server.listening_address, flush=True)
    while True:
        time.sleep(3600)


serve(sys.argv[1], int(sys.argv[2]))
