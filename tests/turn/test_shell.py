"""The shell as a client sees it: sign-in, sessions, people, keys, catalog."""

from assent.testing import RunningServer


async def test_first_link_works_once(server: RunningServer) -> None:
    admin = await server.open_admin()
    me = (await admin.get("/api/me")).json()
    assert me["rules"] == ["*"]
