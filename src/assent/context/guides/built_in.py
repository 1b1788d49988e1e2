"""The guides that come along, from the files beside this one."""

from importlib.resources import files

from assent.context.declaration import plugin
from assent.plugins.guide import POINT, Guide, check_guide

GUIDES = {
    "build": ("Preparing changes", "several changes that belong together are to be prepared"),
    "one-time-task": ("A task done once", "something is to be done once, now, in several steps"),
    "error-handling": ("When something fails", "a call failed, was refused or timed out"),
    "http-fallback": ("Without a tool", "there is no tool for a service that has a web address"),
    "control-flow": ("Order and repetition", "the same is to be done for many, or in an order"),
    "state": ("What stays", "something has to be known later, or in another conversation"),
    "ai-steps": ("Runs without an audience", "work is to go on without anybody watching"),
}

plugin.extension(POINT, check=check_guide)
for name, (title, when) in GUIDES.items():
    text = (files("assent.context.guides") / "texts" / f"{name}.md").read_text("utf-8")
    plugin.contribute(POINT, name)(Guide(title, when, text))
