"""The built-in demo model: it serves when no provider is configured, from rules and not from AI.

`model.py` speaks, `decide.py` says what, everything else is one small pure question each:
words and lexicon (English), understand (what was asked), profile (what a tool is), choose (which
tool), phrases and slots (its arguments), resolve (names to ids), state (what happened so far),
plan (the next step of one request), compose and table (answers in words).
"""
