import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Route, Routes, useLocation } from "react-router";
import { describe, expect, it } from "vitest";
import type { Proposal, ProposalState } from "../../src/api/types";
import { DecidePage } from "../../src/decide/page";
import { texts } from "../../src/texts";
import { HASH, ID, inMinutes, makeProposal } from "../proposals/make";
import { ADA, renderPage } from "../render";
import { problem, stubServer } from "../server";

const words = texts.decide;
const GET = `GET /api/proposals/${ID}`;
const CLAUDE = { name: "Claude", host: "claude.ai", verified: true };
const ISSUED = { body: { token: "secret-token", payloadHash: HASH, expiresAt: inMinutes(10) } };
const PIPELINE = { kind: "application" as const, id: "app-1", name: "pipeline" };

function Where() {
  const { pathname, search } = useLocation();
  return <p>{`at ${pathname}${search}`}</p>;
}

/** A server that keeps one proposal; decisions change what it answers from then on. */
function open(first: Partial<Proposal>, answers: Parameters<typeof stubServer>[0] = {}) {
  const kept = { now: makeProposal(first) };
  const become = (fields: Partial<Proposal>) => {
    kept.now = { ...kept.now, ...fields };
    return { body: kept.now };
  };
  const asked = stubServer({
    "GET /api/me": { body: ADA },
    "GET /api/events": problem(503),
    [GET]: () => ({ body: kept.now }),
    [`POST /api/proposals/${ID}/token`]: ISSUED,
    [`POST /api/proposals/${ID}/apply`]: () => become({ state: "applied", result: { id: "s-9" } }),
    [`POST /api/proposals/${ID}/decline`]: () =>
      become({ state: "declined", declineReason: "Not now." }),
    ...answers,
  });
  renderPage(
    <Routes>
      <Route path="/decide/:proposalId" element={<DecidePage />} />
      <Route path="*" element={<Where />} />
    </Routes>,
    { at: `/decide/${ID}` },
  );
  return asked;
}

async function press(name: string) {
  await userEvent.click(await screen.findByRole("button", { name }));
}

describe("DecidePage", () => {
  it("says which program asks, for whom, and that its address was checked", async () => {
    open({ client: CLAUDE, proposer: { kind: "user", id: ADA.id, name: "Ada Okafor via Claude" } });
    expect(await screen.findByRole("heading", { name: words.headings.proposed })).toHaveFocus();
    expect(screen.getByText("claude.ai")).toBeVisible();
    expect(screen.getByText(texts.trust.checked)).toBeVisible();
    expect(screen.getByText("Ada Okafor via Claude")).toBeVisible();
    expect(screen.queryByText(/via Claude via Claude/u)).toBeNull();
  });

  it("says that a name is only what the program says of itself", async () => {
    open({ client: { name: "Claude", host: null, verified: false }, proposer: PIPELINE });
    expect(await screen.findByText(texts.trust.unverified)).toBeVisible();
    expect(screen.getByText(words.application, { exact: false })).toBeVisible();
    expect(screen.getByText("pipeline via Claude")).toBeVisible();
  });

  it("applies with the card as everywhere, and leads back to the program", async () => {
    const asked = open({ client: CLAUDE });
    await press(texts.card.apply);
    expect(await screen.findByText("s-9")).toBeVisible();
    expect(screen.getByRole("heading", { name: words.headings.applied })).toBeVisible();
    expect(screen.getByText(words.goBack("Claude"))).toBeVisible();
    const sent = asked.filter(({ method }) => method === "POST").map(({ path }) => path);
    expect(sent.map((path) => path.split("/").at(-1))).toEqual(["token", "apply"]);
  });

  it("declines with a reason", async () => {
    open({ proposer: PIPELINE, edge: "rest" });
    await press(texts.card.decline);
    await userEvent.keyboard("Not now.");
    await press(texts.card.declineConfirm);
    expect(await screen.findByText("Not now.")).toBeVisible();
    expect(screen.getByText(words.goBack("pipeline"))).toBeVisible();
  });

  it("asks for what is secret on the card itself", async () => {
    const asked = open({ client: CLAUDE, secrets: [{ name: "key", title: "Key of the service" }] });
    await userEvent.type(await screen.findByLabelText("Key of the service"), "s3cret");
    await press(texts.card.apply);
    await screen.findByText("s-9");
    expect(asked.find(({ path }) => path.endsWith("/apply"))?.body).toMatchObject({
      secrets: { key: "s3cret" },
    });
  });

  it.each<ProposalState>(["applied", "failed", "declined", "expired", "voided"])(
    "shows one that is %s, and the way back",
    async (state) => {
      open({ state, client: CLAUDE, mayDecide: false, mayDecline: false });
      expect(await screen.findByRole("heading", { name: words.headings[state] })).toBeVisible();
      expect(screen.getByText(words.goBack("Claude"))).toBeVisible();
      expect(screen.queryByRole("button", { name: texts.card.apply })).toBeNull();
    },
  );

  it("says that the time is over even before the server has marked it", async () => {
    open({ client: CLAUDE, expiresAt: inMinutes(-1) });
    expect(await screen.findByRole("heading", { name: words.headings.expired })).toBeVisible();
  });

  it("says that somebody else has to decide", async () => {
    open({ client: CLAUDE, mayDecide: false, mayDecline: false });
    expect(await screen.findByRole("heading", { name: words.others })).toBeVisible();
    expect(screen.queryByText(words.goBack("Claude"))).toBeNull();
  });

  it("stays in these surroundings on the way to a fresh card", async () => {
    open({ state: "superseded", supersededBy: "proposal-2", client: CLAUDE });
    const link = await screen.findByRole("link", { name: texts.card.toSuccessor });
    expect(link).toHaveAttribute("href", "/decide/proposal-2");
  });

  it("is not found for others, who can use another account", async () => {
    open({}, { [GET]: problem(404), "POST /api/auth/logout": { status: 204 } });
    expect(await screen.findByText(words.missing)).toBeVisible();
    await press(texts.connect.otherAccount);
    expect(await screen.findByText(/^at \/login\?next=/u)).toHaveTextContent(
      `at /login?next=${encodeURIComponent(`/decide/${ID}`)}`,
    );
  });

  it("goes to sign-in first, and comes back", async () => {
    open({}, { "GET /api/me": problem(401, { code: "not_signed_in" }) });
    await waitFor(() =>
      expect(screen.getByText(/^at /u)).toHaveTextContent(
        `at /login?next=${encodeURIComponent(`/decide/${ID}`)}`,
      ),
    );
  });
});
