"""For tests, ours and plugins': real Postgres, real HTTP, a clock that can be set.

Nothing in Assent imports this.
"""

from assent.testing.client import Client
from assent.testing.clock import FixedClock
from assent.testing.databases import Databases
from assent.testing.server import RunningServer, run_server

__all__ = ["Client", "Databases", "FixedClock", "RunningServer", "run_server"]
