"""The one door for tools, and what it needs: the budget and the record of every call."""
