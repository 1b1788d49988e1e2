"""A chat server as one would build it from parts: FastAPI, pydantic-ai and its Vercel adapter."""

import os

import uvicorn
from fastapi import FastAPI, Request, Response
from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.ui.vercel_ai import VercelAIAdapter

provider = OpenAIProvider(base_url=os.environ["PROVIDER_URL"], api_key="k")
agent = Agent(OpenAIChatModel("fake", provider=provider))
app = FastAPI()


@app.post("/chat")
async def chat(request: Request) -> Response:
    return await VercelAIAdapter.dispatch_request(request, agent=agent, sdk_version=6)


if __name__ == "__main__":
    uvicorn.run(app, port=int(os.environ["PORT"]), log_level="error", access_log=False)
