"""A bare FastMCP server: one tool that returns the value of a file, and nothing around it."""

import json
import os
from pathlib import Path
from typing import Any

from fastmcp import FastMCP

VALUE: dict[str, Any] = json.loads(Path(os.environ["VALUE"]).read_text())
mcp = FastMCP("bare")


@mcp.tool(name=os.environ["TOOL"])
async def read(limit: int = 50) -> dict[str, Any]:
    """Return the same value each time."""
    return VALUE


if __name__ == "__main__":
    lean = bool(os.environ.get("LEAN"))
    quiet = {"log_level": "error", "access_log": False}
    mcp.run(
        "http",
        host="127.0.0.1",
        port=int(os.environ["PORT"]),
        show_banner=False,
        stateless_http=lean,
        json_response=lean,
        uvicorn_config=quiet,
    )
