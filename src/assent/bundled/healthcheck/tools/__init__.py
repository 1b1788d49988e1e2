"""The tools of health checks: reads in `reads.py`, changes beside it, for models."""

from assent.bundled.healthcheck.tools import changes, deletion, reads

__all__ = ["changes", "deletion", "reads"]
