"""Approval rules: kept, matched with proposals, and counted against the votes of people."""
