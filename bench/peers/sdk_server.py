"""The same bare server with the SDK's own MCPServer."""

import json
import os
from pathlib import Path
from typing import Any

import uvicorn
from mcp.server.mcpserver import MCPServer

VALUE: dict[str, Any] = json.loads(Path(os.environ["VALUE"]).read_text())
mcp = MCPServer("bare", log_level="ERROR")


@mcp.tool(name=os.environ["TOOL"])
async def read(limit: int = 50) -> dict[str, Any]:
    """Return the same value each time."""
    return VALUE


if __name__ == "__main__":
    lean = bool(os.environ.get("LEAN"))
    app = mcp.streamable_http_app(stateless_http=lean, json_response=lean)
    uvicorn.run(app, port=int(os.environ["PORT"]), log_level="error", access_log=False)
