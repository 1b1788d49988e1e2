import asyncio, json
from assent.testing import Databases, run_server
from tests.turn.people import expect, find_tenant
from tests.turn.talk import parse_stream
from tests.bank.desk import apply, decline

async def test_live(databases: Databases):
    async with databases.copy() as url, run_server(url, demo=True, background_work=True, demo_pace=0, ollama_url="", tool_calls=1000) as server:
        tenant = await find_tenant(server)
        client = tenant.admin.client
        made = expect(await client.post("/api/conversations", json={}), 201)["id"]
        async def say(text):
            print("\n>>>", text)
            answer = await client.post("/api/chat", json={"conversationId": made, "message": {"text": text}})
            assert answer.status_code == 200, answer.text
            s = parse_stream(answer.text)
            for e in s.events:
                if e["type"] in ("tool-input-available", "tool-output-error", "error"): print("   ", json.dumps({k: e[k] for k in e if k in ("toolName","input","errorText","type")}))
            print(s.text)
            return s
        async def decide(s, how):
            for card in s.find("data-proposal"):
                pid = card["data"]["proposalId"]
                await how(client, pid)
            before = len(expect(await client.get(f"/api/conversations/{made}/messages"), 200)["items"])
            for _ in range(100):
                await asyncio.sleep(0.1)
                view = expect(await client.get(f"/api/conversations/{made}"), 200)
                items = expect(await client.get(f"/api/conversations/{made}/messages"), 200)["items"]
                if len(items) > before and view["status"] != "running": break
            print("   [after decision]", [p.get("text") or p.get("type") for p in items[-1]["parts"] if p["type"] in ("text",)])
            return items[-1]
        await say("create a system called web")
        s = await say("billing")
        await decide(s, apply)
        await say("delete biling")
        s = await say("billing")
        await decide(s, apply)
        await say("delete a group")
        s = await say("Platform")
        r = await client.patch(f"/api/conversations/{made}", json={"mode": "auto"}); print(r.status_code)
        await say("rename the group Storefront to Shop and put web into staging only")
        await say("add postgres to Shop, then list the systems in Shop")
        await say("set the environments of web to staging")
        await say("what is in the Shop group?")
        print(expect(await client.get(f"/api/conversations/{made}"), 200)["title"])
