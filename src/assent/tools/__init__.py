"""Tools as values: what one is, who sees it, and what a call may do before anybody asks. Pure."""
