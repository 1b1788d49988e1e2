"""The built-in demo model: it serves when no provider is configured, from rules and not from AI.

`model.py` speaks, `decide.py` says what, `work.py` goes through what a message asks for. Below them
each module answers one question, and all are pure: words and lexicon (English), state (what has
happened), understand (what is asked), profile (what a tool is), choose (which tool), slots,
phrases, references and moments (its arguments), lookup, resolve and narrow (names and ids),
attempt, plan and outcome (the next step), ask (what is missing), compose, table and tell (the
answer). Playbooks, which plugins ship, come before that: playbook (what one is), recognize (which
is meant), refer (what its references stand for), story (its next step).
"""
