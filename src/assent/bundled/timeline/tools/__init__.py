"""What the tools of plugins with a timeline have in common: each names its procedure and its own.

A plugin's tool is a class of its own with the model's docstring and an `Input`; how it is shown and
what it rests on comes from here.
"""
