"""`assent bench`: what this program does on this machine, measured from outside.

Real server processes on a Postgres of their own answer real requests; only the model provider is
fake. `run.py` says what is measured and in which order, one file each measures it.
"""
