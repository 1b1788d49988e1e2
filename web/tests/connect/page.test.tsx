import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Route, Routes, useLocation } from "react-router";
import { describe, expect, it, vi } from "vitest";
import type { Consent } from "../../src/api/types";
import { ConnectPage } from "../../src/connect/page";
import { texts } from "../../src/texts";
import { ADA, renderPage } from "../render";
import { problem, stubServer } from "../server";
import { makeConsent, scope } from "./make";

const words = texts.connect;
const ASK = "POST /api/oauth/consent";
const ALLOW = "POST /api/oauth/consent/allow";
const DENY = "POST /api/oauth/consent/deny";
const QUERY = "client_id=https%3A%2F%2Fclaude.ai%2Fmcp.json&state=a%26b&scope=catalog.system.read";
const REQUEST = {
  client_id: "https://claude.ai/mcp.json",
  state: "a&b",
  scope: "catalog.system.read",
};
const BACK = "https://claude.ai/back?code=1";

function Where() {
  const { pathname, search } = useLocation();
  return <p>{`at ${pathname}${search}`}</p>;
}

function open(
  asked: Partial<Consent>,
  answers: Parameters<typeof stubServer>[0] = {},
  query = QUERY,
) {
  const leave = vi.fn<(address: string) => void>();
  const server = stubServer({
    "GET /api/me": { body: ADA },
    [ASK]: { body: makeConsent(asked) },
    [ALLOW]: { body: { redirectTo: BACK } },
    [DENY]: { body: { redirectTo: "https://claude.ai/back?error=access_denied" } },
    ...answers,
  });
  renderPage(
    <Routes>
      <Route path="/connect" element={<ConnectPage leave={leave} />} />
      <Route path="*" element={<Where />} />
    </Routes>,
    { at: `/connect?${query}` },
  );
  return { leave, server };
}

async function press(name: string) {
  await userEvent.click(await screen.findByRole("button", { name }));
}

function sent(server: { method: string; path: string; body: unknown }[], path: string) {
  return server.filter((one) => one.path === path).map(({ body }) => body);
}

describe("ConnectPage", () => {
  it("asks the server with exactly what the program asked", async () => {
    const { server } = open({});
    await screen.findByRole("heading", { name: words.heading("Claude") });
    expect(sent(server, "/api/oauth/consent")).toEqual([REQUEST]);
  });

  it("says who asks, for whom, and where one is sent afterwards", async () => {
    open({ redirectHost: "callback.claude.ai" });
    expect(await screen.findByText(texts.trust.checked)).toBeVisible();
    expect(screen.getByText("claude.ai")).toBeVisible();
    expect(screen.getByText(ADA.email)).toBeVisible();
    expect(screen.getByText("callback.claude.ai")).toBeVisible();
    expect(screen.queryByText(words.loopbackTitle)).toBeNull();
  });

  it("warns of a name that nobody has checked, and of a program on the own machine", async () => {
    open({ registeredBy: "registration", isLoopback: true, redirectHost: "127.0.0.1:3118" });
    expect(await screen.findByText(texts.trust.unverified)).toBeVisible();
    expect(screen.getByText(words.unverifiedBody)).toBeVisible();
    expect(screen.getByText(words.loopback)).toBeVisible();
  });

  it("shows what is hidden in a name, and makes nothing of its markup", async () => {
    open({ clientName: "Cla\u202eude <b>x</b>" });
    const heading = await screen.findByRole("heading", { level: 1 });
    expect(heading).toHaveTextContent("U+202E");
    expect(heading.querySelector("b")).toBeNull();
  });

  it("allows what was chosen from the start, and nothing of Assent itself", async () => {
    const { leave, server } = open({});
    await press(words.allow);
    await waitFor(() => expect(leave).toHaveBeenCalledExactlyOnceWith(BACK));
    expect(sent(server, "/api/oauth/consent/allow")).toEqual([
      {
        ...REQUEST,
        scopes: [
          "catalog.system.read",
          "catalog.group.read",
          "incident.incident.read",
          "catalog.system.manage",
          "incident.incident.manage",
        ],
      },
    ]);
    expect(screen.getByRole("heading", { name: words.goneAllowed("Claude") })).toHaveFocus();
    expect(screen.getByText(words.back("claude.ai"))).toBeVisible();
  });

  it("leaves out a whole group, and one thing of another", async () => {
    const { server } = open({});
    const { body } = words.groups.prepare;
    await userEvent.click(await screen.findByRole("checkbox", { name: new RegExp(body, "u") }));
    const see = screen.getByRole("region", { name: words.groups.see.title });
    await userEvent.click(within(see).getByText(words.oneByOne));
    await userEvent.click(within(see).getByRole("checkbox", { name: "See groups" }));
    await press(words.allow);
    await waitFor(() => expect(sent(server, "/api/oauth/consent/allow")).toHaveLength(1));
    expect(sent(server, "/api/oauth/consent/allow")[0]).toMatchObject({
      scopes: ["catalog.system.read", "incident.incident.read"],
    });
  });

  it("allows nothing without anything chosen, and says so", async () => {
    const { server } = open({ scopes: [scope("catalog.system.read")] });
    await userEvent.click(await screen.findByRole("checkbox", { name: "See systems" }));
    await press(words.allow);
    expect(screen.getByRole("alert")).toHaveTextContent(words.chooseOne);
    expect(sent(server, "/api/oauth/consent/allow")).toEqual([]);
  });

  it("offers only to deny when the person has nothing of what is asked for", async () => {
    open({ scopes: [scope("catalog.system.manage", false)] });
    expect(await screen.findByText(words.nothingHeld)).toBeVisible();
    await userEvent.click(screen.getByText(words.notHeld(1)));
    expect(screen.getByText("Prepare changes to systems")).toBeVisible();
    expect(screen.queryByRole("button", { name: words.allow })).toBeNull();
    expect(screen.queryByRole("checkbox")).toBeNull();
  });

  it("marks what is new to a program that was allowed before", async () => {
    open({
      scopes: [
        scope("catalog.system.read"),
        scope("catalog.group.read"),
        scope("catalog.system.manage"),
      ],
      alreadyAllowed: ["catalog.system.read"],
      knownSince: "2026-01-01T10:00:00Z",
    });
    expect(await screen.findByText(words.knownSince, { exact: false })).toBeVisible();
    const marksIn = (group: "see" | "prepare") => {
      const name = new RegExp(`^${words.groups[group].title}`, "u");
      const region = screen.getByRole("region", { name });
      return within(region)
        .queryAllByText(/new$/iu)
        .map(({ textContent }) => textContent);
    };
    expect(marksIn("see")).toEqual([words.someNew(1), words.isNew]);
    expect(marksIn("prepare")).toEqual([words.isNew]);
  });

  it("denies", async () => {
    const { leave, server } = open({});
    await press(words.deny);
    await waitFor(() =>
      expect(leave).toHaveBeenCalledExactlyOnceWith("https://claude.ai/back?error=access_denied"),
    );
    expect(sent(server, "/api/oauth/consent/deny")).toEqual([REQUEST]);
    expect(sent(server, "/api/oauth/consent/allow")).toEqual([]);
    expect(screen.getByText(words.goneDenied("Claude"))).toBeVisible();
  });

  it.each([
    ["cursor://anysphere.cursor/back?code=1", false],
    ["http://127.0.0.1:3118/back?code=1", true],
  ])("says that the tab can be closed when it went to %s", async (redirectTo, isLoopback) => {
    const { leave } = open({ isLoopback }, { [ALLOW]: { body: { redirectTo } } });
    await press(words.allow);
    expect(await screen.findByText(words.close("Claude"))).toBeVisible();
    await press(words.again);
    expect(leave.mock.calls).toEqual([[redirectTo], [redirectTo]]);
  });

  it("goes nowhere that a browser would run", async () => {
    const { leave } = open({}, { [ALLOW]: { body: { redirectTo: "javascript:alert(1)" } } });
    await press(words.allow);
    expect(await screen.findByText(words.unusable)).toBeVisible();
    expect(leave).not.toHaveBeenCalled();
  });

  it.each([
    [problem(400, { detail: "The address to return to is not one of the program's." })],
    [problem(404, { detail: "This program is not known." })],
    [problem(410, { detail: "This request is too old." })],
    [problem(422, { detail: "Some fields are not right.", issues: [] })],
  ])("shows a fault as a page and sends nobody anywhere: %j", async (answer) => {
    const { leave } = open({}, { [ASK]: answer });
    expect(await screen.findByRole("alert")).toHaveTextContent(answer.body.detail as string);
    expect(screen.getByRole("heading", { name: words.faultTitle })).toBeVisible();
    expect(screen.queryByRole("button", { name: words.allow })).toBeNull();
    expect(leave).not.toHaveBeenCalled();
  });

  it("says that the address alone is nothing", async () => {
    open({}, { [ASK]: problem(422, { detail: "client_id: Field required" }) }, "");
    expect(await screen.findByRole("alert")).toHaveTextContent(words.incomplete);
  });

  it("warns of a program that is opened by a scheme of its own", async () => {
    open({ redirectHost: "cursor:" });
    expect(await screen.findByText(words.ownSchemeTitle)).toBeVisible();
  });

  it("names the rule to somebody who may not connect programs", async () => {
    open({}, { [ASK]: problem(403, { code: "missing_rule", rule: "identity.program.manage" }) });
    expect(await screen.findByText("identity.program.manage")).toBeVisible();
    expect(screen.queryByText(words.faultTitle)).toBeNull();
  });

  it("stays and says so when the answer could not be given, then it can", async () => {
    let works = false;
    const { leave } = open(
      {},
      {
        [ALLOW]: () =>
          works ? { body: { redirectTo: BACK } } : problem(409, { detail: "Try again." }),
      },
    );
    await press(words.allow);
    expect(await screen.findByText("Try again.")).toBeVisible();
    expect(leave).not.toHaveBeenCalled();
    works = true;
    await press(words.allow);
    await waitFor(() => expect(leave).toHaveBeenCalledWith(BACK));
  });

  it("goes to sign-in first, and comes back with the whole question", async () => {
    open({}, { "GET /api/me": problem(401, { code: "not_signed_in" }) });
    const next = encodeURIComponent(`/connect?${QUERY}`);
    expect(await screen.findByText(`at /login?next=${next}`)).toBeVisible();
  });

  it("goes to sign-in when the session has ended before the answer", async () => {
    let signedIn = true;
    const gone = problem(401, { code: "not_signed_in" });
    const { leave } = open(
      {},
      {
        "GET /api/me": () => (signedIn ? { body: ADA } : gone),
        [ALLOW]: () => {
          signedIn = false;
          return gone;
        },
      },
    );
    await press(words.allow);
    const next = encodeURIComponent(`/connect?${QUERY}`);
    expect(await screen.findByText(`at /login?next=${next}`)).toBeVisible();
    expect(leave).not.toHaveBeenCalled();
  });

  it("lets another account be used, and keeps the question", async () => {
    const { server } = open({}, { "POST /api/auth/logout": { status: 204 } });
    await press(words.otherAccount);
    const next = encodeURIComponent(`/connect?${QUERY}`);
    expect(await screen.findByText(`at /login?next=${next}`)).toBeVisible();
    expect(sent(server, "/api/auth/logout")).toHaveLength(1);
  });
});
