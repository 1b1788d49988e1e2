"""Everything that runs in the background: one fenced queue, fed by callers, ticks and the outbox.

Begin with `worker.py`. Knows rows, kinds and tenant ids, and nothing of what the work means.
"""
